import { median } from './quantiles.ts';

/**
 * Messages that follow one another are alike (a neighbour takes the CPU, the collector runs, the clock rate changes),
 * so n samples carry less than n independent ones would. Samples of one process are therefore summed up in
 * contiguous blocks, and the blocks are what is resampled (non-overlapping block bootstrap: Carlstein 1986).
 */
const MOST_BLOCKS = 20;
const LEAST_PER_BLOCK = 5;

/** From this many blocks on their trimmed mean is steady enough to stand for the process. */
const ENOUGH_BLOCKS = 8;

/** What one process says, on the log scale. `blocks` is empty when there were too few samples to cut. */
export interface ProcessView {
  centre: number;
  blocks: number[];
}

const countOf = (samples: number): number =>
  Math.max(1, Math.min(MOST_BLOCKS, Math.floor(samples / LEAST_PER_BLOCK)));

const logMedian = (samples: readonly number[], block: number, blocks: number): number => {
  const from = Math.floor((block * samples.length) / blocks);
  const to = Math.floor(((block + 1) * samples.length) / blocks);
  return Math.log(median(samples.slice(from, to)));
};

/** `pieces` is how a process that stands alone is cut when it has too few samples for blocks of their own. */
function viewOf(
  samples: number,
  alone: boolean,
  valueAt: (block: number, blocks: number) => number,
): ProcessView {
  const usual = countOf(samples);
  const blocks = alone && usual < ENOUGH_BLOCKS ? Math.min(samples, MOST_BLOCKS) : usual;
  const values = Array.from({ length: blocks }, (_, block) => valueAt(block, blocks));
  const centre = usual < ENOUGH_BLOCKS ? valueAt(0, 1) : middleMean(values);
  return { centre, blocks: values.length > 1 ? values : [] };
}

/** Log of the median, and log medians by block. `alone` when no other process tells how much they vary. */
export function viewOfTimes(samples: readonly number[], alone: boolean): ProcessView {
  const view = viewOf(samples.length, alone, (block, blocks) => logMedian(samples, block, blocks));
  return { ...view, centre: Math.log(median(samples)) };
}

/**
 * Log ratio of medians, candidate over original, block by block: both were sent in the same rounds, so what slows a
 * block down slows both and cancels. Over the whole process at once a bimodal machine can put one median in the fast
 * mode and the other in the slow one.
 */
export function viewOfRatio(
  candidate: readonly number[],
  original: readonly number[],
  alone: boolean,
): ProcessView {
  const rounds = Math.min(candidate.length, original.length);
  return viewOf(
    rounds,
    alone,
    (block, blocks) => logMedian(candidate, block, blocks) - logMedian(original, block, blocks),
  );
}

/** Mean of the middle half: keeps most of the mean's precision and shrugs off a block with a collector pause. */
export function middleMean(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let at = cut; at < sorted.length - cut; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * cut);
}

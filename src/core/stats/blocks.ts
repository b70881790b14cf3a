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
export interface ProcessSummary {
  centre: number;
  blocks: readonly number[];
}

const countOf = (samples: number): number =>
  Math.max(1, Math.min(MOST_BLOCKS, Math.floor(samples / LEAST_PER_BLOCK)));

/**
 * Log medians by block. Every candidate meets the same original, and every further process looks at all earlier ones
 * again, so what is known of a list is kept beside it: samples are taken once and never change.
 */
const known = new WeakMap<readonly number[], Map<number, readonly number[]>>();

function logMedians(samples: readonly number[], blocks: number): readonly number[] {
  const cuts = known.get(samples) ?? new Map<number, readonly number[]>();
  known.set(samples, cuts);
  const before = cuts.get(blocks);
  if (before) return before;
  const bound = (block: number): number => Math.floor((block * samples.length) / blocks);
  const logs = Array.from({ length: blocks }, (_, block) =>
    Math.log(median(samples.slice(bound(block), bound(block + 1)))),
  );
  cuts.set(blocks, logs);
  return logs;
}

/** A process that stands `alone` and has too few samples for blocks of several is cut into single ones. */
function summaryOf(
  samples: number,
  alone: boolean,
  valuesIn: (blocks: number) => readonly number[],
): ProcessSummary {
  const usual = countOf(samples);
  const blocks = alone && usual < ENOUGH_BLOCKS ? Math.min(samples, MOST_BLOCKS) : usual;
  const values = valuesIn(blocks);
  const centre = usual < ENOUGH_BLOCKS ? valuesIn(1)[0]! : interquartileMean(values);
  return { centre, blocks: values.length > 1 ? values : [] };
}

/** Log of the median, and log medians by block. `alone` when no other process tells how much they vary. */
export function summaryOfTimes(samples: readonly number[], alone: boolean): ProcessSummary {
  const view = summaryOf(samples.length, alone, (blocks) => logMedians(samples, blocks));
  return { ...view, centre: Math.log(median(samples)) };
}

/**
 * Log ratio of medians, candidate over original (equally many rounds), block by block: both were sent in the same rounds, so what slows a
 * block down slows both and cancels. Over the whole process at once a bimodal machine can put one median in the fast
 * mode and the other in the slow one.
 */
export function summaryOfRatio(
  candidate: readonly number[],
  original: readonly number[],
  alone: boolean,
): ProcessSummary {
  return summaryOf(candidate.length, alone, (blocks) => {
    const base = logMedians(original, blocks);
    return logMedians(candidate, blocks).map((log, block) => log - base[block]!);
  });
}

/** Mean of the middle half: keeps most of the mean's precision and shrugs off a block with a collector pause. */
export function interquartileMean(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let at = cut; at < sorted.length - cut; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * cut);
}

import { median } from './quantiles.ts';

/**
 * Consecutive messages are correlated (a neighbour takes the CPU, the collector runs, the clock rate changes), so n
 * samples carry less information than n independent ones. Samples of one process are therefore summarized in contiguous
 * blocks, and the blocks are resampled (non-overlapping block bootstrap: Carlstein 1986). Of a slow payload a process has
 * a few messages, and each is a block: what correlation hides in them shows as variation between processes.
 */
const MAX_BLOCKS = 20;

/** From this many blocks on their trimmed mean is stable enough to represent the process. */
const ENOUGH_BLOCKS = 8;

/** Samples of one process on the log scale. `blocks` is empty when there are too few samples for blocks. */
export interface ProcessSummary {
  centre: number;
  blocks: readonly number[];
}

/**
 * Log medians by number of blocks, cached: all candidates are compared with the same original, and each further process
 * evaluates all earlier ones again. Samples do not change after they were taken.
 */
const cache = new WeakMap<readonly number[], Map<number, readonly number[]>>();

function logMedians(samples: readonly number[], blocks: number): readonly number[] {
  const byBlocks = cache.get(samples) ?? new Map<number, readonly number[]>();
  cache.set(samples, byBlocks);
  const known = byBlocks.get(blocks);
  if (known) return known;
  const bound = (block: number): number => Math.floor((block * samples.length) / blocks);
  const logs = Array.from({ length: blocks }, (_, block) =>
    Math.log(median(samples.slice(bound(block), bound(block + 1)))),
  );
  byBlocks.set(blocks, logs);
  return logs;
}

function summaryOf(samples: number, valuesIn: (blocks: number) => readonly number[]): ProcessSummary {
  const blocks = Math.min(MAX_BLOCKS, samples);
  const values = valuesIn(blocks);
  const centre = blocks < ENOUGH_BLOCKS ? valuesIn(1)[0]! : interquartileMean(values);
  return { centre, blocks: values.length > 1 ? values : [] };
}

/** Log of the median, and log medians by block. */
export function summaryOfTimes(samples: readonly number[]): ProcessSummary {
  const { blocks } = summaryOf(samples.length, (count) => logMedians(samples, count));
  return { centre: Math.log(median(samples)), blocks };
}

/**
 * Log ratio of medians, candidate over original, block by block. Both were sent in the same rounds, so what slows a block
 * down slows both and cancels; one of them may have had several turns in each round. Over the whole process, a bimodal
 * machine can put one median in the fast mode and the other in the slow one.
 */
export function summaryOfRatio(candidate: readonly number[], original: readonly number[]): ProcessSummary {
  return summaryOf(Math.min(candidate.length, original.length), (blocks) => {
    const base = logMedians(original, blocks);
    return logMedians(candidate, blocks).map((log, block) => log - base[block]!);
  });
}

/** Mean of the middle half: almost as precise as the mean, and not affected by a block with a collector pause. */
export function interquartileMean(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let at = cut; at < sorted.length - cut; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * cut);
}

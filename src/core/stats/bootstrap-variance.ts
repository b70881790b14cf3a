import { interquartileMean } from './blocks.ts';
import { type Random, randomBelow } from './random.ts';

const REPLICATES = 100;

/**
 * Variance of the interquartile mean of `blocks` (2 or more) over seeded resamples of them, with the factor n/(n-1) that
 * a bootstrap from few values lacks (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 3.2).
 */
export function bootstrapVariance(blocks: readonly number[], random: Random): number {
  const count = blocks.length;
  const drawn = new Array<number>(count);
  let mean = 0;
  let squares = 0;
  for (let replicate = 1; replicate <= REPLICATES; replicate++) {
    for (let at = 0; at < count; at++) drawn[at] = blocks[randomBelow(count, random)]!;
    const value = interquartileMean(drawn);
    const apart = value - mean;
    mean += apart / replicate;
    squares += apart * (value - mean);
  }
  return ((squares / (REPLICATES - 1)) * count) / (count - 1);
}

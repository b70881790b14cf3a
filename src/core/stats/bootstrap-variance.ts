import { interquartileMean } from './blocks.ts';
import { type Random, randomBelow } from './random.ts';

const REPLICATES = 100;

/**
 * Variance of the interquartile mean of `count` blocks, over seeded resamples (Hesterberg 2015, "What Teachers Should Know
 * About the Bootstrap").
 *
 * @param deviations of blocks from the centre of their process: what the samples are drawn from
 */
export function varianceOfCentre(deviations: readonly number[], count: number, random: Random): number {
  const drawn = new Array<number>(count);
  let mean = 0;
  let squares = 0;
  for (let replicate = 1; replicate <= REPLICATES; replicate++) {
    for (let at = 0; at < count; at++) drawn[at] = deviations[randomBelow(deviations.length, random)]!;
    const value = interquartileMean(drawn);
    const apart = value - mean;
    mean += apart / replicate;
    squares += apart * (value - mean);
  }
  return squares / (REPLICATES - 1);
}

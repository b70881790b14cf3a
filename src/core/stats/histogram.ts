import type { Histogram } from '../../model/documents/measurement.ts';

/** Times below 1 ns (the clock did not advance) share the first bin: their logarithm is -Infinity. */
const log10 = (sample: number): number => Math.log10(Math.max(sample, 1));

/**
 * Counts in `bins` equal-width bins of log10(ns), from the smallest to the largest sample, so that the body stays readable
 * beside a tail ten times as long as the median. One bin when all samples are equal; undefined when there are none.
 */
export function histogram(samples: ArrayLike<number>, bins = 24): Histogram | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < samples.length; at++) {
    const log = log10(samples[at]!);
    from = Math.min(from, log);
    to = Math.max(to, log);
  }
  if (samples.length === 0) return undefined;
  if (from === to) return { from, to, counts: [samples.length] };
  const counts = new Array<number>(bins).fill(0);
  const width = (to - from) / bins;
  for (let at = 0; at < samples.length; at++) {
    const bin = Math.min(bins - 1, Math.floor((log10(samples[at]!) - from) / width));
    counts[bin] = counts[bin]! + 1;
  }
  return { from, to, counts };
}

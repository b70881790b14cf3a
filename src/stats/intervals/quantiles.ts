/** Order statistics. Quantiles are type 7 of Hyndman & Fan 1996 (linear interpolation, the default of R and NumPy). */

/** Quantile `p` in [0, 1] of samples in any order, which are not changed. NaN if there are no samples. */
export function quantile(samples: ArrayLike<number>, p: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = Float64Array.from(samples).sort();
  const position = Math.min(Math.max(p, 0), 1) * (sorted.length - 1);
  const k = Math.floor(position);
  const low = sorted[k]!;
  return position === k ? low : low + (position - k) * (sorted[k + 1]! - low);
}

export const median = (samples: ArrayLike<number>): number => quantile(samples, 0.5);

/** The middle of sorted values, or the lower of the two in the middle; undefined if there are no values. */
export const lowerMedian = <T>(sorted: readonly T[]): T | undefined => sorted[(sorted.length - 1) >> 1];

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample standard deviation; 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

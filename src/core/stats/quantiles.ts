/** Order statistics. Quantiles are type 7 of Hyndman & Fan 1996 (linear interpolation, the default of R and NumPy). */
/**
 * Returns the k-th smallest value (from 0) and moves it to position k. Linear time, unlike sorting all samples of a
 * run. Hoare's quickselect with the median of three as pivot; stopping at ties on both sides keeps equal values fast.
 */
function selectInPlace(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const [a, b, c] = [values[low]!, values[(low + high) >> 1]!, values[high]!];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left <= right) {
        const swapped = values[left]!;
        values[left++] = values[right]!;
        values[right--] = swapped;
      }
    }
    if (k <= right) high = right;
    else if (k >= left) low = left;
    else break;
  }
  return values[k]!;
}

/** Quantile `p` in [0, 1] of samples in any order, which are not changed. NaN if there are no samples. */
export function quantile(samples: ArrayLike<number>, p: number): number {
  if (samples.length === 0) return Number.NaN;
  const values = Float64Array.from(samples);
  const position = Math.min(Math.max(p, 0), 1) * (values.length - 1);
  const k = Math.floor(position);
  const low = selectInPlace(values, k);
  if (position === k) return low;
  // All larger values are behind position k now.
  let next = Number.POSITIVE_INFINITY;
  for (let at = k + 1; at < values.length; at++) if (values[at]! < next) next = values[at]!;
  return low + (position - k) * (next - low);
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

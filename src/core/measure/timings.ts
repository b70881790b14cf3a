import type { Measured, Variant } from '../../model/wire/wire.ts';

/** Samples of one payload on one runtime over one channel, and how to evaluate them. */
export interface Timings {
  results: readonly Measured[];
  variants: readonly Variant[];
  seed: number;
  /** See `ratioInterval`. */
  looks: number;
  /** What is compared with the original: the intervals of those that were not dropped hold simultaneously. */
  compared: readonly Variant[];
  /** Ids of the candidates that left the race. */
  dropped: readonly string[];
  /** Share by which intervals of ratios are widened: time lost to CPU contention. */
  lost: number;
  /** Share by which intervals of times are widened: the same, and drift of the floor. */
  widened: number;
}

export interface DescribeLimits {
  /** Patterns deeper than this fold into `..`. */
  depth: number;
  /** Different keys below one pattern before the rest folds into `.*`. */
  keys: number;
  /** Patterns in all. */
  patterns: number;
  /** Rows at one pattern: further combinations of flags are counted in the nearest row of their kind. */
  rows: number;
  /** A key of more UTF-16 units is not spelled out in a pattern. */
  keyLength: number;
  /** Properties or elements of one container that are looked at. */
  children: number;
  /**
   * Values that are visited in all. Of containers with more children than their part of it, some are visited, spread over
   * all, and stand for the others: counts and sizes are then estimates.
   */
  nodes: number;
}

export const DESCRIBE_LIMITS: DescribeLimits = {
  depth: 64,
  keys: 64,
  patterns: 2000,
  rows: 128,
  keyLength: 200,
  children: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
};

/** The strategy that posts the value unchanged. The other strategies are compared with it. */
export const RAW = 'raw';

export const SWEEP_FORMATS = ['terminal', 'json', 'markdown', 'html'] as const;
export type SweepFormat = (typeof SWEEP_FORMATS)[number];

/** Dimensions that can grow: array lengths, string lengths, buffer bytes, key counts, in order of preference. */
export const DIMENSIONS = ['items', 'chars', 'bytes', 'keys'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** Scaling of a recipe's value after it is built. */
export interface Scale {
  by: DimensionName;
  path: string;
  size: number;
}

/** Strategies that others recommend: they are timed for comparison, never advised. */
export const STRATEGY_NAMES = ['json-text', 'partial-text', 'bytes-transferred'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** Published benchmarks that can be repeated, in the order of the help. */
export const PRESET_NAMES = [
  'bun-strings',
  'bun-flat-object',
  'bun-arrays',
  'bun-objects',
  'blog-keys',
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** The strategy that posts the value as it is: what the others are compared with. */
export const RAW = 'raw';

export const SWEEP_FORMATS = ['terminal', 'json', 'markdown', 'html'] as const;
export type SweepFormat = (typeof SWEEP_FORMATS)[number];

/** What can grow in a payload: array lengths, string lengths, key counts, buffer bytes. In the order of preference. */
export const DIMENSIONS = ['items', 'chars', 'bytes', 'keys'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** How a recipe's value is scaled once it is built. */
export interface Scale {
  by: DimensionName;
  path: string;
  size: number;
}

/** Strategies that others recommend: timed as references, never advised. */
export const STRATEGY_NAMES = ['json-text', 'partial-text', 'bytes-transferred'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** Published benchmarks that can be redone, in the order of the help. */
export const PRESET_NAMES = [
  'bun-strings',
  'bun-flat-object',
  'bun-arrays',
  'bun-objects',
  'blog-keys',
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

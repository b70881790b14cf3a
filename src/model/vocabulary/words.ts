/** The strategy that posts the value unchanged. The other strategies are compared with it. */
export const RAW = 'raw';

/** Dimensions that can grow: array lengths, string lengths, buffer bytes, key counts, in order of preference. */
export const DIMENSIONS = ['items', 'chars', 'bytes', 'keys'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

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

export const SIDES = ['sender', 'receiver'] as const;
export type ProfiledSide = (typeof SIDES)[number];

/** Kinds of work in a profile sample: cloning, garbage collection, the user's own code, the rest. */
export const WORKS = ['clone', 'gc', 'user', 'other'] as const;
export type Work = (typeof WORKS)[number];

export const PROFILERS = ['v8-profiler-next', 'inspector'] as const;
export type ProfilerName = (typeof PROFILERS)[number];

/** Kinds of changes between two reports. Times are excluded, because they come from two separate runs. */
export const CHANGES = [
  'runtime',
  'status',
  'class',
  'path',
  'findings',
  'values',
  'depth',
  'json-bytes',
  'wire-bytes',
  'advice',
  'rewrites',
] as const;
export type Change = (typeof CHANGES)[number];

/** Relations between two shares of the original's time, each from one run; `unsure`: their intervals overlap. */
export const SHARE_CHANGES = ['lower', 'higher', 'unsure'] as const;
export type ShareChange = (typeof SHARE_CHANGES)[number];

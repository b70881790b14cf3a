import type { RuntimeName } from '../names.ts';

export const SWEEP_FORMATS = ['terminal', 'json', 'html'] as const;
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

/** A published figure. */
export interface PublishedFigure {
  /** ns; for `speedup` how many times faster. */
  value: number;
  /** What was timed: the sender's call alone, one call of structuredClone, or old time over new time of it. */
  of: 'send' | 'clone' | 'speedup';
  /** "Bun 1.2.21", as the source says. */
  on: string;
  source: string;
}

/** What was fastest in a runtime when the rule was published. */
export interface PublishedWinner {
  /** The runtime that is its newer version. */
  runtime: RuntimeName;
  /** "Chrome 48", as the source says. */
  on: string;
  strategy: string;
}

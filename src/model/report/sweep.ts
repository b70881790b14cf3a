/** Types of `clone-prof sweep`: cost against size for each strategy, and where two strategies cross. */

import type { Channel, RuntimeName } from '../names.ts';
import type { Estimate, Interval, Machine, Measurement, RatioEstimate, RunError } from './report.ts';

export const SWEEP_SCHEMA = 'clone-prof/sweep@1';

export const SWEEP_FORMATS = ['terminal', 'json', 'html'] as const;
export type SweepFormat = (typeof SWEEP_FORMATS)[number];

/** What can grow in a payload: array lengths, string lengths, key counts, buffer bytes. In the order of preference. */
export const DIMENSIONS = ['items', 'chars', 'bytes', 'keys'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** A part of a payload that can be scaled. */
export interface Dimension {
  by: DimensionName;
  /** Concrete JSON path of the array, string, object or buffer. */
  path: string;
  /** Its original size. */
  size: number;
  /** Sizes must be multiples of this: bytes of one element of a typed array; 1 elsewhere. */
  grain: number;
  /** About how many bytes of the payload are spread over its members; the largest part is scaled by default. */
  weight: number;
}

/** How a recipe's value is scaled once it is built. */
export interface Scale {
  by: DimensionName;
  path: string;
  size: number;
}

/** Strategies that others recommend: timed as references, never advised. */
export const STRATEGY_NAMES = ['json-text', 'partial-text', 'bytes-transferred'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

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

/** A published figure and the same quantity of this run, where it was measured. */
export interface Published extends PublishedFigure {
  measured: number | null;
}

/** One strategy at one size on one runtime over one channel. Times in ns. */
export interface SweepPoint {
  runtime: { name: RuntimeName; version: string };
  channel: Channel;
  /** Id of the payload, or the preset's series: "ints". */
  payload: string;
  /** "raw", a StrategyName, or the name of a proven remedy. */
  strategy: string;
  size: number;
  unit: DimensionName;
  /** null when it could not be timed at this size. */
  roundTrip: Estimate | null;
  send: Estimate | null;
  receive: Estimate | null;
  /** Round trip over that of `raw`, from the same rounds; null for `raw` itself. */
  ratio: RatioEstimate | null;
  peakMemory: Measurement['peakMemory'];
  published: Published | null;
  error: RunError | null;
}

/** Where two strategies cost the same. */
export interface Crossover {
  runtime: { name: RuntimeName; version: string };
  channel: Channel;
  payload: string;
  between: [string, string];
  unit: DimensionName;
  size: number;
  ci: Interval;
  /** Which of the two is cheaper below and above. */
  cheaper: { below: string; above: string };
}

/** A strategy against `raw`, over all sizes of one series. Sizes ascend. */
export interface StrategyResult {
  runtime: { name: RuntimeName; version: string };
  channel: Channel;
  payload: string;
  strategy: string;
  unit: DimensionName;
  faster: number[];
  slower: number[];
  /** The whole interval lies within the 5 % that count as no difference. */
  even: number[];
  /** The interval allows a difference and none. */
  undecided: number[];
}

/** What was fastest in a runtime when the rule was published. */
export interface PublishedWinner {
  /** The runtime that is its newer version. */
  runtime: RuntimeName;
  /** "Chrome 48", as the source says. */
  on: string;
  strategy: string;
}

/** A published rule of thumb, compared with the results. */
export interface Folklore {
  /** "fully stringify every message" */
  says: string;
  strategy: string;
  source: string;
  won?: readonly PublishedWinner[];
}

export interface LeftOut {
  runtime: { name: RuntimeName; version: string };
  strategy: string;
  reason: string;
}

export interface SweepReport {
  schema: typeof SWEEP_SCHEMA;
  tool: { version: string };
  machine: Machine;
  seed: number;
  preset: string | null;
  title: string;
  /** The part that was scaled; null for a preset. */
  dimension: Dimension | null;
  points: SweepPoint[];
  crossovers: Crossover[];
  standings: StrategyResult[];
  folklore: Folklore | null;
  /** Strategies that were not timed, and why. */
  leftOut: LeftOut[];
  /** Ended before all sizes were measured. */
  interrupted: boolean;
}

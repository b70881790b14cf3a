/** Types of `clone-prof report a.json b.json`: what changed between stored reports. */

import type { Channel, CostClass, PathName, RuntimeId, RuntimeName } from '../names.ts';
import type { Finding } from '../rules/rule.ts';
import type { Estimate, Interval, Machine, RatioEstimate, Run, RunError } from './report.ts';
import type { DimensionName } from './sweep.ts';
import type { Advice, Trial } from './trial.ts';

export const COMPARISON_SCHEMA = 'clone-prof/comparison@1';

/** A stored report, or a sweep. */
export interface ComparedReport {
  /** As the user wrote it. */
  file: string;
  tool: { version: string };
  machine: Machine;
  seed: number;
  date?: string;
}

/** What is compared of a run, with the names that a report has for it. */
export interface ComparedRun {
  runtime: RuntimeId;
  status: Run['status'];
  error: RunError | null;
  verdict: { class: CostClass; path: PathName } | null;
  shape: { nodes: number; depth: number; jsonBytes: number | null } | null;
  wireBytes: number | null;
  advice: Pick<Advice, 'action' | 'remedy' | 'path' | 'gain'> | null;
  roundTrip: Estimate | null;
}

/** What can change from one report to another. Never times: those are of two runs. */
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

/** Of two shares of the time of the original, each from one run; `unsure`: their intervals overlap. */
export const SHARE_CHANGES = ['lower', 'higher', 'unsure'] as const;
export type ShareChange = (typeof SHARE_CHANGES)[number];

export type ComparedTrial = Pick<Trial, 'equality' | 'outcome' | 'withConversion' | 'inPlace'>;

/** A rewrite in one report and in the other; null on the side that did not try it. */
export interface TrialComparison {
  remedy: string;
  path: string;
  /** Of the plan, where it has one. */
  form?: string;
  before: ComparedTrial | null;
  now: ComparedTrial | null;
  /** Null where one of the two was not timed so. */
  withConversion: ShareChange | null;
  inPlace: ShareChange | null;
}

/** Why two times cannot be compared: nothing but the payload may differ between times that are. */
export const UNLIKE = ['other-machine', 'other-run'] as const;
export type Unlike = (typeof UNLIKE)[number];

export type FoundRule = Pick<Finding, 'rule' | 'level' | 'path' | 'count'>;

/** One payload on one runtime over one channel; null on the side that does not have it. */
export interface RunComparison {
  payload: string;
  channel: Channel;
  /** Of `reports`: the one that is compared with the first. */
  report: number;
  before: ComparedRun | null;
  now: ComparedRun | null;
  changes: Change[];
  /** Findings that only the later one has, and only the earlier one. */
  came: FoundRule[];
  went: FoundRule[];
  trials: TrialComparison[];
  /** Null where one side has no time, or both have the same measurement. */
  times: Unlike | null;
}

/** What two sweeps have at one size. */
export interface ComparedShare {
  size: number;
  before: RatioEstimate;
  now: RatioEstimate;
  change: ShareChange;
}

export interface ComparedSize {
  size: number;
  ci: Interval;
}

/** A size at which a strategy costs as much as `raw`; null on the side that has none. */
export interface ComparedCrossover {
  before: ComparedSize | null;
  now: ComparedSize | null;
  /** Of the size; null where one side has none. */
  change: ShareChange | null;
}

/** One strategy of a sweep, against `raw`, on one runtime over one channel. */
export interface StrategyComparison {
  payload: string;
  channel: Channel;
  report: number;
  runtime: { name: RuntimeName; before: string; now: string };
  strategy: string;
  unit: DimensionName;
  /** At the sizes that both have, ascending. */
  shares: ComparedShare[];
  /** The n-th of one against the n-th of the other. */
  crossovers: ComparedCrossover[];
  /** One of those changed, or a crossover came or went. */
  changed: boolean;
}

export interface ReportComparison {
  schema: typeof COMPARISON_SCHEMA;
  /** The first is what all others are compared with. */
  reports: ComparedReport[];
  /** None of sweeps. */
  runs: RunComparison[];
  /** Of sweeps only. */
  strategies?: StrategyComparison[];
}

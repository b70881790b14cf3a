import type { BranchCost, Profile } from './profile.ts';
import type { Loss, Plan } from './remedy.ts';
import type { Classification, Finding, Verdict } from './rule.ts';
import type { Shape } from './shape.ts';
import type { Channel, RuntimeId } from './words.ts';

export const REPORT_SCHEMA = 'clone-prof/report@1';

/** [low, high] of a 95 % interval. */
export type Interval = [number, number];

export interface Estimate {
  /** ns */
  median: number;
  ci: Interval;
}

export interface RoundTrip extends Estimate {
  p95: number;
  p99: number;
  /** How many messages were timed, in how many fresh processes. */
  samples: number;
  processes: number;
  /** Counts in equal-width bins of log10(ns), for the small histogram. */
  histogram?: { from: number; to: number; counts: number[] };
}

/** Times in ns; see design "Measuring". */
export interface Measurement {
  roundTrip: RoundTrip;
  /** How long postMessage blocks the sender. */
  send: Estimate;
  /** How long deserializing blocks the receiver; null where the channel has no such split. */
  receive: Estimate | null;
  /** First message of a fresh worker. */
  cold: { roundTrip: number };
  /** The same trip with an empty message: what no rewrite can beat. */
  floor: { roundTrip: number; send: number; receive: number | null };
  wireBytes: number | null;
  peakMemory: { bytes: number; perMessage: number; messages: number } | null;
  gc: { count: number; share: number } | null;
}

export interface RatioEstimate {
  /** New time over old time of the round trip: 0.5 is twice as fast. */
  ratio: number;
  ci: Interval;
}

export type Outcome = 'faster' | 'slower' | 'unsure' | 'refused';

export interface Trial {
  remedy: string;
  path: string;
  plan: Plan;
  equality: 'equal' | 'lossy' | 'failed';
  losses: Loss[];
  withConversion: RatioEstimate | null;
  inPlace: RatioEstimate | null;
  peakMemory: { ratio: number } | null;
  /** By `withConversion`. */
  outcome: Outcome;
  /** By `inPlace`. */
  outcomeInPlace: Outcome;
  /** Set when refused or failed: why, in words. */
  reason?: string;
}

export type AdviceAction = 'apply' | 'nothing' | 'not-the-clone' | 'unsure';

export interface Advice {
  action: AdviceAction;
  remedy: string | null;
  path: string | null;
  gain: RatioEstimate | null;
  code: string | null;
  /** True when the gain holds only if both ends already keep the data in the new form. */
  ownsBothForms?: boolean;
  /** Rewrites known to be faster only in place, or newer versions: rule ids and numbers, no prose. */
  upgrade?: { since: string; path: string } | null;
}

export interface RunError {
  code: string;
  message: string;
  path?: string;
}

/** One payload on one runtime over one channel. */
export interface Run {
  runtime: RuntimeId;
  channel: Channel;
  status: 'measured' | 'classified' | 'failed';
  error: RunError | null;
  shape: Shape | null;
  verdict: Verdict | null;
  findings: Finding[];
  /** Bytes of the message in the engine's own wire format; null where it does not tell. */
  wireBytes: number | null;
  measurement: Measurement | null;
  trials: Trial[];
  advice: Advice | null;
  /** With --profile. */
  profile?: Profile;
  /** With --by-path: the heaviest branches, the one that costs most first. */
  byPath?: BranchCost[];
}

export interface PayloadReport {
  id: string;
  source: { file: string; export: string | null };
  /** Set when the payload could not even be loaded; `runs` is empty then. */
  error: RunError | null;
  /** How many messages of the input it stands for. */
  stands?: number;
  runs: Run[];
}

export interface Machine {
  os: string;
  arch: string;
  cpu: string;
  cores: number;
  memoryBytes: number;
}

export interface Report {
  schema: typeof REPORT_SCHEMA;
  tool: { version: string };
  machine: Machine;
  seed: number;
  payloads: PayloadReport[];
}

export type { Classification };

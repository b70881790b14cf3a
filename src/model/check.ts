/** The words of the CI gate: limits, the baseline of facts, and what a check says. */
import type { CostClass, PathName } from './words.ts';

export const CHECK_SCHEMA = 'clone-prof/check@1';
export const BASELINE_SCHEMA = 'clone-prof/baseline@1';

/** All that a payload can be held to. The first eight are facts, the same on every machine; the last two are measured. */
export const LIMITS = [
  'class',
  'maxBytes',
  'maxNodes',
  'maxDepth',
  'maxAmplification',
  'lossy',
  'rejected',
  'transfer',
  'time',
  'memory',
] as const;
export type LimitName = (typeof LIMITS)[number];

export type LimitLevel = 'error' | 'warn' | 'off';

/** A limit after reading the config: units are resolved, presets merged. */
export interface Limit {
  level: LimitLevel;
  /** class: a CostClass. maxBytes: bytes. time, memory: a fraction over the baseline (0.1 = +10 %). lossy, rejected, transfer: true. */
  value: CostClass | number | true;
  /** As the user wrote it, for the words: "64 kB". */
  text: string;
}

export interface CheckEntry {
  id: string;
  input: string;
  export: string | null;
  /** Runtime specs as in the config: "node", "bun@1.4". */
  runtimes: string[];
  channels: string[];
  via: string | null;
  /** JSON paths of the buffers that the program puts on the transfer list: ["$.tile.pixels"]. */
  transfer: string[];
  limits: Partial<Record<LimitName, Limit>>;
}

export interface CheckConfig {
  /** The file it came from; null when payloads were named on the command line only. */
  file: string | null;
  /** Path of the baseline, relative to the config's folder. */
  baseline: string;
  entries: CheckEntry[];
}

/** Facts of one payload on one runtime, the same on every machine. Never milliseconds. */
export interface BaselineFacts {
  path: PathName;
  class: CostClass;
  blockers: { rule: string; path: string }[];
  /** Bytes on the wire where the engine tells, else of the JSON text. */
  bytes: number | null;
  nodes: number;
  depth: number;
  losses: { rule: string; path: string }[];
}

export interface Baseline {
  schema: typeof BASELINE_SCHEMA;
  payloads: Record<string, { runtimes: Record<string, BaselineFacts>; sample: unknown }>;
}

export type LimitOutcome = 'failed' | 'passed' | 'unsure' | 'not-measured';

export interface LimitResult {
  payload: string;
  /** Exact: "bun@1.4.5". */
  runtime: string;
  channel: string;
  limit: LimitName;
  level: LimitLevel;
  outcome: LimitOutcome;
  expected: string;
  actual: string;
  /** JSON path of what breaks the limit; null when the whole payload does. */
  path: string | null;
  /** What the baseline says, in the words of `actual`; null without a baseline. */
  was: string | null;
  /** Rule behind it, for its words and fix. */
  rule: string | null;
  /** Where the payload comes from, for annotations. */
  file: string | null;
  line: number | null;
  /** Why it is not measured or unsure. */
  reason?: string;
}

export interface CheckReport {
  schema: typeof CHECK_SCHEMA;
  passed: boolean;
  results: LimitResult[];
}

/** Types of the CI gate: limits, the baseline of facts, and the report of a check. */
import type { Channel, CostClass, LibraryName, PathName } from './names.ts';

export const CHECK_SCHEMA = 'clone-prof/check@1';
export const BASELINE_SCHEMA = 'clone-prof/baseline@1';

/** Limits on facts: the same input gives the same result on every machine. */
export const FACT_LIMITS = [
  'class',
  'maxBytes',
  'maxNodes',
  'maxDepth',
  'maxAmplification',
  'lossy',
  'rejected',
  'transfer',
] as const;
/** Limits on measurements, as a ratio to the baseline's payload in the same run. */
export const MEASURED_LIMITS = ['time', 'memory'] as const;
export const LIMITS = [...FACT_LIMITS, ...MEASURED_LIMITS] as const;
export type LimitName = (typeof LIMITS)[number];

export const LIMIT_LEVELS = ['error', 'warn', 'off'] as const;
export type LimitLevel = (typeof LIMIT_LEVELS)[number];

/** A limit after reading the config: units are resolved, presets merged. */
export interface Limit {
  level: LimitLevel;
  /**
   * class: a CostClass, or true for "no worse than the baseline". maxBytes: bytes. lossy, rejected, transfer: true.
   * With `against`, and always for time and memory: a fraction over the baseline (0.1 = +10 %).
   */
  value: CostClass | number | true;
  /** The value is relative to the baseline. */
  against?: 'baseline';
  /** As the user wrote it: "64 kB". */
  text: string;
  /** From a preset, not written by the user: a missing baseline is not a failure then. */
  preset?: true;
}

export interface CheckEntry {
  /** null: named after its file, and its export. */
  id: string | null;
  input: string;
  export: string | null;
  as: 'text' | 'bytes' | 'json' | null;
  /** Runtime specs as in the config: "node", "bun@1.4". */
  runtimes: string[];
  channels: Channel[];
  via: LibraryName | null;
  /** Paths of the buffers that the program puts on the transfer list: ["$.tile.pixels"]. */
  transfer: string[];
  limits: Partial<Record<LimitName, Limit>>;
}

export interface CheckConfig {
  /** The file it came from; null when there is none. */
  file: string | null;
  /** Folder that its paths start from. */
  folder: string;
  /** Path of the baseline, relative to the config's folder. */
  baseline: string;
  /** Defaults of a payload; `input` is empty. */
  common: CheckEntry;
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
  /** Bytes at the patterns that hold most: where a payload grew. */
  heaviest: Record<string, number>;
}

export interface BaselineSample {
  json: unknown;
  /** Runtimes (keys) where a value parsed from it takes another path than the payload: JSON keeps no hidden state. */
  notFor?: string[];
}

export interface BaselinePayload {
  /** By runtime spec as in the config ("bun@1.4"), the channel added where it is not a worker ("node ipc"). */
  runtimes: Record<string, BaselineFacts>;
  /** The payload itself, which the measured limits compare with; null when JSON cannot express it or it is too large. */
  sample: BaselineSample | null;
}

export interface Baseline {
  schema: typeof BASELINE_SCHEMA;
  payloads: Record<string, BaselinePayload>;
}

export const LIMIT_OUTCOMES = ['failed', 'passed', 'unsure', 'not-measured'] as const;
export type LimitOutcome = (typeof LIMIT_OUTCOMES)[number];

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
  /** Concrete path of the first match, where `path` is a pattern. */
  example: string | null;
  /** The value in the baseline, written like `actual`; null without a baseline. */
  was: string | null;
  /** The rule behind it. */
  rule: string | null;
  /** Where the payload comes from, for annotations. */
  file: string | null;
  line: number | null;
  /** Why it is not measured or unsure. */
  reason?: string;
}

/** A payload that could not be loaded or classified. */
export interface CheckFailure {
  payload: string;
  file: string;
  code: string;
  message: string;
}

export interface CheckReport {
  schema: typeof CHECK_SCHEMA;
  passed: boolean;
  results: LimitResult[];
  failures: CheckFailure[];
}

/** How a check is printed. */
export const CHECK_FORMATS = ['terminal', 'json', 'markdown', 'github', 'junit', 'sarif'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

/** Types of the CI gate: limits, and the report of a check. */

import type { Channel, CostClass, LibraryName, Sender } from '../names.ts';
import type { Sampled } from '../report/trial.ts';
import type { BaseCommit, Comparison } from './comparison.ts';

export const CHECK_SCHEMA = 'clone-prof/check@1';

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

/** What a result may be about: a limit, a rewrite of the config, or that payload and baseline belong together at all. */
export const CHECKED = [...LIMITS, 'remedies', 'baseline'] as const;
export type Checked = (typeof CHECKED)[number];

/** What to do with a payload that an existing baseline does not hold. */
export const NEW_POLICIES = ['error', 'ok'] as const;
export type NewPolicy = (typeof NEW_POLICIES)[number];

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
  /** The thread of a page that posts while it is measured; its main one without it. */
  sender?: Sender | undefined;
  via: LibraryName | null;
  /** Paths of the buffers that the program puts on the transfer list: ["$.tile.pixels"]. */
  transfer: string[];
  /** Rewrites that must give back an equal payload: files from the folder of the config, names of serializers. */
  remedies: string[];
  limits: Partial<Record<LimitName, Limit>>;
}

export interface CheckConfig {
  /** The file it came from; null when there is none. */
  file: string | null;
  /** Folder that its paths start from. */
  folder: string;
  /** Path of the baseline, relative to the config's folder. */
  baseline: string;
  /** Folder of the payloads that are made from recordings, relative to the config's. */
  fixtures: string;
  /** The config names the baseline, so that it must be there. */
  needsBaseline: boolean;
  new: NewPolicy;
  /** Defaults of a payload; `input` is empty. */
  common: CheckEntry;
  entries: CheckEntry[];
}

/** `unmatched`: in the baseline and no longer checked, or checked and not in the baseline. */
export const LIMIT_OUTCOMES = ['failed', 'passed', 'unsure', 'not-measured', 'unmatched'] as const;
export type LimitOutcome = (typeof LIMIT_OUTCOMES)[number];

/**
 * `class`: a CostClass. `maxBytes`: bytes. `time`, `memory`: now over before, so 1.1 for +10 %. All others: a number of
 * values, levels or times. null: not known.
 */
export type LimitFact = CostClass | number | null;

/** `samples` and `processes`: what `change` rests on, where it was measured. */
export interface LimitResult extends Sampled {
  payload: string;
  /** Exact: "bun@1.4.5"; as in the config when it was not found or not looked for. */
  runtime: string;
  channel: string;
  limit: Checked;
  level: LimitLevel;
  outcome: LimitOutcome;
  /** The limit as written in the config: "64 kB", "+10%". */
  written: string;
  /** The limit is relative to these facts; `base`: those of the other commit. */
  against: 'baseline' | 'base' | null;
  expected: LimitFact;
  actual: LimitFact;
  /** The value in the baseline or the other commit; null without one. */
  was: LimitFact;
  /** New over old, of sizes and measurements: 1.5 is half as much again. */
  change: number | null;
  /** 95 % interval of `change`, where it was measured. */
  ci?: [number, number];
  /** JSON path of what breaks the limit; null when the whole payload does. */
  path: string | null;
  /** Concrete path of the first match, where `path` is a pattern. */
  example: string | null;
  /** The rule behind it; of `remedies` the rewrite. */
  rule: string | null;
  /** Where the payload comes from, for annotations. */
  file: string | null;
  line: number | null;
  /** Why it is not measured, unsure or unmatched. */
  reason?: string;
  /** Of a payload that is not in the baseline: what the baseline has with equal facts and was not checked here. */
  alike?: string[];
}

/** A payload that could not be loaded or classified. */
export interface CheckFailure {
  payload: string;
  file: string;
  code: string;
  message: string;
}

/** The part `index` (from 1 on) of `count`. */
export interface Shard {
  index: number;
  count: number;
}

/** Facts of the baseline that were not compared. */
export interface Unchecked {
  payload: string;
  /** As in the baseline: "bun@1.4", "node ipc". */
  runtime: string;
  /** Belongs to the payloads that were asked for, so that only another shard can have checked it. */
  selected: boolean;
}

/** What all shards of one check have in common. */
export interface CheckInputs {
  /** Hash of the payloads and limits that were asked for. */
  config: string;
  /** Hash of the facts compared with, or the commit of --base; null without a baseline. */
  baseline: string | null;
  /** File of the baseline, from the folder of the config. */
  baselineFile: string;
}

export interface CheckReport {
  schema: typeof CHECK_SCHEMA;
  tool: { version: string };
  passed: boolean;
  /** null: all parts. */
  shard: Shard | null;
  inputs: CheckInputs;
  /** With --base only. */
  base?: BaseCommit;
  compared?: Comparison[];
  results: LimitResult[];
  failures: CheckFailure[];
  unchecked: Unchecked[];
}

/** How a check is printed. */
export const CHECK_FORMATS = ['terminal', 'json', 'markdown', 'github', 'junit', 'sarif'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

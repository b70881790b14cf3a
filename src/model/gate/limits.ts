/** What the CI gate can limit, and a config as it reads it. */

import type { Channel, CostClass, LibraryName, Sender } from '../names.ts';

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

/** What a result may be about: a limit, a rewrite or codec of the config, that payload and baseline belong together at all, or that the config demands what it did. */
export const CHECKED = [...LIMITS, 'remedies', 'codec', 'baseline', 'config'] as const;
export type Checked = (typeof CHECKED)[number];

/** What to do with a payload that an existing baseline does not hold. */
export const NEW_POLICIES = ['error', 'ok'] as const;
export type NewPolicy = (typeof NEW_POLICIES)[number];

/** What to do with a measured limit that is within the interval when the time ends. */
export const UNDECIDED_POLICIES = ['error', 'warn'] as const;
export type UndecidedPolicy = (typeof UNDECIDED_POLICIES)[number];

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
  /** A compiled codec that must fit the payload: a file from the folder of the config. */
  codec?: string | undefined;
  /** Its rewrites and its codec may post it as it is. */
  gain?: 'any' | undefined;
  /** Type of the payload, for --fix-codec. */
  type?: string | undefined;
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
  undecided: UndecidedPolicy;
  /** Defaults of a payload; `input` is empty. */
  common: CheckEntry;
  entries: CheckEntry[];
}

/** `unmatched`: in the baseline and no longer checked, or checked and not in the baseline. */
export const LIMIT_OUTCOMES = ['failed', 'passed', 'unsure', 'not-measured', 'unmatched'] as const;
export type LimitOutcome = (typeof LIMIT_OUTCOMES)[number];

/** How a check is printed. */
export const CHECK_FORMATS = [
  'terminal',
  'json',
  'markdown',
  'github',
  'junit',
  'sarif',
  'benchmark',
] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

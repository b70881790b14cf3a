/** The facts that a check compares with. */
import type { CostClass, PathName } from '../names.ts';

export const BASELINE_SCHEMA = 'clone-prof/baseline@1';

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
  /** Its texts were replaced by others of the same sizes. */
  masked?: true;
  /** Runtimes (keys) where a value parsed from it takes another path than the payload: JSON keeps no hidden state. */
  notFor?: string[];
}

export interface BaselinePayload {
  /** By runtime spec as in the config ("bun@1.4"), the channel added where it is not a worker ("node ipc"). */
  runtimes: Record<string, BaselineFacts>;
  /** With --samples: the payload itself, which the limits `time` and `memory` need. Not where JSON cannot express it. */
  sample?: BaselineSample | null;
}

export interface Baseline {
  schema: typeof BASELINE_SCHEMA;
  payloads: Record<string, BaselinePayload>;
}

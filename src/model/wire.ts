/**
 * All that host and guest say to each other: one JSON object a line over a loopback connection that the guest opens
 * (never stdout: user code prints there). Host asks, guest answers with the same `id`, in order.
 */

import type { ErrorCode, ErrorFacts } from './errors.ts';
import type { BranchBytes, Profiled } from './profile.ts';
import type { Recipe } from './recipe.ts';
import type { Loss, Plan } from './remedy.ts';
import type { Shape } from './shape.ts';
import type { Dimension } from './sweep.ts';
import type { Channel, EngineName, PathName, RuntimeName } from './words.ts';

/** Environment variable that carries "port:token" to the guest; the guest deletes it before user code loads. */
export const LINK_ENV = 'CLONE_PROF_LINK';

export interface Hello {
  type: 'hello';
  token: string;
  runtime: { name: RuntimeName; version: string; engine: EngineName; engineVersion: string };
  /** What this guest can do. */
  can: { natives: boolean; oracle: boolean; gc: boolean };
}

/** What the engine itself says it did with a posted value. */
export interface Confirmation {
  /** `null` when the oracle does not answer for such a value. */
  path: PathName | null;
  /** jsc: 'fast' | 'slow' from the cost of the message; v8: root tag. */
  evidence: string;
  /** Per pattern: what the oracle saw there, for nested arrays and strings (v8 tags) or hidden state (jsc). */
  at: { pattern: string; example: string; saw: string }[];
  /** Concrete paths of objects whose hidden state (delete history, #brand) keeps them off the fast path. */
  hidden: string[];
}

/** One thing to be timed in turn. */
export interface Variant {
  /** "floor", "original", "json-text@$/with-conversion", ... unique in one request. */
  id: string;
  remedy: string | null;
  plan: Plan | null;
  /** `without`: the payload less the branch at `plan.path`. */
  mode: 'floor' | 'original' | 'in-place' | 'with-conversion' | 'without';
  /** Another payload than that of the request: a payload against what it was before. */
  recipe?: Recipe;
}

/** How messages are offered: always so many on the way, or so many a second whatever became of the earlier ones. */
export type LoadOffer = { window: number } | { perSecond: number };

export type GuestRequest =
  /** List the payloads behind a source: exports of a module, groups of lines of an NDJSON file. */
  | { type: 'open'; recipe: Recipe; exports: string[] | null }
  /**
   * Materialize, describe and confirm. Confirming posts or serializes the payload once for real; 'when-cheap' leaves
   * it out where that would take longer than all the rest.
   */
  | { type: 'describe'; recipe: Recipe; channel: Channel; confirm: boolean | 'when-cheap' }
  /** Prove each plan: apply, clone, restore, compare on fresh values. */
  | { type: 'prove'; recipe: Recipe; plans: { remedy: string; plan: Plan }[] }
  /** Time the variants in turns for `sliceMs`; one fresh worker. */
  | {
      type: 'measure';
      recipe: Recipe;
      channel: Channel;
      variants: Variant[];
      sliceMs: number;
      warmupMs: number;
      minRounds: number;
      maxRounds: number;
      seed: number;
    }
  /** Materialize and look for what can be scaled. */
  | { type: 'dimensions'; recipe: Recipe }
  /**
   * Profile both threads during round trips of the payload as it is, for `ms`. Files go to `folder` (absolute, exists)
   * and begin with `name`.
   */
  | { type: 'profile'; recipe: Recipe; channel: Channel; ms: number; folder: string; name: string }
  /** Wire bytes of the payload, and of the payload without each of these branches. */
  | { type: 'branch-bytes'; recipe: Recipe; paths: string[] }
  /** The payload as JSON text, which the host may keep; null when it is longer or more than JSON can say. */
  | { type: 'sample'; recipe: Recipe; mostBytes: number }
  /** What so many messages of this variant add to the memory of the process while they are in flight. */
  | { type: 'memory'; recipe: Recipe; channel: Channel; variant: Variant; messages: number }
  /** The payload as it is, under load for `ms`: the peer takes each message and says so with an empty one. */
  | { type: 'load'; recipe: Recipe; channel: Channel; offer: LoadOffer; ms: number; mostWaiting: number }
  | { type: 'exit' };

export type NumberedRequest = GuestRequest & { id: number };

export interface Opened {
  type: 'opened';
  payloads: Recipe[];
  /** Things worth a word on stderr: "export `config` is undefined", "3,120 further lines of 12 rarer shapes". */
  notes: string[];
  /** Parts that are no payload, each an error of its own: malformed lines of an NDJSON file. */
  failed?: { id: string; code: ErrorCode; facts: ErrorFacts }[];
}

export interface Described {
  type: 'described';
  shape: Shape;
  confirmation: Confirmation | null;
  /** Bytes on the wire, from the engine's own serializer, where asked for and possible. */
  wireBytes: number | null;
  /** Set when the real post was refused by the engine: message of the DataCloneError. */
  rejected: string | null;
}

export interface Proof {
  remedy: string;
  plan: Plan;
  equality: 'equal' | 'lossy' | 'failed' | 'refused';
  losses: Loss[];
  reason: string | null;
}

export interface Proved {
  type: 'proved';
  proofs: Proof[];
}

/** Samples of one variant in one process, in the order taken. All in ns, nothing dropped. */
export interface SampleSet {
  variant: string;
  roundTrip: number[];
  send: number[];
  receive: number[];
  /** First message of this process, ns; null for variants that were not first. */
  cold: number | null;
  error: string | null;
}

export interface Measured {
  type: 'measured';
  sets: SampleSet[];
  rounds: number;
  gc: { count: number; share: number } | null;
}

export interface Dimensions {
  type: 'dimensions';
  /** The largest place of each kind, the largest of all first. */
  found: Dimension[];
}

export interface SampleText {
  type: 'sample';
  json: string | null;
}

/** Memory of messages in flight: wire and results together, what is sent not counted. */
export interface MemoryUse {
  type: 'occupied';
  /** High-water mark of the process beyond that of the same run with empty messages, never negative. */
  bytes: number;
  perMessage: number;
  /** Fewer than asked for where each needs a value of its own that is slow to build. */
  messages: number;
  /** High-water mark of the run with empty messages; already taken off. */
  baselineBytes: number;
}

/** One run under load. All times in ns. */
export interface LoadResult {
  type: 'loaded';
  /** From the moment a message was due (not: was sent) to its acknowledgement, in the order they were due. */
  latency: number[];
  /** Acknowledged by the end, and how long that took. */
  messages: number;
  elapsed: number;
  /** Messages due but not acknowledged, looked at in even steps of time from the beginning to the end. */
  waiting: number[];
  /** True when the run ended early, because `mostWaiting` messages waited. */
  flooded: boolean;
}

export interface Failed {
  type: 'failed';
  code: string;
  message: string;
  /** Facts of a ToolError, from which the host makes the same error again. */
  facts?: ErrorFacts;
  path?: string;
  stack?: string;
}

/** What each question is answered with, if not with Failed. */
interface Answers {
  open: Opened;
  describe: Described;
  prove: Proved;
  measure: Measured;
  dimensions: Dimensions;
  sample: SampleText;
  memory: MemoryUse;
  load: LoadResult;
  profile: Profiled;
  'branch-bytes': BranchBytes;
  exit: never;
}

export type AnswerTo<K extends GuestRequest['type']> = Answers[K];
export type Answer = (AnswerTo<GuestRequest['type']> | Failed) & { id: number };
/** Sent at will between a request and its answer. */
export interface Progress {
  type: 'progress';
  id: number;
  done: number;
  of: number;
  what: string;
}

export type FromGuest = Hello | Answer | Progress;

/**
 * All messages between host and guest. For processes: one JSON object a line over a loopback connection that the guest
 * opens (never stdout, where user code prints). The host asks; the guest answers with the same `id`, in order.
 */

import type { PageClock } from '../documents/measurement.ts';
import type { RuntimeId } from '../documents/names.ts';
import type { PayloadSchema } from '../documents/payload-schema.ts';
import type { Dimension } from '../documents/sweep.ts';
import type { Loss, Plan } from '../documents/trial.ts';
import type { ErrorCode, ErrorFacts } from '../errors.ts';
import type { Channel, Sender } from '../names.ts';
import type { Recipe } from '../report/recipe.ts';
import type { LossesFound } from '../rules/loss.ts';
import type { TriedFacts } from '../rules/tried.ts';
import type { Described, DescribeRequest } from './describe-request.ts';
import type { LoadOffer, LoadResult } from './load.ts';
import type { BranchBytes, Profiled } from './profiled.ts';
import type { Progress } from './stage.ts';

/** Environment variable with "port:token" for the guest, which deletes it before user code loads. */
export const LINK_ENV = 'CLONE_PROF_LINK';

export interface Hello {
  type: 'hello';
  token: string;
  runtime: RuntimeId;
}

/** What is timed: the floor, the original, or a rewrite. */
export interface Variant {
  /** "floor", "original", "json-text@$/with-conversion", ... unique in one request. */
  id: string;
  remedy: string | null;
  plan: Plan | null;
  /** `without`: the payload without the branch at `plan.path`. */
  mode: 'floor' | 'original' | 'in-place' | 'with-conversion' | 'without';
  /** Another payload than the request's, to compare two payloads. */
  recipe?: Recipe;
}

export type GuestRequest =
  /** List the payloads of a source: exports, or groups of NDJSON lines, the largest; `worst`: all, by their largest lines. */
  | { type: 'open'; recipe: Recipe; exports: string[] | null; worst?: boolean }
  | DescribeRequest
  /** Post the payload for real and compare what arrives with it. */
  | { type: 'losses'; recipe: Recipe; channel: Channel }
  /** Prove each plan: apply, clone, restore, compare on fresh values. */
  | { type: 'prove'; recipe: Recipe; channel?: Channel; plans: { remedy: string; plan: Plan }[] }
  /** The schema of all these payloads together; `line: 0` of an NDJSON file: of all its lines. */
  | { type: 'schema'; recipes: Recipe[] }
  /** Time the variants in turns for `sliceMs`, with one fresh worker. */
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
      /** Ids of the variants whose send and receive are timed too; all without it. */
      oneWay?: string[];
      /** Turns of the original in each round; 1 without it. */
      originalTurns?: number;
      /** A variant whose fastest message took so many times the original's fastest gets no further turns. */
      dropBeyond?: number;
    }
  /** Materialize and find what can be scaled. */
  | { type: 'dimensions'; recipe: Recipe }
  /** Profile both threads during round trips of the original, for `ms`, into files `<name>*` of `folder` (absolute). */
  | { type: 'profile'; recipe: Recipe; channel: Channel; ms: number; folder: string; name: string }
  /** Wire bytes of the payload, and of the payload without each of these branches. */
  | { type: 'branch-bytes'; recipe: Recipe; paths: string[] }
  /** The payload as JSON text for the host to store; null when it is longer, or when JSON cannot express it. */
  | { type: 'sample'; recipe: Recipe; mostBytes: number }
  /** Memory that messages of this variant add to the process while they are in flight. */
  | { type: 'memory'; recipe: Recipe; channel: Channel; variant: Variant; messages: number }
  /** The original under load for `ms`: the peer receives each message and acknowledges it with an empty one. */
  | { type: 'load'; recipe: Recipe; channel: Channel; offer: LoadOffer; ms: number; mostWaiting: number }
  | { type: 'exit' };

/** The request of one type: `RequestOf<'measure'>`. */
export type RequestOf<K extends GuestRequest['type']> = Extract<GuestRequest, { type: K }>;

/** `sender`: the thread that answers; the main one without it. */
export type NumberedRequest = GuestRequest & { id: number; sender?: Sender };

export interface Opened {
  type: 'opened';
  payloads: Recipe[];
  /** For stderr: "export `config` is undefined", "3,120 further lines of 12 rarer shapes". */
  notes: string[];
  /** Errors of parts that are not payloads: malformed lines of an NDJSON file, exports that throw. */
  failed?: { id: string; code: ErrorCode; facts: ErrorFacts }[];
}

export interface Proof {
  remedy: string;
  plan: Plan;
  equality: 'equal' | 'lossy' | 'failed' | 'refused';
  losses: Loss[];
  reason: string | null;
  /** Facts about a rewrite that the user wrote. */
  about?: TriedFacts;
  /** Paths of what does not fit a codec. */
  misses?: string[];
}

export interface Proved {
  type: 'proved';
  proofs: Proof[];
}

export interface SchemaMade {
  type: 'schema-made';
  /** Null where one cannot be cloned, or has too many kinds of records. */
  schema: PayloadSchema | null;
  /** Which of the recipes cannot be cloned, and why. */
  uncloned?: { recipe: number; reason: string };
}

/** Samples of one variant in one process, in the order taken, in ns a message. Nothing is dropped. */
export interface SampleSet {
  variant: string;
  roundTrip: number[];
  send: number[];
  receive: number[];
  /** First message of the process, ns; null for variants that were not first. */
  cold: number | null;
  error: string | null;
  /** Messages in one round trip sample: more where the clock is too coarse for one; 1 if absent. */
  messages?: number;
}

export interface Measured {
  type: 'measured';
  sets: SampleSet[];
  rounds: number;
  gc: { count: number; share: number } | null;
  page?: PageClock;
}

export interface Dimensions {
  type: 'dimensions';
  /** The largest of each kind, the largest of all first. */
  found: Dimension[];
}

export interface SampleText {
  type: 'sample';
  json: string | null;
}

/** Memory of messages in flight: wire and received values together, without the posted values. */
export interface MemoryUse {
  type: 'memory-use';
  /** Peak of the process minus that of the same run with empty messages, never negative. */
  bytes: number;
  perMessage: number;
  /** Fewer than requested where each needs a value of its own that is slow to build. */
  messages: number;
  /** Peak of the run with empty messages, which is already subtracted. */
  baselineBytes: number;
}

export interface Failed {
  type: 'failed';
  code: string;
  message: string;
  /** Facts of a ToolError, from which the host creates the same error. */
  facts?: ErrorFacts;
  path?: string;
  stack?: string;
}

/** The answer to each request, unless it failed. */
interface AnswerTypes {
  open: Opened;
  describe: Described;
  losses: LossesFound;
  prove: Proved;
  schema: SchemaMade;
  measure: Measured;
  dimensions: Dimensions;
  sample: SampleText;
  memory: MemoryUse;
  load: LoadResult;
  profile: Profiled;
  'branch-bytes': BranchBytes;
  exit: never;
}

export type AnswerTo<K extends GuestRequest['type']> = AnswerTypes[K];
export type Answer = (AnswerTo<GuestRequest['type']> | Failed) & { id: number };
export type FromGuest = Hello | Answer | (Progress & { id: number });
/** The first message is the key of the guest's signatures. */
export type FromHost = { key: [number, number] } | NumberedRequest;

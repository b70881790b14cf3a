/**
 * All messages between host and guest. Processes use one JSON object per line over a loopback connection that the guest
 * opens (never stdout, since user code prints there). The host sends requests; answers have the same `id`, in order.
 */

import type { Plan } from '../documents/trial.ts';
import type { Channel, EngineName, Sender } from '../names.ts';
import type { Recipe } from '../report/recipe.ts';
import type { AnswerTo, Failed, Hello } from './answers.ts';

export type * from './answers.ts';

/** Environment variable with "port:token" for the guest, which deletes it before user code loads. */
export const LINK_ENV = 'CLONE_PROF_LINK';
/** Behind the address in LINK_ENV: the guest hides what tells user code that it is one. */
export const HIDDEN = 'hidden';

export interface Variant {
  /** "floor", "original", "json-text@$/with-conversion", ...; unique in one request. */
  id: string;
  remedy: string | null;
  plan: Plan | null;
  /**
   * `without`: the payload without the branch at `plan.path`. `other-channel`: the payload over `channel`.
   * `after-receiving`: a value built after its thread has received one. It is last, as later values are built so, too.
   */
  mode:
    | ('floor' | 'original' | 'in-place' | 'with-conversion' | 'without')
    | ('other-channel' | 'after-receiving');
  /** Recipe to use instead of the request's, to compare two payloads. */
  recipe?: Recipe;
  /** Channel to use instead of the request's, to compare two channels: its peer is another process. */
  channel?: Channel;
}

/** Confirms the description by a real post. */
export interface DescribeRequest {
  type: 'describe';
  recipe: Recipe;
  channel: Channel;
  /** 'when-cheap' omits the confirmation if it would take longer than the rest. */
  confirm: boolean | 'when-cheap';
  /** True: also check if a second build gives a different value. */
  twice?: boolean;
  /** Instead of `twice`: number of further builds, to check if the facts change. */
  calls?: number;
  /** Engine whose storage is assumed in the description; it need not be the running engine. */
  assume?: EngineName;
}

export type GuestRequest =
  /** List the payloads of a source: exports, or the largest groups of NDJSON lines; `worst`: all, by largest line. */
  | { type: 'open'; recipe: Recipe; exports: string[] | null; worst?: boolean }
  | DescribeRequest
  /** Post the payload for real and compare the received value, unless it is moved; `twice`: two of it in a list. */
  | { type: 'losses'; recipe: Recipe; channel: Channel; twice?: boolean }
  /** Prove a rewrite: apply, clone, restore, compare on fresh values. */
  | { type: 'prove'; recipe: Recipe; channel?: Channel; remedy: string; plan: Plan }
  /** The schema of all these payloads together; `line: 0` means all lines of an NDJSON file. */
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
      /** Ids of the variants whose send and receive are timed too; default: all. */
      oneWay?: string[];
      /** Turns of the original in each round; default: 1. */
      originalTurns?: number;
      /** A rewrite gets no further turns if its fastest message took this many times the original's fastest. */
      dropBeyond?: number;
    }
  | { type: 'dimensions'; recipe: Recipe }
  /** Profile both threads during round trips of the original, for `ms`, into files `<name>*` of `folder` (absolute). */
  | { type: 'profile'; recipe: Recipe; channel: Channel; ms: number; folder: string; name: string }
  | { type: 'branch-bytes'; recipe: Recipe; paths: string[] }
  /** The payload as JSON text for the host to store; null if it is longer, or if JSON cannot express it. */
  | { type: 'sample'; recipe: Recipe; mostBytes: number }
  /** Memory that messages of this variant add to the process while they are in flight. */
  | { type: 'memory'; recipe: Recipe; channel: Channel; variant: Variant; messages: number }
  | { type: 'exit' };

export type RequestOf<K extends GuestRequest['type']> = Extract<GuestRequest, { type: K }>;

/** `sender`: the thread that answers; default: the main thread. */
export type NumberedRequest = GuestRequest & { id: number; sender?: Sender };

/** Stages of a request. The error of a missed deadline names the stage. */
export const STAGES = ['build', 'describe', 'confirm', 'peer', 'measure'] as const;
export type Stage = (typeof STAGES)[number];

/** Sent when a stage begins, before the answer to the request. */
export interface Progress {
  type: 'progress';
  stage: Stage;
}

export type Answer = (AnswerTo<GuestRequest['type']> | Failed) & { id: number };
export type FromGuest = Hello | Answer | (Progress & { id: number });

/** One end of the connection between host and guest. Each transport has its own two ends. */
export interface Link<Sent, Received> {
  send(message: Sent): void;
  /** Set once by the receiver. Messages that arrive earlier are lost. */
  onMessage: (message: Received) => void;
  /** Nothing arrives any more. The reason is set if data came that is no message of the other end. */
  readonly closed: Promise<string | null>;
  close(): void;
}

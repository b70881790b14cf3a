/**
 * All messages between host and guest. For processes: one JSON object a line over a loopback connection that the guest
 * opens (never stdout, where user code prints). The host asks; the guest answers with the same `id`, in order.
 */

import type { Report } from '../documents/report.ts';
import type { Plan } from '../documents/trial.ts';
import type { Channel, EngineName, Sender } from '../names.ts';
import type { Recipe } from '../report/recipe.ts';
import type { AnswerTo, Failed, Hello } from './answers.ts';

export type * from './answers.ts';

/** Environment variable with "port:token" for the guest, which deletes it before user code loads. */
export const LINK_ENV = 'CLONE_PROF_LINK';

/** What is timed: the floor, the original, or a rewrite. */
export interface Variant {
  /** "floor", "original", "json-text@$/with-conversion", ... unique in one request. */
  id: string;
  remedy: string | null;
  plan: Plan | null;
  /**
   * `without`: the payload without the branch at `plan.path`. `other-channel`: the payload over `channel`. `after-receiving`: a
   * value that is built when its thread has received one. It comes last, as what is prepared after it would be one too.
   */
  mode:
    | ('floor' | 'original' | 'in-place' | 'with-conversion' | 'without')
    | ('other-channel' | 'after-receiving');
  /** Another payload than the request's, to compare two payloads. */
  recipe?: Recipe;
  /** Another channel than the request's, to compare two channels: the peer there is another process. */
  channel?: Channel;
}

/** Materialize, describe and confirm by posting once. */
export interface DescribeRequest {
  type: 'describe';
  recipe: Recipe;
  channel: Channel;
  /** 'when-cheap' omits that where it would take longer than the rest. */
  confirm: boolean | 'when-cheap';
  /** Also find out whether building it again gives another value. */
  twice?: boolean;
  /** Instead: build it so many times more, and find out whether its facts change. */
  calls?: number;
  /** Describe it as this engine would store it, which need not be the running one. */
  assume?: EngineName;
}

export type GuestRequest =
  /** List the payloads of a source: exports, or groups of NDJSON lines, the largest; `worst`: all, by their largest lines. */
  | { type: 'open'; recipe: Recipe; exports: string[] | null; worst?: boolean }
  | DescribeRequest
  /** Post the payload for real and compare what arrives with it, unless it is moved; `twice`: in a list, two times. */
  | { type: 'losses'; recipe: Recipe; channel: Channel; twice?: boolean }
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
      /** A rewrite whose fastest message took so many times the original's fastest gets no further turns. */
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
  | { type: 'exit' };

/** The request of one type: `RequestOf<'measure'>`. */
export type RequestOf<K extends GuestRequest['type']> = Extract<GuestRequest, { type: K }>;

/** `sender`: the thread that answers; the main one without it. */
export type NumberedRequest = GuestRequest & { id: number; sender?: Sender };

/** What a guest is doing within a request. When a deadline passes, the error says at what. */
export const STAGES = ['build', 'describe', 'confirm', 'peer', 'measure'] as const;
export type Stage = (typeof STAGES)[number];

/** Sent when a stage begins, before the answer to the request. */
export interface Progress {
  type: 'progress';
  stage: Stage;
}

export type Answer = (AnswerTo<GuestRequest['type']> | Failed) & { id: number };
export type FromGuest = Hello | Answer | (Progress & { id: number });

/** What a page shows, if somebody looks at it. */
export interface PageView {
  status: string;
  /** What is known so far. */
  report: Report | null;
  /** Nothing more will come. */
  over: boolean;
}

/** What is sent to a page. */
export type ToPage = NumberedRequest | { view: PageView };

/**
 * One end of the connection between host and guest: a socket for process runtimes. A kind of runtime with another
 * transport brings both ends: the host's with its driver, the guest's in `guest/link/`.
 */
export interface Link<Sent, Received> {
  send(message: Sent): void;
  /** Set once by the receiver. Earlier messages are lost. */
  onMessage: (message: Received) => void;
  /**
   * Resolves when no more messages will arrive, whichever side closed the link; with the reason when what arrived was
   * not from the other end, or not a message.
   */
  readonly closed: Promise<string | null>;
  close(): void;
}

import type { CodecSchema, PayloadSchema } from '../documents/payload-schema.ts';
import type { Shape } from '../documents/shape.ts';
import type { Assumption, Plan } from '../documents/trial.ts';
import type { Channel, FileContent, LibraryName } from '../names.ts';
import type { Classification } from './rule.ts';

/** What the user's program posts through: the library where it uses one, else the channel. */
export interface CallTarget {
  channel: Channel;
  via: LibraryName | null;
}

/** What plans are made from, beside the shape. */
export interface ProposalFacts extends Classification {
  /** Over which it is posted; absent: one that clones. */
  channel?: Channel;
  /** With --assume-integers: lists of integers are as wide as those of the sample. */
  assumeIntegers?: boolean;
  /** A view of the message is timed too. */
  withView?: boolean;
  /** What is posted; null where it has too many kinds of records, or was not asked for. */
  schema?: PayloadSchema | null;
  /** Name of the payload, from which its code takes names. */
  id?: string;
  /** Objects of this class of the platform are moved there, where they are in the transfer list; none without it. */
  moves?: (className: string) => boolean;
  /** It is one of a sequence: the recipe says which. */
  isSequence?: boolean;
}

/** A remedy as functions of the user's own. Types stand in comments: code/dialect.ts makes either language of it. */
export interface Codec {
  /** `toMessage`, `fromMessage` and `transferList`, as far as there are such, and what they call. */
  source: string;
  /** The part of it that is made for the payload; absent where all is. What it calls can be in a module of its own. */
  own?: string;
  /** The lines that call them. */
  calls: { sender: string; receiver: string };
  /** Type of the messages, in terms of `Payload`. */
  messageType: string;
  /** Declarations of what `Payload` holds, and last of itself, in TypeScript; absent where they are made from the shape. */
  types?: string[];
  /** Further ones, in terms of `Payload` and `Message`. */
  declares?: readonly string[];
  /** A payload that does not fit these is sent as it is. */
  assumes: Assumption[];
  /** `fromMessage` is asynchronous. */
  isAwaited?: true;
  /** What it is compiled from: the last lines of its module. */
  madeOf?: CodecSchema;
}

/** A rewrite with both directions. Pure functions that run in every runtime; `apply` never mutates its input. */
export interface Remedy {
  /** "json-text" */
  name: string;
  /** "send one JSON text" */
  title: string;
  /** Plans worth trying for this payload, best first; empty when it does not apply. Pure; sees facts, not the value. */
  plans(shape: Shape, facts: ProposalFacts): Plan[];
  /** It changes memory and its views, for which JSON has no notation: over channels that carry it, there is nothing to gain. */
  ofMemory?: true;
  /** Its messages say what has changed since the one before: it is proven and timed on a sequence, and keeps state by its plan. */
  ofSequence?: true;
  /** Compiles its code before the first message. @throws as `apply` */
  compile?(plan: Plan): void;
  /** Runs its code once, in both directions. It is called until engines have compiled it: what is timed are warm messages. */
  warmUp?(value: unknown, plan: Plan): void;
  /** value -> message to post. Must not mutate `value`; throws RemedyRefused when this value cannot be rewritten. */
  apply(value: unknown, plan: Plan): unknown;
  /** message as received -> value equal to the original; a promise of it where `isAwaited`. */
  restore(message: unknown, plan: Plan): unknown;
  /** `restore` reads what the engine gives later only, such as the bytes of a Blob: for channels whose reader waits anyway. */
  isAwaited?: true;
  /** What the receiver does with a message, where that is less than to restore the value. */
  receive?(message: unknown, plan: Plan): unknown;
  /** Objects to put in the transfer list of `message`. They are detached by sending: a new value per message. */
  transfer?(message: unknown, plan: Plan): object[];
  /** Words for `Plan.form`: "typed". */
  forms?: Readonly<Record<string, string>>;
  /** What it costs beside time, also where the receiver gets an equal value: "the sender loses what is transferred". */
  costs?: readonly string[];
  /** What a file holds of its message; absent: 'serialized'. */
  content?(plan: Plan): FileContent;
  /** Code to paste, for the paths of this payload, with the call of the library or channel; by default a worker's. */
  code(plan: Plan, target?: CallTarget): { sender: string; receiver: string };
  /** The same as a module; absent for a remedy that is not generated code. */
  codec?(plan: Plan, target?: CallTarget): Codec;
}

/** In a report: without the schema, which the run has. */
export function withoutSchema(plan: Plan): Plan {
  const { schema: _, ...rest } = plan;
  return rest;
}

/** Thrown by `apply` when a value cannot be rewritten without breaking it: a result (`refused`), not a crash. */
export class RemedyRefused extends Error {
  override name = 'RemedyRefused';
}

import type { CodecSchema, PayloadSchema } from '../documents/payload-schema.ts';
import type { Shape } from '../documents/shape.ts';
import type { Assumption, Plan } from '../documents/trial.ts';
import type { Channel, FileContent, LibraryName } from '../names.ts';
import type { Classification } from './rule.ts';

/** The target of the program's post call: its library if it uses one, else the channel. */
export interface CallTarget {
  channel: Channel;
  via: LibraryName | null;
}

export interface CallCode {
  message: string;
  /** Expression of the transfer list, which may refer to `message`; null for posts without one. */
  transferList?: string | null;
  payload: string;
  /** Content of a file that stores the message; absent: 'serialized'. */
  content?: FileContent | undefined;
}

/** Facts that plans are made from, in addition to the shape. */
export interface ProposalFacts extends Classification {
  channel?: Channel;
  /** Set by --assume-integers: lists of integers never need more bits than in the sample. */
  assumeIntegers?: boolean;
  withView?: boolean;
  /** Schema of the payload; null if it was not requested, or has too many kinds of records. */
  schema?: PayloadSchema | null;
  id?: string;
  /** True if the channel moves listed objects of this platform class; absent: nothing is moved. */
  moves?: (className: string) => boolean;
  isSequence?: boolean;
}

/** A remedy as functions for the user. Types are in comments: code/javascript.ts makes TypeScript or JavaScript of it. */
export interface Codec {
  /** Functions `toMessage`, `fromMessage` and `transferList`, as needed, and the functions that they call. */
  source: string;
  /** The part that is specific to the payload; absent if all of it is. The rest can be a shared module. */
  own?: string;
  calls: { sender: string; receiver: string };
  messageType: string;
  /** TypeScript declarations of the types in `Payload`, followed by `Payload`; absent if the schema gives them. */
  types?: string[];
  declares?: readonly string[];
  assumes: Assumption[];
  isAwaited?: true;
  /** Source of a compiled codec, stored in the last lines of its module. */
  madeOf?: CodecSchema;
}

/** A rewrite with both directions: pure functions that run in every runtime. */
export interface Remedy {
  name: string;
  /** "send one JSON text" */
  title: string;
  /** Plans worth trying for this payload, best first; empty if it does not apply. Pure; never sees the value. */
  plans(shape: Shape, facts: ProposalFacts): Plan[];
  /** It changes memory and views, which JSON cannot express: over JSON channels it gains nothing. */
  ofMemory?: true;
  /** Each message holds changes since the previous one: it is proven on a sequence, and keeps state by plan. */
  ofSequence?: true;
  /** Compiles its code before the first message. @throws as `apply` */
  compile?(plan: Plan): void;
  /** Runs the code in both directions. It is called until engines have compiled it, so that timing sees warm code. */
  warmUp?(value: unknown, plan: Plan): void;
  /** Payload to message, without a change of `value`. @throws RemedyRefused if this value cannot be rewritten */
  apply(value: unknown, plan: Plan): unknown;
  /** Received message to a value that equals the payload; a promise of it if `isAwaited`. */
  restore(message: unknown, plan: Plan): unknown;
  /** `restore` reads data that the engine delivers later, such as a Blob's bytes: for readers that wait anyway. */
  isAwaited?: true;
  /** Work of a receiver that does not restore the whole value. */
  receive?(message: unknown, plan: Plan): unknown;
  /** Objects to put in the transfer list of `message`. Sending detaches them, so a message needs a new value. */
  transfer?(message: unknown, plan: Plan): object[];
  forms?: Readonly<Record<string, string>>;
  /** Costs other than time, even if the receiver gets an equal value: "the sender loses what is transferred". */
  costs?: readonly string[];
  /** Content of a file that stores its message; absent: 'serialized'. */
  content?(plan: Plan): FileContent;
  /** The code as a module, for the paths of this payload, with the calls of the library or channel (a worker's). */
  codec(plan: Plan, target?: CallTarget): Codec;
}

export function withoutSchema(plan: Plan): Plan {
  const { schema: _, ...rest } = plan;
  return rest;
}

/** Thrown by `apply` when a value cannot be rewritten without breaking it: a result (`refused`), not a crash. */
export class RemedyRefused extends Error {
  override name = 'RemedyRefused';
}

export interface TriedCalls extends CallCode {
  imports: { from: string; sender: string; receiver: string };
  transferList: string | null;
  comment?: string;
}

/** An argument of `--try`: a module of the user with `apply` and `restore`, or an installed serializer. */
export interface TriedRewrite {
  /** Name in reports: the module's path as the user wrote it, or the name of the serializer. */
  name: string;
  title: string;
  /** Absolute path of the file that guests import: a wrapper for a serializer, esbuild's output for TypeScript. */
  file: string;
  source?: string;
  /** Set for a codec, which exports `toMessage` and `fromMessage`. */
  isCodec?: true;
  /** Null for a module, because only a guest can see how it exports its functions. */
  calls: TriedCalls | null;
}

/** The plan of such a rewrite, on its way to a guest. A report has `shownPlan` instead. */
export const planOf = (tried: TriedRewrite): Plan & { tried: TriedRewrite } => ({ path: '$', tried });

export const triedIn = (plan: (Plan & { tried?: TriedRewrite }) | null): TriedRewrite | null =>
  plan?.tried ?? null;

/** For a report: without paths of this machine. */
export function shownPlan(plan: Plan): Plan {
  const tried = triedIn(plan);
  return tried === null ? withoutSchema(plan) : { path: plan.path, module: tried.name, title: tried.title };
}

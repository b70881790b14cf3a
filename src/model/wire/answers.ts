/** What a guest answers about a run, and when it fails. The types are inferred from the checks of the host. */
import type { Answers, PageClock } from '../documents/measurement.ts';
import type { RuntimeId } from '../documents/names.ts';
import type { HotSpot, Profile } from '../documents/profile.ts';
import { type ErrorCode, type ErrorFacts, FACT_NUMBERS, FACT_TEXTS, MESSAGES } from '../error-messages.ts';
import { BRANDS, ENGINE_NAMES, RUNTIME_NAMES } from '../names.ts';
import type { Recipe, RecipeForm } from '../report/recipe.ts';
import { PROFILERS, SIDES, WORKS } from '../vocabulary/profile.ts';
import { described, dimensions, lossesFound, proved, schemaMade } from './payload-answers.ts';
import {
  boolean,
  type Check,
  exact,
  fail,
  list,
  literal,
  nullable,
  number,
  numbers,
  object,
  oneOf,
  optional,
  text,
  typed,
} from './schema.ts';

/** What a guest sends before user code loads. */
export type Hello = ReturnType<typeof hello>;
export const hello = object({
  type: literal('hello'),
  token: exact,
  runtime: typed<RuntimeId>({
    name: oneOf(RUNTIME_NAMES),
    brand: optional(oneOf(BRANDS)),
    version: text,
    engine: oneOf(ENGINE_NAMES),
  }),
});

const errorCode = oneOf(Object.keys(MESSAGES) as ErrorCode[]);

/** Their texts are cut by ToolError. */
const errorFacts: Check<ErrorFacts> = object({
  ...Object.fromEntries(FACT_TEXTS.map((name) => [name, optional(exact)])),
  ...Object.fromEntries(FACT_NUMBERS.map((name) => [name, optional(number)])),
  names: optional(list(exact)),
});

export type Failed = ReturnType<typeof failed>;
export const failed = object({
  type: literal('failed'),
  code: exact,
  message: exact,
  /** Facts of a ToolError, from which the host creates the same error. */
  facts: optional(errorFacts),
  path: optional(exact),
  stack: optional(exact),
});

const exported = object({ export: exact });
const line = object({ line: number, offset: number, length: number });

/** The guest lists what is in the file that it was asked about: exports, or lines. */
function partOf(build: RecipeForm): Check<RecipeForm> {
  if (build.form === 'module') return (value) => ({ ...build, ...exported(value) });
  return build.form === 'ndjson' ? (value) => ({ ...build, ...line(value) }) : () => build;
}

export type Opened = ReturnType<ReturnType<typeof opened>>;
function opened(recipe: Recipe) {
  const source = typed<Recipe['source']>({
    file: () => recipe.source.file,
    export: nullable(text),
    line: optional(number),
  });
  const part = object({
    id: text,
    source,
    build: partOf(recipe.build),
    stands: optional(number),
    sequence: optional(object({ lines: list(line) })),
  });
  return object({
    type: literal('opened'),
    payloads: list((value): Recipe => ({ ...recipe, ...part(value) })),
    /** For stderr: "export `config` is undefined", "3,120 further lines of 12 rarer shapes". */
    notes: list(text),
    /** Errors of parts that are not payloads: malformed lines of an NDJSON file, exports that throw. */
    failed: optional(list(object({ id: text, code: errorCode, facts: errorFacts }))),
  });
}

export type Measured = ReturnType<ReturnType<typeof measured>>;
const measured = (variants: readonly { id: string }[]) =>
  object({
    type: literal('measured'),
    sets: list(sampleSet(variants.map(({ id }) => id))),
    rounds: number,
    gc: nullable(object({ count: number, share: number })),
    page: optional(typed<PageClock>({ clockStepNs: number, sharesMemory: boolean })),
    answers: optional(typed<Answers>({ with: oneOf(['handed', 'empty']), why: text })),
  });

/** Samples of one variant in one process, in the order taken, in ns a message. Nothing is dropped. */
export type SampleSet = ReturnType<ReturnType<typeof sampleSet>>;
const sampleSet = (variants: readonly string[]) =>
  object({
    variant: oneOf(variants),
    roundTrip: numbers,
    send: numbers,
    receive: numbers,
    /** Over the channel indexeddb: see `database` of a measurement. */
    ...{ written: optional(numbers), result: optional(numbers) },
    /** First message of the process, ns; null for variants that were not first. */
    cold: nullable(number),
    error: nullable(text),
    /** Messages in one round trip sample: more where the clock is too coarse for one; 1 if absent. */
    messages: optional(number),
  });

export type SampleText = ReturnType<typeof sampleText>;
const sampleText = object({ type: literal('sample'), json: nullable(exact) });

/** Memory of messages in flight: wire and received values together, without the posted values. */
export type MemoryUse = ReturnType<typeof memoryUse>;
const memoryUse = object({
  type: literal('memory-use'),
  /** Peak of the process minus that of the same run with empty messages, never negative. */
  bytes: number,
  perMessage: number,
  /** Fewer than requested where each needs a value of its own that is slow to build. */
  messages: number,
  /** Peak of the run with empty messages, which is already subtracted. */
  baselineBytes: number,
});

/** null where it is not known. */
export type BranchBytes = ReturnType<typeof branchBytes>;
const branchBytes = object({
  type: literal('branch-bytes'),
  whole: nullable(number),
  /** In the order of the request. */
  without: list(nullable(number)),
});

const hotSpot = typed<HotSpot>({
  side: oneOf(SIDES),
  name: text,
  where: nullable(text),
  work: oneOf(WORKS),
  ns: number,
  share: number,
});

/** Its `files` are bare names within the folder. */
export type Profiled = ReturnType<typeof profiled>;
const profiled = object({
  type: literal('profiled'),
  profile: typed<Profile>({
    by: nullable(oneOf(PROFILERS)),
    files: list(exact),
    messages: number,
    shares: nullable(object({ clone: number, gc: number, user: number, other: number })),
    top: list(hotSpot),
    missing: list(object({ what: text, why: text })),
  }),
});

/** By the type of the request; where the host knows a part of the answer, it takes its own. */
export const ANSWERS = {
  open: ({ recipe }: { recipe: Recipe }) => opened(recipe),
  describe: () => described,
  losses: () => lossesFound,
  schema: () => schemaMade,
  prove: ({ plans }: { plans: Parameters<typeof proved>[0] }) => proved(plans),
  measure: ({ variants }: { variants: readonly { id: string }[] }) => measured(variants),
  dimensions: () => dimensions,
  profile: () => profiled,
  'branch-bytes': () => branchBytes,
  sample: () => sampleText,
  memory: () => memoryUse,
  exit: () => (): never => fail('no answer'),
};

/**
 * Answers of a guest, as the host checks them: pieces of documents where a document has them. The types of messages are
 * inferred. Where the host knows a part of an answer from its request, it takes its own.
 */
import { cutName } from '../cut.ts';
import { dimensionSchema } from '../documents/dimension.ts';
import { answersSchema, pageClockSchema } from '../documents/measurement.ts';
import { pathNameSchema, runtimeIdSchema } from '../documents/names.ts';
import { payloadSchemaSchema } from '../documents/payload-schema.ts';
import { profileSchema } from '../documents/profile.ts';
import { shapeSchema } from '../documents/shape.ts';
import { lossSchema, type Plan } from '../documents/trial.ts';
import { type ErrorCode, type ErrorFacts, FACT_NUMBERS, FACT_TEXTS, MESSAGES } from '../error-messages.ts';
import type { Recipe, RecipeForm } from '../report/recipe.ts';
import { LISTED_REFUSALS, LOSS_KINDS } from '../rules/loss.ts';
import * as s from '../schema.ts';

/** What a guest sends before user code loads. */
export type Hello = s.TypeOf<typeof helloSchema>;
export const helloSchema = s.object({
  type: s.literal('hello'),
  token: s.string(),
  runtime: runtimeIdSchema,
});

/** Their texts are cut by ToolError. */
const errorFacts = s.object({
  ...Object.fromEntries(FACT_TEXTS.map((name) => [name, s.optional(s.string())])),
  ...Object.fromEntries(FACT_NUMBERS.map((name) => [name, s.optional(s.number())])),
  names: s.optional(s.list(s.string())),
}) as s.Schema<ErrorFacts>;

export type Failed = s.TypeOf<typeof failedSchema>;
export const failedSchema = s.object({
  type: s.literal('failed'),
  code: s.string(),
  message: s.string(),
  /** Facts of a ToolError, from which the host creates the same error. */
  facts: s.optional(errorFacts),
  path: s.optional(s.string()),
  stack: s.optional(s.string()),
});

const line = s.object({ line: s.number(), offset: s.number(), length: s.number() });

/** What the guest lists of the file that it was asked about: exports, or lines; nothing of others. */
const PARTS: Partial<Record<RecipeForm['form'], s.Schema<object>>> = {
  module: s.object({ export: s.string() }),
  ndjson: line,
};

export type Opened = AnswerTo<'open'>;
const opened = (recipe: Recipe) => {
  const source = s.object({ export: s.nullable(s.text()), line: s.optional(s.number()) });
  const part = s.object({
    id: s.text(),
    source,
    build: PARTS[recipe.build.form] ?? s.unknown(),
    stands: s.optional(s.number()),
    sequence: s.optional(s.object({ lines: s.list(line) })),
  });
  const isListed = recipe.build.form in PARTS;
  const whole = s.transform(({ source, build, ...rest }: s.TypeOf<typeof part>): Recipe => {
    const places = { file: recipe.source.file, ...source };
    return {
      ...recipe,
      ...rest,
      source: places,
      build: { ...recipe.build, ...(isListed && (build as object)) },
    };
  });
  return s.object({
    type: s.literal('opened'),
    payloads: s.list(s.pipe(part, whole)),
    /** For stderr: "export `config` is undefined", "3,120 further lines of 12 rarer shapes". */
    notes: s.list(s.text()),
    /** Errors of parts that are not payloads: malformed lines of an NDJSON file, exports that throw. */
    failed: s.optional(
      s.list(
        s.object({ id: s.text(), code: s.oneOf(Object.keys(MESSAGES) as ErrorCode[]), facts: errorFacts }),
      ),
    ),
  });
};

/** The path of a posted value, as the engine itself shows it. */
export type Confirmation = s.TypeOf<typeof confirmation>;
const confirmation = s.object({
  /** null when the oracle cannot answer for such a value. */
  path: s.nullable(pathNameSchema),
  /** jsc: cost of the message; v8: tag of the root. */
  evidence: s.text(),
  /** The path of one nested array or string of each pattern. */
  examples: s.list(s.object({ pattern: s.string(), example: s.string(), path: pathNameSchema })),
  /**
   * Concrete paths of objects whose hidden state (deleted properties, #private members) keeps them off the
   * fast path; null where they were not looked for.
   */
  hidden: s.nullable(s.list(s.string())),
  /** Concrete path of what the engine refuses, '$' where it is the whole; null when it refuses nothing. */
  refused: s.nullable(s.string()),
  /** What is wrong with the transfer list, if that is what the engine refuses. */
  listed: s.optional(s.oneOf(LISTED_REFUSALS)),
});

export type RealLoss = s.TypeOf<typeof realLoss>;
const realLoss = s.object({
  ...lossSchema.shape,
  kind: s.oneOf(LOSS_KINDS),
  /** Concrete path of the object that lost it; `path` may name a property of it. */
  owner: s.string(),
});
const realLosses = s.nullable(s.list(realLoss));

/** Bytes of a message on one path, without shared memory; where a fast path hands values over, without their texts. */
export type PathBytes = s.TypeOf<typeof pathBytes>;
const pathBytes = s.object({ path: pathNameSchema, bytes: s.number() });

export type Described = s.TypeOf<typeof described>;
const described = s.object({
  type: s.literal('described'),
  shape: shapeSchema,
  confirmation: s.nullable(confirmation),
  /** Bytes of the message on each path that it may take; none where not asked for, or not possible. */
  message: s.list(pathBytes),
  /** Message of the DataCloneError when the engine refused a real post. */
  rejected: s.nullable(s.text()),
  /** Its transfer list: number of objects, and the bytes of its buffers; null without one. */
  transfer: s.nullable(s.object({ count: s.number(), moved: s.number() })),
  /** What a real post over the channel lost; null where none was made, or what arrived could not be seen. */
  losses: realLosses,
  /** What building it spends in reading canvases back, where it does. */
  readBackNs: s.optional(s.number()),
  /** With `twice`: where two builds differ, with `calls`: how; null where none does. */
  varies: s.optional(s.nullable(s.string())),
  /** With `twice`: where the value that the engine was shown is stored otherwise than the one that is described. */
  shownOther: s.optional(s.nullable(s.string())),
  /** Where what is built after this thread has received such a message is stored otherwise. */
  afterReceiving: s.optional(s.nullable(s.string())),
});

/** `refused`: what the engine said. `losses` is null then, and when what arrived cannot be seen. */
export type LossesFound = s.TypeOf<typeof lossesFound>;
const lossesFound = s.object({
  type: s.literal('losses-found'),
  refused: s.nullable(s.text()),
  losses: realLosses,
});

export type SchemaMade = s.TypeOf<typeof schemaMade>;
const schemaMade = s.object({
  type: s.literal('schema-made'),
  /** Null where one cannot be cloned, or has too many kinds of records. Code is made of it: each index must be one. */
  schema: s.nullable(payloadSchemaSchema),
  /** Which of the recipes cannot be cloned, and why. */
  uncloned: s.optional(s.object({ recipe: s.number(), reason: s.text() })),
});

/** What a module says of itself, once a guest has loaded it. */
export type TriedFacts = s.TypeOf<typeof triedFacts>;
const triedFacts = s.object({
  /** Its export `name`. */
  name: s.nullable(s.pipe(s.string(), s.transform(cutName))),
  /** Its export `title`. */
  title: s.nullable(s.text()),
  /** The functions are members of its default export. */
  isDefault: s.boolean(),
  /** It has a `transfer` too. */
  transfers: s.boolean(),
});

const outcome = s.object({
  equality: s.oneOf(['equal', 'lossy', 'failed', 'refused']),
  losses: s.list(lossSchema),
  reason: s.nullable(s.text()),
  /** Facts about a rewrite that the user wrote. */
  about: s.optional(triedFacts),
  /** Of a rewrite that the user wrote: its message is the payload as it is. */
  isPlain: s.optional(s.boolean()),
  /** Paths of what does not fit a codec. */
  misses: s.optional(s.list(s.text())),
  /** Size of the file that holds its message, where it is stored. */
  fileBytes: s.optional(s.number()),
});

export type Proved = AnswerTo<'prove'>;
export type Proof = Proved['proofs'][number];
/** One for each plan, in the order of the request: which rewrite a proof is about, the host knows. */
const proved = (plans: readonly { remedy: string; plan: Plan }[]) => {
  const isOfAll = (all: readonly unknown[]) => all.length === plans.length;
  const proofs = s.list(outcome).check(s.refine(isOfAll, `${plans.length} proofs expected`));
  return s.object({
    type: s.literal('proved'),
    proofs: s.pipe(
      proofs,
      s.transform((outcomes) => plans.map((plan, index) => ({ ...plan, ...outcomes[index]! }))),
    ),
  });
};

export type Measured = AnswerTo<'measure'>;
/** Samples of one variant in one process, in the order taken, in ns a message. Nothing is dropped. */
export type SampleSet = Measured['sets'][number];
const measured = (variants: readonly { id: string }[]) => {
  const sampleSet = s.object({
    variant: s.oneOf(variants.map(({ id }) => id)),
    roundTrip: s.numbers(),
    send: s.numbers(),
    receive: s.numbers(),
    /** Over the channel indexeddb: see `database` of a measurement. */
    written: s.optional(s.numbers()),
    result: s.optional(s.numbers()),
    /** Of each round trip, the time that its two threads had a core; absent if that is not known. */
    onCore: s.optional(s.numbers()),
    /** First message of the process, ns; null for variants that were not first. */
    cold: s.nullable(s.number()),
    error: s.nullable(s.text()),
    /** Messages in one round trip sample: more where the clock is too coarse for one; 1 if absent. */
    messages: s.optional(s.number()),
  });
  return s.object({
    type: s.literal('measured'),
    sets: s.list(sampleSet),
    rounds: s.number(),
    /** Share of these round trips in which each of the two threads waited for a core; absent if that is not known. */
    waited: s.optional(s.number()),
    gc: s.nullable(s.object({ count: s.number(), share: s.number() })),
    page: s.optional(pageClockSchema),
    answers: s.optional(answersSchema),
  });
};

/** `found` has the largest of each kind, the largest of all first. */
const dimensions = s.object({ type: s.literal('dimensions'), found: s.list(dimensionSchema) });

/** Its `files` are bare names within the folder. */
export type Profiled = s.TypeOf<typeof profiled>;
const profiled = s.object({ type: s.literal('profiled'), profile: profileSchema });

/** null where it is not known. */
export type BranchBytes = s.TypeOf<typeof branchBytes>;
const branchBytes = s.object({
  type: s.literal('branch-bytes'),
  whole: s.nullable(s.number()),
  /** In the order of the request. */
  without: s.list(s.nullable(s.number())),
});

const sampleText = s.object({ type: s.literal('sample'), json: s.nullable(s.string()) });

/** Memory of messages in flight: wire and received values together, without the posted values. */
export type MemoryUse = s.TypeOf<typeof memoryUse>;
const memoryUse = s.object({
  type: s.literal('memory-use'),
  /** Peak of the process minus that of the same run with empty messages, never negative. */
  bytes: s.number(),
  perMessage: s.number(),
  /** Fewer than requested where each needs a value of its own that is slow to build. */
  messages: s.number(),
  /** Peak of the run with empty messages, which is already subtracted. */
  baselineBytes: s.number(),
});

/** By the type of the request. */
export const ANSWERS = {
  open: ({ recipe }: { recipe: Recipe }) => opened(recipe),
  describe: () => described,
  losses: () => lossesFound,
  schema: () => schemaMade,
  prove: ({ plans }: { plans: readonly { remedy: string; plan: Plan }[] }) => proved(plans),
  measure: ({ variants }: { variants: readonly { id: string }[] }) => measured(variants),
  dimensions: () => dimensions,
  profile: () => profiled,
  'branch-bytes': () => branchBytes,
  sample: () => sampleText,
  memory: () => memoryUse,
  exit: () => s.never(),
};

/** The answer to a request, unless it failed. */
export type AnswerTo<K extends keyof typeof ANSWERS> = s.TypeOf<ReturnType<(typeof ANSWERS)[K]>>;

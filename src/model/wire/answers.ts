/** Answers of a guest, as the host validates them. The host keeps its own copy of all that its request says. */
import { cutName } from '../cut.ts';
import { answersSchema, pageClockSchema } from '../documents/measurement.ts';
import { pathNameSchema, runtimeIdSchema } from '../documents/names.ts';
import { payloadSchemaSchema } from '../documents/payload-schema.ts';
import { profileSchema } from '../documents/profile.ts';
import { dimensionSchema, shapeSchema } from '../documents/shape.ts';
import { lossSchema, type Plan } from '../documents/trial.ts';
import { type ErrorCode, type ErrorFacts, FACT_NUMBERS, FACT_TEXTS, MESSAGES } from '../errors.ts';
import type { Recipe, RecipeForm } from '../report/recipe.ts';
import { LISTED_REFUSALS, LOSS_KINDS } from '../rules/rule.ts';
import * as s from '../schema.ts';

export type Hello = s.TypeOf<typeof helloSchema>;
export const helloSchema = s.object({
  type: s.literal('hello'),
  token: s.string(),
  runtime: runtimeIdSchema,
});

/** ToolError shortens their texts. */
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
  /** Facts of a ToolError: the host creates the same error from them. */
  facts: s.optional(errorFacts),
  stack: s.optional(s.string()),
});

const line = s.object({ line: s.number(), offset: s.number(), length: s.number() });

/** Listed parts of a file: exports, or lines. The other forms are single payloads. */
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
    const built = { ...recipe.build, ...(isListed && (build as object)) };
    return { ...recipe, ...rest, source: places, build: built };
  });
  return s.object({
    type: s.literal('opened'),
    payloads: s.list(s.pipe(part, whole)),
    /** Notes for stderr: "export `config` is undefined", "3,120 further lines of rarer shapes". */
    notes: s.list(s.text()),
    /** Errors of parts that are not payloads: malformed lines of an NDJSON file, exports that throw. */
    failed: s.optional(
      s.list(
        s.object({ id: s.text(), code: s.oneOf(Object.keys(MESSAGES) as ErrorCode[]), facts: errorFacts }),
      ),
    ),
  });
};

/** The path of a posted value, reported by the engine itself. */
export type Confirmation = s.TypeOf<typeof confirmation>;
const confirmation = s.object({
  /** null if the oracle cannot answer for such a value. */
  path: s.nullable(pathNameSchema),
  /** jsc: cost of the message; v8: tag of the root; the message of the error if the path is 'rejected'. */
  evidence: s.text(),
  examples: s.list(s.object({ pattern: s.string(), example: s.string(), path: pathNameSchema })),
  /** Paths of objects kept off the fast path by hidden state (deleted properties, #private). */
  hidden: s.list(s.string()),
  /** Concrete path of the refused value, '$' for the whole payload; null if the engine refuses nothing. */
  refused: s.nullable(s.string()),
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

/** Bytes of a message on one path, without shared memory, and without texts that a fast path passes by reference. */
export type PathBytes = s.TypeOf<typeof pathBytes>;
const pathBytes = s.object({ path: pathNameSchema, bytes: s.number() });

export type Described = s.TypeOf<typeof described>;
const described = s.object({
  type: s.literal('described'),
  shape: shapeSchema,
  confirmation: s.nullable(confirmation),
  /** Bytes of the message on each path that it may take; empty if not requested, or not possible. */
  message: s.list(pathBytes),
  /** Transfer list: number of objects, and the bytes of their buffers; null without a list. */
  transfer: s.nullable(s.object({ count: s.number(), moved: s.number() })),
  /** Losses of a real post over the channel; null without a post, or if the received value was unreadable. */
  losses: realLosses,
  /** Time that building it spends on reading canvases back, ns. */
  readBackNs: s.optional(s.number()),
  /** For `twice`: path that differs between two builds; for `calls`: facts that differ. Null if all are equal. */
  varies: s.optional(s.nullable(s.string())),
  /** For `twice`: path whose storage differs between the described and the posted build. */
  shownOther: s.optional(s.nullable(s.string())),
  /** Path that is stored differently in values that are built after this thread has received such a message. */
  afterReceiving: s.optional(s.nullable(s.string())),
});

/** `refused`: message of the engine. `losses` is null then, and if the receiver's value cannot be read. */
export type LossesFound = s.TypeOf<typeof lossesFound>;
const lossesFound = s.object({
  type: s.literal('losses-found'),
  refused: s.nullable(s.text()),
  losses: realLosses,
});

export type SchemaMade = s.TypeOf<typeof schemaMade>;
const schemaMade = s.object({
  type: s.literal('schema-made'),
  /** Null if a payload cannot be cloned, or has too many kinds of records. Code is made of it: indices are checked. */
  schema: s.nullable(payloadSchemaSchema),
  uncloned: s.optional(s.object({ recipe: s.number(), reason: s.text() })),
  /** Losses of the first payload that a clone changes: the schema is made of what arrives. */
  lost: s.optional(s.object({ recipe: s.number(), losses: s.list(realLoss) })),
  itself: s.optional(s.string()),
});

export type TriedFacts = s.TypeOf<typeof triedFacts>;
const triedFacts = s.object({
  name: s.nullable(s.pipe(s.string(), s.transform(cutName))),
  title: s.nullable(s.text()),
  isDefault: s.boolean(),
  transfers: s.boolean(),
});

const proved = s.object({
  type: s.literal('proved'),
  equality: s.oneOf(['equal', 'lossy', 'failed', 'refused']),
  losses: s.list(lossSchema),
  reason: s.nullable(s.text()),
  about: s.optional(triedFacts),
  /** The message of a rewrite by the user is the payload itself. */
  isPlain: s.optional(s.boolean()),
  misses: s.optional(s.list(s.text())),
  fileBytes: s.optional(s.number()),
});

/** The rewrite is that of the request, so that the host knows it. */
export type Proof = Omit<s.TypeOf<typeof proved>, 'type'> & { remedy: string; plan: Plan };

export type Measured = AnswerTo<'measure'>;
/** Samples of one variant in one process, in the order taken, in ns per message. No sample is dropped. */
export type SampleSet = Measured['sets'][number];
const measured = (variants: readonly { id: string }[]) => {
  const sampleSet = s.object({
    variant: s.oneOf(variants.map(({ id }) => id)),
    roundTrip: s.numbers(),
    send: s.numbers(),
    receive: s.numbers(),
    /** Present over the channel indexeddb; see `database` of a measurement. */
    written: s.optional(s.numbers()),
    result: s.optional(s.numbers()),
    /** Time that both threads had a core, for each round trip; absent if unknown. */
    onCore: s.optional(s.numbers()),
    /** First message of the process, ns; null for variants that were not first. */
    cold: s.nullable(s.number()),
    error: s.nullable(s.text()),
    /** Messages in one round trip sample; more than 1 if the clock is too coarse for one message; default 1. */
    messages: s.optional(s.number()),
  });
  return s.object({
    type: s.literal('measured'),
    sets: s.list(sampleSet),
    rounds: s.number(),
    /** Share of these round trips during which each of the two threads waited for a core; absent if unknown. */
    waited: s.optional(s.number()),
    gc: s.nullable(s.object({ count: s.number(), share: s.number() })),
    page: s.optional(pageClockSchema),
    answers: s.optional(answersSchema),
  });
};

/** `found` has the largest dimension of each kind, in descending order. */
const dimensions = s.object({ type: s.literal('dimensions'), found: s.list(dimensionSchema) });

/** Its `files` are bare names within the folder. */
export type Profiled = s.TypeOf<typeof profiled>;
const profiled = s.object({ type: s.literal('profiled'), profile: profileSchema });

export type BranchBytes = s.TypeOf<typeof branchBytes>;
const branchBytes = s.object({
  type: s.literal('branch-bytes'),
  whole: s.nullable(s.number()),
  without: s.list(s.nullable(s.number())),
});

const sampleText = s.object({ type: s.literal('sample'), json: s.nullable(s.string()) });

/** Memory of messages in flight: wire and received values together, without the posted values. */
export type MemoryUse = s.TypeOf<typeof memoryUse>;
const memoryUse = s.object({
  type: s.literal('memory-use'),
  /** Peak of the process, without `baselineBytes`; never negative. */
  bytes: s.number(),
  perMessage: s.number(),
  /** Number of messages; smaller than requested if each message needs a separate value that is slow to build. */
  messages: s.number(),
  /** Peak of the same run with empty messages. */
  baselineBytes: s.number(),
});

export const ANSWERS = {
  open: ({ recipe }: { recipe: Recipe }) => opened(recipe),
  describe: () => described,
  losses: () => lossesFound,
  schema: () => schemaMade,
  prove: () => proved,
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

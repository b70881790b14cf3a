/**
 * What a guest may answer to each request. User code shares its process, so nothing is believed unchecked: not the type
 * of an answer, its fields and numbers, nor the length of its texts. Where the host knows a part of the answer from its
 * request, it takes its own.
 */
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
} from '../../core/schema.ts';
import { type ErrorCode, type ErrorFacts, MESSAGES } from '../../model/error-messages.ts';
import type { Recipe, RecipeForm } from '../../model/report/recipe.ts';
import type { LoadResult } from '../../model/wire/load.ts';
import { STAGES, type Stage } from '../../model/wire/stage.ts';
import type {
  AnswerTo,
  Failed,
  GuestRequest,
  Measured,
  MemoryUse,
  Opened,
  Proof,
  RequestOf,
  SampleSet,
  SampleText,
} from '../../model/wire/wire.ts';
import {
  branchBytes,
  described,
  dimensions,
  lossesFound,
  profiled,
  proof,
  schemaMade,
} from './payload-facts.ts';

/** Thousands of long patterns, or of exports. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of samples. A line is held once before it is parsed, so that the host stays below 150 MB. */
const MAX_BYTES_OF_SAMPLES = 64 * 1024 * 1024;

/** The longest answer to a request. */
export const mostBytesOf = ({ type }: GuestRequest): number =>
  type === 'measure' || type === 'load' ? MAX_BYTES_OF_SAMPLES : MAX_BYTES;

const exported = object<{ export: string }>({ export: exact });
type Line = Record<'line' | 'offset' | 'length', number>;
const line = object<Line>({ line: number, offset: number, length: number });

/** The guest lists what is in the file that it was asked about: exports, or lines. */
function partOf(build: RecipeForm): Check<RecipeForm> {
  if (build.form === 'module') return (value) => ({ ...build, ...exported(value) });
  return build.form === 'ndjson' ? (value) => ({ ...build, ...line(value) }) : () => build;
}

function opened({ recipe }: RequestOf<'open'>): Check<Opened> {
  const source = object<Recipe['source']>({
    file: () => recipe.source.file,
    export: nullable(text),
    line: optional(number),
  });
  const part = object<Pick<Recipe, 'id' | 'source' | 'build' | 'stands'>>({
    id: text,
    source,
    build: partOf(recipe.build),
    stands: optional(number),
  });
  return object<Opened>({
    type: literal('opened'),
    payloads: list((value) => ({ ...recipe, ...part(value) })),
    notes: list(text),
    failed: optional(
      list(object<NonNullable<Opened['failed']>[number]>({ id: text, code: errorCode, facts: errorFacts })),
    ),
  });
}

const errorCode = oneOf(Object.keys(MESSAGES) as ErrorCode[]);

/** Their texts are cut by ToolError. */
const errorFacts = object<ErrorFacts>({
  file: optional(exact),
  line: optional(number),
  column: optional(number),
  export: optional(exact),
  detail: optional(exact),
  names: optional(list(exact)),
  value: optional(exact),
  option: optional(exact),
  path: optional(exact),
  runtime: optional(exact),
  oldest: optional(exact),
  binary: optional(exact),
  folder: optional(exact),
  output: optional(exact),
  ms: optional(number),
});

const failed = object<Failed>({
  type: literal('failed'),
  code: exact,
  message: exact,
  facts: optional(errorFacts),
  path: optional(exact),
  stack: optional(exact),
});

/** One for each plan, in the order of the request. */
function proofs({ plans }: RequestOf<'prove'>): Check<Proof[]> {
  const all = list(proof);
  return (value) => {
    const found = all(value);
    if (found.length !== plans.length) fail(`${plans.length} proofs`);
    return plans.map((plan, index) => ({ ...plan, ...found[index]! }));
  };
}

const samples = ({ variants }: RequestOf<'measure'>): Check<SampleSet> =>
  object<SampleSet>({
    variant: oneOf(variants.map(({ id }) => id)),
    roundTrip: numbers,
    send: numbers,
    receive: numbers,
    cold: nullable(number),
    error: nullable(text),
    messages: optional(number),
  });

type Answers = { [K in GuestRequest['type']]: (request: RequestOf<K>) => Check<AnswerTo<K>> };

const ANSWERS: Answers = {
  open: opened,
  describe: () => described,
  losses: () => lossesFound,
  schema: () => schemaMade,
  prove: (request) => object<AnswerTo<'prove'>>({ type: literal('proved'), proofs: proofs(request) }),
  measure: (request) =>
    object<Measured>({
      type: literal('measured'),
      sets: list(samples(request)),
      rounds: number,
      gc: nullable(object<NonNullable<Measured['gc']>>({ count: number, share: number })),
      page: optional(object<NonNullable<Measured['page']>>({ clockStepNs: number, sharesMemory: boolean })),
    }),
  dimensions: () => dimensions,
  profile: () => profiled,
  'branch-bytes': () => branchBytes,
  sample: () => object<SampleText>({ type: literal('sample'), json: nullable(exact) }),
  memory: () =>
    object<MemoryUse>({
      type: literal('memory-use'),
      bytes: number,
      perMessage: number,
      messages: number,
      baselineBytes: number,
    }),
  load: () =>
    object<LoadResult>({
      type: literal('load-result'),
      latency: numbers,
      messages: number,
      elapsed: number,
      waiting: numbers,
      flooded: boolean,
    }),
  exit: () => () => fail('no answer'),
};

const numbered = object<{ id: number; type: string }>({ id: number, type: exact });
const progress = object<{ stage: Stage }>({ stage: oneOf(STAGES) });

/** The stage that has begun; null for any other message. @throws Mismatch */
export const stageOf = (message: unknown): Stage | null =>
  numbered(message).type === 'progress' ? progress(message).stage : null;

/** The request that a message says it answers. @throws Mismatch */
export const idOf = (message: unknown): number => numbered(message).id;

/** @throws Mismatch */
export function answerTo(request: GuestRequest, message: unknown): AnswerTo<GuestRequest['type']> | Failed {
  if (numbered(message).type === 'failed') return failed(message);
  const answers = ANSWERS[request.type] as (asked: GuestRequest) => Check<AnswerTo<GuestRequest['type']>>;
  return answers(request)(message);
}

/** What a guest answers about a payload: its shape, what arrived of it, what rewrites keep of it. */
import { cutName } from '../cut.ts';
import type { PayloadSchema, RecordField, RecordType, ValueType } from '../documents/payload-schema.ts';
import type { Facts, Shape } from '../documents/shape.ts';
import type { Dimension } from '../documents/sweep.ts';
import type { Loss, Plan } from '../documents/trial.ts';
import { ENGINE_NAMES, PATH_NAMES } from '../names.ts';
import { LOSS_KINDS, type RealLoss } from '../rules/loss.ts';
import { isConsistent } from '../vocabulary/consistent-schema.ts';
import { FLAGS, KINDS, REPRESENTATION_SOURCES } from '../vocabulary/shape.ts';
import { DIMENSIONS } from '../vocabulary/sweep.ts';
import {
  boolean,
  exact,
  fail,
  list,
  literal,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  typed,
} from './schema.ts';

const kind = oneOf(KINDS);

const facts = typed<Facts>({
  pattern: exact,
  depth: number,
  parent: nullable(kind),
  kind,
  flags: list(oneOf(FLAGS)),
  count: number,
  example: exact,
  tag: optional(text),
  size: optional(object({ min: number, max: number, total: number })),
  keys: optional(object({ min: number, max: number, total: number })),
  bytes: optional(
    typed<NonNullable<Facts['bytes']>>({
      total: number,
      max: number,
      backing: optional(number),
      shared: optional(number),
    }),
  ),
});

const shape = typed<Shape>({
  nodes: number,
  depth: number,
  jsonBytes: nullable(number),
  jsonSafe: boolean,
  patterns: list(facts),
  truncated: object({ patterns: boolean, depth: boolean, items: boolean }),
  representation: object({
    by: oneOf(REPRESENTATION_SOURCES),
    engine: oneOf(ENGINE_NAMES),
  }),
});

const yes = optional<true>((value) => (value === true ? true : fail('true')));

const valueType = typed<ValueType>({
  null: yes,
  undefined: yes,
  boolean: yes,
  number: optional(oneOf(['int32', 'double'])),
  bigint: yes,
  date: yes,
  text: optional(object({ count: number, units: number, repeats: yes })),
  numbers: optional(object({ int32: yes, length: optional(number) })),
  list: optional(number),
  record: optional(number),
  dictionary: optional(number),
  keysRepeat: yes,
  map: optional((value) => list(number)(value) as [number, number]),
  set: optional(number),
  bytes: optional(list(exact)),
  rest: yes,
});

const recordType = typed<RecordType>({
  fields: list(typed<RecordField>({ key: exact, type: number, optional: yes })),
  layouts: optional(list(list(number))),
  loose: optional(number),
});

const schemaShape = typed<PayloadSchema>({ types: list(valueType), records: list(recordType) });

export type SchemaMade = ReturnType<typeof schemaMade>;
export const schemaMade = object({
  type: literal('schema-made'),
  /** Null where one cannot be cloned, or has too many kinds of records. Code is made of it: each index must be one. */
  schema: nullable((value) => {
    const schema = schemaShape(value);
    return isConsistent(schema) ? schema : fail('a schema with existing types');
  }),
  /** Which of the recipes cannot be cloned, and why. */
  uncloned: optional(object({ recipe: number, reason: text })),
});

const pathName = oneOf(PATH_NAMES);

/** The path of a posted value, as the engine itself shows it. */
export type Confirmation = ReturnType<typeof confirmation>;
const confirmation = object({
  /** null when the oracle cannot answer for such a value. */
  path: nullable(pathName),
  /** jsc: cost of the message; v8: tag of the root. */
  evidence: text,
  /** The path of one nested array or string of each pattern. */
  examples: list(object({ pattern: exact, example: exact, path: pathName })),
  /**
   * Concrete paths of objects whose hidden state (deleted properties, #private members) keeps them off the
   * fast path; null where they were not looked for.
   */
  hidden: nullable(list(exact)),
  /** Concrete path of what the engine refuses, '$' where it is the whole; null when it refuses nothing. */
  refused: nullable(exact),
});

const realLosses = nullable(
  list(typed<RealLoss>({ path: exact, what: text, kind: oneOf(LOSS_KINDS), owner: exact })),
);

/** Bytes of a message on one path, without shared memory; where a fast path hands values over, without their texts. */
export type PathBytes = ReturnType<typeof pathBytes>;
const pathBytes = object({ path: pathName, bytes: number });

export type Described = ReturnType<typeof described>;
export const described = object({
  type: literal('described'),
  shape,
  confirmation: nullable(confirmation),
  /** Bytes of the message on each path that it may take; none where not asked for, or not possible. */
  message: list(pathBytes),
  /** Message of the DataCloneError when the engine refused a real post. */
  rejected: nullable(text),
  /** Its transfer list: number of objects, and the bytes of its buffers; null without one. */
  transfer: nullable(object({ count: number, moved: number })),
  /** What a real post over the channel lost; null where none was made, or what arrived could not be seen. */
  losses: realLosses,
  /** What building it spends in reading canvases back, where it does. */
  readBackNs: optional(number),
  /** With `twice`: where two builds differ, with `calls`: how; null where none does. */
  varies: optional(nullable(exact)),
  /** With `twice`: where the value that the engine was shown is stored otherwise than the one that is described. */
  shownOther: optional(nullable(exact)),
  /** Where what is built after this thread has received such a message is stored otherwise. */
  afterReceiving: optional(nullable(exact)),
});

/** What a module says of itself, once a guest has loaded it. */
export type TriedFacts = ReturnType<typeof triedFacts>;
const triedFacts = object({
  /** Its export `name`. */
  name: nullable((value) => cutName(exact(value))),
  /** Its export `title`. */
  title: nullable(text),
  /** The functions are members of its default export. */
  isDefault: boolean,
  /** It has a `transfer` too. */
  transfers: boolean,
});

const outcome = object({
  equality: oneOf(['equal', 'lossy', 'failed', 'refused']),
  losses: list(typed<Loss>({ path: exact, what: text })),
  reason: nullable(text),
  /** Facts about a rewrite that the user wrote. */
  about: optional(triedFacts),
  /** Paths of what does not fit a codec; size of the file that holds its message, where it is stored. */
  ...{ misses: optional(list(text)), fileBytes: optional(number) },
});

/** One for each plan, in the order of the request: which rewrite a proof is about, the host knows. */
export type Proved = ReturnType<ReturnType<typeof proved>>;
export type Proof = Proved['proofs'][number];
export const proved = (plans: readonly { remedy: string; plan: Plan }[]) =>
  object({
    type: literal('proved'),
    proofs: (value) => {
      const outcomes = list(outcome)(value);
      if (outcomes.length !== plans.length) fail(`${plans.length} proofs`);
      return plans.map((plan, index) => ({ ...plan, ...outcomes[index]! }));
    },
  });

/** `refused`: what the engine said. `losses` is null then, and when what arrived cannot be seen. */
export type LossesFound = ReturnType<typeof lossesFound>;
const found = { type: literal('losses-found'), refused: nullable(text), losses: realLosses };
export const lossesFound = object(found);

/** `found` has the largest of each kind, the largest of all first. */
export type Dimensions = ReturnType<typeof dimensions>;
export const dimensions = object({
  type: literal('dimensions'),
  found: list(
    typed<Dimension>({ by: oneOf(DIMENSIONS), path: exact, size: number, grain: number, weight: number }),
  ),
});

/** Checks of what a guest says about a payload: its shape, what arrived of it, where its time goes. */
import {
  boolean,
  type Check,
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
} from '../../core/schema.ts';
import { cutName } from '../../model/cut.ts';
import type {
  NumbersFacts,
  PayloadSchema,
  RecordField,
  RecordType,
  TextFacts,
  ValueType,
} from '../../model/documents/payload-schema.ts';
import type { HotSpot, Profile } from '../../model/documents/profile.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Dimension } from '../../model/documents/sweep.ts';
import type { Loss } from '../../model/documents/trial.ts';
import { ENGINE_NAMES, PATH_NAMES } from '../../model/names.ts';
import type { Confirmation } from '../../model/report/confirmation.ts';
import { LOSS_KINDS, type LossesFound, type RealLoss } from '../../model/rules/loss.ts';
import type { TriedFacts } from '../../model/rules/tried.ts';
import { isConsistent } from '../../model/vocabulary/consistent-schema.ts';
import { PROFILERS, SIDES, WORKS, type WorkShares } from '../../model/vocabulary/profile.ts';
import { FLAGS, KINDS, REPRESENTATION_SOURCES } from '../../model/vocabulary/shape.ts';
import { DIMENSIONS } from '../../model/vocabulary/sweep.ts';
import type { Described, PathBytes } from '../../model/wire/describe-request.ts';
import type { BranchBytes, Profiled } from '../../model/wire/profiled.ts';
import type { Dimensions, Proof, SchemaMade } from '../../model/wire/wire.ts';

const kind = oneOf(KINDS);

const facts = object<Facts>({
  pattern: exact,
  depth: number,
  parent: nullable(kind),
  kind,
  flags: list(oneOf(FLAGS)),
  count: number,
  example: exact,
  tag: optional(text),
  size: optional(object<NonNullable<Facts['size']>>({ min: number, max: number, total: number })),
  bytes: optional(
    object<NonNullable<Facts['bytes']>>({
      ...{ total: number, max: number },
      ...{ backing: optional(number), shared: optional(number) },
    }),
  ),
});

const shape = object<Shape>({
  nodes: number,
  depth: number,
  jsonBytes: nullable(number),
  jsonSafe: boolean,
  patterns: list(facts),
  truncated: object<Shape['truncated']>({ patterns: boolean, depth: boolean, items: boolean }),
  representation: object<Shape['representation']>({
    by: oneOf(REPRESENTATION_SOURCES),
    engine: oneOf(ENGINE_NAMES),
  }),
});

const yes = optional<true>((value) => (value === true ? true : fail('true')));

const valueType = object<ValueType>({
  null: yes,
  undefined: yes,
  boolean: yes,
  number: optional(oneOf<NonNullable<ValueType['number']>>(['int32', 'double'])),
  bigint: yes,
  date: yes,
  text: optional(object<TextFacts>({ count: number, units: number, repeats: yes })),
  numbers: optional(object<NumbersFacts>({ int32: yes, length: optional(number) })),
  list: optional(number),
  record: optional(number),
  dictionary: optional(number),
  keysRepeat: yes,
  map: optional((value) => list(number)(value) as [number, number]),
  set: optional(number),
  bytes: optional(list(exact)),
  rest: yes,
});

const recordType = object<RecordType>({
  fields: list(object<RecordField>({ key: exact, type: number, optional: yes })),
  layouts: optional(list(list(number))),
  loose: optional(number),
});

const schemaShape = object<PayloadSchema>({ types: list(valueType), records: list(recordType) });

/** Code is made of it: each index must be one. */
export const schemaMade: Check<SchemaMade> = object<SchemaMade>({
  type: literal('schema-made'),
  schema: nullable((value) => {
    const schema = schemaShape(value);
    return isConsistent(schema) ? schema : fail('a schema with existing types');
  }),
  uncloned: optional(object<NonNullable<SchemaMade['uncloned']>>({ recipe: number, reason: text })),
});

const pathName = oneOf(PATH_NAMES);

const confirmation = object<Confirmation>({
  path: nullable(pathName),
  evidence: text,
  examples: list(
    object<Confirmation['examples'][number]>({ pattern: exact, example: exact, path: pathName }),
  ),
  hidden: nullable(list(exact)),
  refused: nullable(exact),
});

const realLosses = nullable(
  list(object<RealLoss>({ path: exact, what: text, kind: oneOf(LOSS_KINDS), owner: exact })),
);

export const described = object<Described>({
  type: literal('described'),
  shape,
  confirmation: nullable(confirmation),
  message: list(object<PathBytes>({ path: pathName, bytes: number })),
  rejected: nullable(text),
  transfer: nullable(object<NonNullable<Described['transfer']>>({ count: number, moved: number })),
  losses: realLosses,
  varies: optional(nullable(exact)),
});

const loss = object<Loss>({ path: exact, what: text });

const name: Check<string> = (value) => cutName(exact(value));

/** Which rewrite it is about, the host knows. */
export const proof = object<Omit<Proof, 'remedy' | 'plan'>>({
  equality: oneOf<Proof['equality']>(['equal', 'lossy', 'failed', 'refused']),
  losses: list(loss),
  reason: nullable(text),
  about: optional(
    object<TriedFacts>({
      name: nullable(name),
      title: nullable(text),
      isDefault: boolean,
      transfers: boolean,
    }),
  ),
  misses: optional(list(text)),
});

export const lossesFound = object<LossesFound>({
  type: literal('losses-found'),
  losses: realLosses,
});

export const dimensions = object<Dimensions>({
  type: literal('dimensions'),
  found: list(
    object<Dimension>({ by: oneOf(DIMENSIONS), path: exact, size: number, grain: number, weight: number }),
  ),
});

export const branchBytes = object<BranchBytes>({
  type: literal('branch-bytes'),
  whole: nullable(number),
  without: list(nullable(number)),
});

const hotSpot = object<HotSpot>({
  side: oneOf(SIDES),
  name: text,
  where: nullable(text),
  work: oneOf(WORKS),
  ns: number,
  share: number,
});

export const profiled = object<Profiled>({
  type: literal('profiled'),
  profile: object<Profile>({
    by: nullable(oneOf(PROFILERS)),
    files: list(exact),
    messages: number,
    shares: nullable(object<WorkShares>({ clone: number, gc: number, user: number, other: number })),
    top: list(hotSpot),
    missing: list(object<Profile['missing'][number]>({ what: text, why: text })),
  }),
});

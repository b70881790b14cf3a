/**
 * Structure of a payload as data: a graph of types and records; places with the same keys share a record. It holds the
 * names of keys and the kinds of values, never values. Code is generated from stored schemas, so each index is checked.
 */

import * as s from '../schema.ts';

/** The part that refers to itself by indices. Text counts are left out, as codecs lack them. */
interface Indices {
  types: readonly Omit<ValueType, 'text'>[];
  records: readonly RecordType[];
}

/** All indices and kinds of bytes are valid: a schema may come from outside. */
function isConsistent({ types, records }: Indices): boolean {
  const isIndexOf = (all: readonly unknown[]) => (at: number | undefined) =>
    at === undefined || (Number.isInteger(at) && at >= 0 && at < all.length);
  const [isType, isRecord] = [isIndexOf(types), isIndexOf(records)];
  const areTypes = types.every(
    ({ list, dictionary, set, map, record, bytes = [], numbers }) =>
      [list, dictionary, set, ...(map ?? [])].every(isType) &&
      isRecord(record) &&
      (map === undefined || map.length === 2) &&
      bytes.every((name) => /^\w{1,40}$/.test(name)) &&
      Number.isInteger(numbers?.length ?? 0),
  );
  return (
    types.length > 0 &&
    areTypes &&
    records.every(
      ({ fields, layouts = [], loose }) =>
        isType(loose) &&
        fields.every(({ type }) => isType(type)) &&
        layouts.every((layout) => layout.length <= fields.length && layout.every(isIndexOf(fields))),
    )
  );
}

const yes = s.optional(s.literal(true));
const typeIndex = s.optional(s.number('An index of types.'));

const valueTypeFields = {
  null: yes,
  undefined: yes,
  boolean: yes,
  number: s.optional(s.oneOf(['int32', 'double'])),
  bigint: s.described(yes, '64 bits hold each.'),
  date: yes,
  text: s.optional(
    s.object({
      count: s.number(),
      units: s.number('UTF-16 units of all.'),
      repeats: s.described(yes, 'Fewer than a quarter are distinct.'),
    }),
  ),
  numbers: s.optional(
    s.object('Lists that hold nothing but numbers.', {
      int32: s.described(yes, 'Each is a 32-bit integer, and none is -0.'),
      length: s.optional(s.number('All lists have this length.')),
    }),
  ),
  list: s.described(typeIndex, 'Lists without holes: type of the items.'),
  record: s.optional(s.number('An index of records.')),
  dictionary: s.described(typeIndex, 'Objects of many keys: type of their values.'),
  keysRepeat: s.described(yes, 'Whole lists of their keys come again.'),
  map: s.optional(s.tuple([s.number(), s.number()], 'Types of keys and values.')),
  set: typeIndex,
  bytes: s.optional(
    s.list(s.string(), 'Buffers and views, which are cloned as they are: names of their classes.'),
  ),
  rest: s.described(yes, 'Anything else: cloned as it is.'),
};

export type ValueType = s.TypeOf<typeof valueTypeSchema>;
export const valueTypeSchema = s.named(
  'ValueType',
  'All kinds of values at places of one type; each property is one kind.',
  valueTypeFields,
);
export type NumbersFacts = NonNullable<ValueType['numbers']>;

export type RecordType = s.TypeOf<typeof recordSchema>;
export type RecordField = RecordType['fields'][number];
export const recordSchema = s.object({
  fields: s.list(
    s.object({ key: s.string(), type: s.number(), optional: yes }),
    'In an order in which the keys of each object stand, where there is one.',
  ),
  layouts: s.optional(
    s.list(
      s.list(s.number()),
      'Which fields an object has: a list for each way. Absent where any of the optional may be missing.',
    ),
  ),
  loose: s.described(typeIndex, 'Objects with other keys stand there too: type of their values.'),
});

const refersToItsTypes = s.refine<Parameters<typeof isConsistent>[0]>(
  isConsistent,
  'refers to types that do not exist',
);

/** `types[0]` is the type of the whole payload. */
export type PayloadSchema = s.TypeOf<typeof payloadSchemaSchema>;
export const payloadSchemaSchema = s.described(
  s.object({ types: s.list(valueTypeSchema), records: s.list(recordSchema) }).check(refersToItsTypes),
  { id: 'PayloadSchema', description: 'What is posted: names of keys and kinds of values, never values.' },
);

/** Without text counts, which are not part of the structure. */
const structureSchema = s.object({
  ...valueTypeFields,
  text: s.optional(
    s.pipe(
      s.object({ repeats: yes }),
      s.transform((text) => ({ ...text, count: 0, units: 0 })),
    ),
  ),
});

/** Source of a compiled codec. */
export interface CodecSchema {
  /** Name of the payload, and of its types. */
  name: string;
  /** A key of the remedy's `forms`. */
  form: string;
  /** True if the codec has `viewMessage`. */
  view?: boolean;
  schema: PayloadSchema;
}

/** Of the last lines of a codec, which hold its source. */
export const codecSchemaSchema = s.pipe(
  s
    .object({
      name: s.string(),
      form: s.string(),
      view: s.optional(s.boolean()),
      types: s.list(structureSchema),
      records: s.list(recordSchema),
    })
    .check(refersToItsTypes),
  s.transform(
    ({ name, form, view = false, ...schema }): CodecSchema => ({ name, form, schema, ...(view && { view }) }),
  ),
);

/**
 * What is posted, as data: a graph of types and records, in which places with the same keys share one record. It has the
 * names of keys and the kinds of values, never values. Code is made of a stored one, so each index is checked.
 */
import * as z from 'zod';
import { isConsistent } from '../vocabulary/consistent-schema.ts';

const yes = z.exactOptional(z.literal(true));
const typeIndex = z.exactOptional(z.number().describe('An index of types.'));

const valueTypeFields = {
  null: yes,
  undefined: yes,
  boolean: yes,
  number: z.exactOptional(z.enum(['int32', 'double'])),
  bigint: yes.describe('64 bits hold each.'),
  date: yes,
  text: z.exactOptional(
    z.object({
      count: z.number(),
      units: z.number().describe('UTF-16 units of all.'),
      repeats: yes.describe('Fewer than a quarter are distinct.'),
    }),
  ),
  numbers: z.exactOptional(
    z
      .object({
        int32: yes.describe('Each is a 32-bit integer, and none is -0.'),
        length: z.exactOptional(z.number().describe('All lists have this length.')),
      })
      .describe('Lists that hold nothing but numbers.'),
  ),
  list: typeIndex.describe('Lists without holes: type of the items.'),
  record: z.exactOptional(z.number().describe('An index of records.')),
  dictionary: typeIndex.describe('Objects of many keys: type of their values.'),
  keysRepeat: yes.describe('Whole lists of their keys come again.'),
  map: z.exactOptional(z.tuple([z.number(), z.number()]).describe('Types of keys and values.')),
  set: typeIndex,
  bytes: z.exactOptional(
    z.array(z.string()).describe('Typed arrays, each the whole of its own buffer: names of their classes.'),
  ),
  rest: yes.describe('Anything else: cloned as it is.'),
};

export type ValueType = z.infer<typeof valueTypeSchema>;
export const valueTypeSchema = z.object(valueTypeFields).meta({
  id: 'ValueType',
  description: 'All kinds of values at places of one type; each property is one kind.',
});
export type TextFacts = NonNullable<ValueType['text']>;
export type NumbersFacts = NonNullable<ValueType['numbers']>;

export type RecordType = z.infer<typeof recordSchema>;
export type RecordField = RecordType['fields'][number];
export const recordSchema = z.object({
  fields: z
    .array(z.object({ key: z.string(), type: z.number(), optional: yes }))
    .describe('In an order in which the keys of each object stand, where there is one.'),
  layouts: z.exactOptional(
    z
      .array(z.array(z.number()))
      .describe(
        'Which fields an object has: a list for each way. Absent where any of the optional may be missing.',
      ),
  ),
  loose: typeIndex.describe('Objects with other keys stand there too: type of their values.'),
});

/** `types[0]` is that of the payload. */
export type PayloadSchema = z.infer<typeof payloadSchemaSchema>;
export const payloadSchemaSchema = z
  .object({ types: z.array(valueTypeSchema), records: z.array(recordSchema) })
  .refine(isConsistent, 'refers to types that do not exist')
  .meta({
    id: 'PayloadSchema',
    description: 'What is posted: names of keys and kinds of values, never values.',
  });

/** Without counts: they are no facts of the structure. */
const structureSchema = z.object({
  ...valueTypeFields,
  text: z.exactOptional(z.object({ repeats: yes }).transform((text) => ({ ...text, count: 0, units: 0 }))),
});

/** What a codec is compiled from. */
export interface CodecSchema {
  /** Name of the payload: types are called after it. */
  name: string;
  /** A key of `forms` of the remedy. */
  form: string;
  /** With `viewMessage`. */
  view?: boolean;
  schema: PayloadSchema;
}

/** In the last line of a codec. */
export const codecSchemaSchema = z
  .object({
    name: z.string(),
    form: z.string(),
    view: z.exactOptional(z.boolean()),
    types: z.array(structureSchema),
    records: z.array(recordSchema),
  })
  .refine(isConsistent, 'refers to types that do not exist')
  .transform(
    ({ name, form, view = false, ...schema }): CodecSchema => ({ name, form, schema, ...(view && { view }) }),
  );

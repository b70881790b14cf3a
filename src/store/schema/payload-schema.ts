/** A stored schema: code is made of it, so each index is checked. */
import { z } from 'zod';
import { type CodecSchema, isConsistent } from '../../model/rules/payload-schema.ts';

const yes = z.exactOptional(z.literal(true));
const typeIndex = z.exactOptional(z.number().describe('An index of types.'));

const valueTypeFields = {
  null: yes,
  undefined: yes,
  boolean: yes,
  number: z.exactOptional(z.enum(['int32', 'double'])),
  bigint: yes,
  date: yes,
  text: z.exactOptional(z.object({ count: z.number(), units: z.number(), repeats: yes })),
  numbers: z.exactOptional(z.object({ int32: yes, length: z.exactOptional(z.number()) })),
  list: typeIndex,
  record: z.exactOptional(z.number().describe('An index of records.')),
  dictionary: typeIndex,
  keysRepeat: yes,
  map: z.exactOptional(z.tuple([z.number(), z.number()])),
  set: typeIndex,
  bytes: z.exactOptional(z.array(z.string())),
  rest: yes,
};

const valueTypeSchema = z
  .object(valueTypeFields)
  .meta({ id: 'ValueType', description: 'All kinds of values at places of one type.' });

const recordsSchema = z.array(
  z.object({
    fields: z.array(z.object({ key: z.string(), type: z.number(), optional: yes })),
    layouts: z.exactOptional(z.array(z.array(z.number()))),
    loose: typeIndex,
  }),
);

export const payloadSchemaSchema = z
  .object({
    types: z.array(valueTypeSchema),
    records: recordsSchema,
  })
  .refine(isConsistent, 'refers to types that do not exist')
  .meta({
    id: 'PayloadSchema',
    description: 'What is posted: names of keys and kinds of values, never values.',
  });

/** In the last line of a codec texts have no counts: they are no facts of the structure. */
const structureSchema = z.object({
  ...valueTypeFields,
  text: z.exactOptional(z.object({ repeats: yes }).transform((text) => ({ ...text, count: 0, units: 0 }))),
});

const codecSchemaSchema = z
  .object({
    name: z.string(),
    form: z.string(),
    view: z.exactOptional(z.boolean()),
    types: z.array(structureSchema),
    records: recordsSchema,
  })
  .refine(isConsistent, 'refers to types that do not exist')
  .transform(
    ({ name, form, view = false, ...schema }): CodecSchema => ({ name, form, schema, ...(view && { view }) }),
  );

/** Of the last line of a codec. Null for what is not a schema: somebody may have edited it. */
export function codecSchemaOf(json: string): CodecSchema | null {
  try {
    return codecSchemaSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

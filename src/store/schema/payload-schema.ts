/** A stored schema: code is made of it, so each index is checked. */
import { z } from 'zod';
import { isConsistent } from '../../model/rules/payload-schema.ts';

const yes = z.exactOptional(z.literal(true));
const typeIndex = z.exactOptional(z.number().describe('An index of types.'));

const valueTypeSchema = z
  .object({
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
  })
  .meta({ id: 'ValueType', description: 'All kinds of values at places of one type.' });

export const payloadSchemaSchema = z
  .object({
    types: z.array(valueTypeSchema),
    records: z.array(
      z.object({
        fields: z.array(z.object({ key: z.string(), type: z.number(), optional: yes })),
        layouts: z.exactOptional(z.array(z.array(z.number()))),
        loose: typeIndex,
      }),
    ),
  })
  .refine(isConsistent, 'refers to types that do not exist')
  .meta({
    id: 'PayloadSchema',
    description: 'What is posted: names of keys and kinds of values, never values.',
  });

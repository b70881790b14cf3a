/** What `describe` says of a payload, as a document; its words are in model/vocabulary/shape.ts. */
import * as z from 'zod';
import { FLAGS, KINDS, REPRESENTATION_SOURCES } from '../vocabulary/shape.ts';
import { engineSchema } from './names.ts';

const kindSchema = z.enum(KINDS).meta({ id: 'Kind' });

export type Facts = z.infer<typeof factsSchema>;
export const factsSchema = z
  .object({
    pattern: z
      .string()
      .describe(
        '$ root, .key or ["odd key"], [*] any index, {key} {value} of a Map, {member} of a Set, .* many different keys, .. everything deeper than the depth limit.',
      ),
    depth: z.number().describe('0 for the root.'),
    parent: kindSchema.nullable().describe('Of the value that holds it; null for the root.'),
    kind: kindSchema,
    flags: z.array(z.enum(FLAGS).meta({ id: 'Flag' })),
    count: z.number(),
    example: z.string().describe('Concrete path of the first one, cut in the middle when very long.'),
    tag: z.exactOptional(
      z
        .string()
        .describe('Constructor or built-in type where the kind alone does not say it: "Float64Array".'),
    ),
    size: z.exactOptional(
      z
        .object({ min: z.number(), max: z.number(), total: z.number() })
        .describe('UTF-16 units of strings, lengths of arrays, entries of objects, Maps and Sets.'),
    ),
    keys: z.exactOptional(
      z
        .object({ min: z.number(), max: z.number(), total: z.number() })
        .describe('UTF-16 units of the keys of these values, where the pattern does not name them (.*).'),
    ),
    bytes: z.exactOptional(
      z
        .object({
          total: z.number(),
          max: z.number(),
          backing: z.exactOptional(z.number()),
          shared: z.exactOptional(z.number()),
        })
        .describe(
          'Of buffers and views: used, copied (the whole backing store) and shared with the sender, each buffer once. Of strings: as stored.',
        ),
    ),
  })
  .meta({ id: 'Facts', description: 'Values at one pattern, of one kind, with the same flags.' });

export type Shape = z.infer<typeof shapeSchema>;
export const shapeSchema = z
  .object({
    nodes: z.number(),
    depth: z.number(),
    jsonBytes: z.number().nullable().describe('UTF-8 bytes of its JSON text; null when there is none.'),
    jsonSafe: z.boolean().describe('By these facts, JSON text restores to an equal value.'),
    patterns: z.array(factsSchema),
    truncated: z
      .object({ patterns: z.boolean(), depth: z.boolean(), items: z.boolean() })
      .describe('What the walk left out.'),
    representation: z
      .object({ by: z.enum(REPRESENTATION_SOURCES), engine: engineSchema })
      .describe('Source of the storage facts: the engine itself, or what is observable.'),
  })
  .meta({ id: 'Shape' });

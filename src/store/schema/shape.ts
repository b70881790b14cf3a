import { z } from 'zod';
import { FLAGS, KINDS, REPRESENTATION_SOURCES } from '../../model/rules/shape.ts';
import { engineSchema } from './names.ts';

const kindSchema = z.enum(KINDS).meta({ id: 'Kind' });

const factsSchema = z
  .object({
    pattern: z.string(),
    depth: z.number(),
    parent: kindSchema.nullable(),
    kind: kindSchema,
    flags: z.array(z.enum(FLAGS).meta({ id: 'Flag' })),
    count: z.number(),
    example: z.string(),
    tag: z.exactOptional(z.string()),
    size: z.exactOptional(z.object({ min: z.number(), max: z.number(), total: z.number() })),
    bytes: z.exactOptional(
      z.object({ total: z.number(), max: z.number(), backing: z.exactOptional(z.number()) }),
    ),
  })
  .meta({ id: 'Facts', description: 'Values at one pattern, of one kind, with the same flags.' });

export const shapeSchema = z
  .object({
    nodes: z.number(),
    depth: z.number(),
    jsonBytes: z.number().nullable(),
    jsonSafe: z.boolean(),
    patterns: z.array(factsSchema),
    truncated: z.object({ patterns: z.boolean(), depth: z.boolean(), items: z.boolean() }),
    representation: z.object({
      by: z.enum(REPRESENTATION_SOURCES),
      engine: engineSchema,
    }),
  })
  .meta({ id: 'Shape' });

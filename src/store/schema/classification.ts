import { z } from 'zod';
import { COST_CLASSES, LEVELS } from '../../model/names.ts';
import { pathNameSchema } from './names.ts';

export const costClassSchema = z
  .enum(COST_CLASSES)
  .meta({ id: 'CostClass', description: 'What a payload costs, best first: as much as its worst part.' });

export const findingSchema = z
  .object({
    rule: z.string(),
    level: z.enum(LEVELS),
    path: z.string().describe('Path pattern: $[*].geo'),
    count: z.number(),
    example: z.string().describe('Concrete path of the first one.'),
    what: z.exactOptional(z.string()),
    bytes: z.exactOptional(z.object({ meant: z.number(), copied: z.number() })),
  })
  .meta({ id: 'Finding', description: 'A rule that fired.' });

const blockerSchema = z.object({
  rule: z.string(),
  path: z.string(),
  count: z.number(),
  example: z.string(),
});

const unknownSchema = z.object({
  what: z.string(),
  path: z.string(),
  count: z.number(),
  otherwise: z.exactOptional(
    z
      .object({ path: pathNameSchema, class: costClassSchema, rule: z.string().nullable() })
      .describe('What happens instead when the unknown fact holds.'),
  ),
});

export const verdictSchema = z
  .object({
    path: pathNameSchema,
    class: costClassSchema,
    confirmed: z.boolean().nullable().describe('What the engine itself says; null where it does not answer.'),
    aspired: pathNameSchema.nullable().describe('The path it would take if nothing blocked it.'),
    blockers: z.array(blockerSchema),
    upgrade: z.object({ since: z.string(), path: pathNameSchema, class: costClassSchema }).nullable(),
    unknowns: z.array(unknownSchema),
    refusal: z.exactOptional(z.string()).describe('What the engine said when it refused the payload.'),
  })
  .meta({ id: 'Verdict' });

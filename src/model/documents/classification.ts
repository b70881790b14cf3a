/** What the rules say of a payload. */
import * as z from 'zod';
import { LEVELS } from '../names.ts';
import { costClassSchema, pathNameSchema } from './names.ts';

export type Finding = z.infer<typeof findingSchema>;
export const findingSchema = z
  .object({
    rule: z.string(),
    level: z.enum(LEVELS),
    path: z.string().describe('Path pattern: $[*].geo. Equal to `example` when there is one such value.'),
    count: z.number(),
    example: z.string().describe('Concrete path of the first one.'),
    what: z.exactOptional(z.string().describe('Kind or built-in type, for texts: "Date", "class Point".')),
    bytes: z.exactOptional(z.object({ meant: z.number(), copied: z.number() })),
  })
  .meta({ id: 'Finding', description: 'A rule that fired.' });

export type ChannelChange = z.infer<typeof channelChangeSchema>;
export const channelChangeSchema = z.object({ rule: z.string(), path: z.string(), count: z.number() }).meta({
  id: 'ChannelChange',
  description: 'Values that arrive otherwise over another channel, by a rule.',
});

export type Blocker = z.infer<typeof blockerSchema>;
export const blockerSchema = z.object({
  rule: z.string(),
  path: z.string(),
  count: z.number(),
  example: z.string(),
});

export type UnknownOutcome = z.infer<typeof unknownOutcomeSchema>;
export const unknownOutcomeSchema = z
  .object({
    path: pathNameSchema.describe(
      'At the root: of the payload. Below: what such a value would take as a root.',
    ),
    class: costClassSchema,
    rule: z.string().nullable().describe('Says why; null where nothing can be done about it.'),
  })
  .describe('What happens instead when the unknown fact holds: an oracle can decide by it.');

export type Unknown = z.infer<typeof unknownSchema>;
export const unknownSchema = z.object({
  what: z.string(),
  path: z.string(),
  count: z.number(),
  otherwise: z.exactOptional(unknownOutcomeSchema),
});

export type Verdict = z.infer<typeof verdictSchema>;
export const verdictSchema = z
  .object({
    path: pathNameSchema,
    class: costClassSchema,
    confirmed: z.boolean().nullable().describe('What the engine itself says; null where it does not answer.'),
    aspired: pathNameSchema.nullable().describe('The path it would take if nothing blocked it.'),
    blockers: z.array(blockerSchema),
    upgrade: z
      .object({ since: z.string(), path: pathNameSchema, class: costClassSchema })
      .nullable()
      .describe('A newer version of the same runtime that takes a better path.'),
    unknowns: z.array(unknownSchema).describe('Facts that the verdict depends on and no API tells.'),
    refusal: z.exactOptional(z.string()).describe('What the engine said when it refused the payload.'),
  })
  .meta({ id: 'Verdict' });

export type PostBytes = z.infer<typeof postBytesSchema>;
export const postBytesSchema = z
  .object({
    copied: z
      .number()
      .describe('Written into the message: buffers behind views whole, and once. `maxBytes` limits these.'),
    moved: z.number().describe('Memory of the buffers that are transferred: the sender has it no longer.'),
    shared: z
      .number()
      .describe('Memory that both sides have afterwards: SharedArrayBuffers, shared strings.'),
    by: z
      .enum(['serializer', 'formula', 'shape'])
      .describe(
        "How `copied` is known: the engine's own serializer, its formula for what it hands over in memory, or an estimate from the shape.",
      ),
  })
  .meta({ id: 'PostBytes', description: 'Bytes of one post, by what becomes of them.' });

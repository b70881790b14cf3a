/** Schema of the result of the rules for a payload. */

import { LEVELS } from '../names.ts';
import * as s from '../schema.ts';
import { costClassSchema, pathNameSchema } from './names.ts';

export type Finding = s.TypeOf<typeof findingSchema>;
export const findingSchema = s.named('Finding', 'A rule that fired.', {
  rule: s.string(),
  level: s.oneOf(LEVELS),
  path: s.string('Path pattern: $[*].geo. Equal to `example` when there is one such value.'),
  count: s.number(),
  example: s.string('Concrete path of the first one.'),
  what: s.optional(s.string('Kind or built-in type, for texts: "Date", "class Point".')),
  bytes: s.optional(s.object({ meant: s.number(), copied: s.number() })),
});

export type ChannelChange = s.TypeOf<typeof channelChangeSchema>;
export const channelChangeSchema = s.named(
  'ChannelChange',
  'Values that arrive otherwise over another channel, by a rule.',
  { rule: s.string(), path: s.string(), count: s.number() },
);

export type Blocker = s.TypeOf<typeof blockerSchema>;
export const blockerSchema = s.object({
  rule: s.string(),
  path: s.string(),
  count: s.number(),
  example: s.string(),
});

export type UnknownOutcome = s.TypeOf<typeof unknownOutcomeSchema>;
export const unknownOutcomeSchema = s.object(
  'What happens instead when the unknown fact holds: an oracle can decide by it.',
  {
    path: s.described(
      pathNameSchema,
      'At the root: of the payload. Below: what such a value would take as a root.',
    ),
    class: costClassSchema,
    rule: s.nullable(s.string(), 'Says why; null where nothing can be done about it.'),
  },
);

export type Unknown = s.TypeOf<typeof unknownSchema>;
export const unknownSchema = s.object({
  what: s.string(),
  path: s.string(),
  count: s.number(),
  otherwise: s.optional(unknownOutcomeSchema),
});

export type Verdict = s.TypeOf<typeof verdictSchema>;
export const verdictSchema = s.named('Verdict', {
  path: pathNameSchema,
  class: costClassSchema,
  confirmed: s.nullable(s.boolean(), 'What the engine itself says; null where it does not answer.'),
  aspired: s.nullable(pathNameSchema, 'The path it would take if nothing blocked it.'),
  blockers: s.list(blockerSchema),
  upgrade: s.nullable(
    s.object({ since: s.string(), path: pathNameSchema, class: costClassSchema }),
    'A newer version of the same runtime that takes a better path.',
  ),
  unknowns: s.list(unknownSchema, 'Facts that the verdict depends on and no API tells.'),
  refusal: s.optional(s.string(), 'What the engine said when it refused the payload.'),
});

export type PostBytes = s.TypeOf<typeof postBytesSchema>;
export const postBytesSchema = s.named('PostBytes', 'Bytes of one post, by what becomes of them.', {
  copied: s.number(
    'Written into the message: buffers behind views whole, and once. `maxBytes` limits these.',
  ),
  moved: s.number('Memory of the buffers that are transferred: the sender has it no longer.'),
  shared: s.number('Memory that both sides have afterwards: SharedArrayBuffers, shared strings.'),
  by: s.oneOf(
    ['serializer', 'formula', 'shape'],
    "How `copied` is known: the engine's own serializer, its formula for what it hands over in memory, or an estimate from the shape.",
  ),
});

/** Schema of the result of `describe`; its words are in model/vocabulary/shape.ts. */
import * as s from '../schema.ts';
import { FLAGS_OF, KINDS, REPRESENTATION_SOURCES } from '../vocabulary/shape.ts';
import { DIMENSIONS } from '../vocabulary/words.ts';
import { engineSchema } from './names.ts';

/** Here, because guests would run the call when they load the lists. */
export const FLAGS = Object.values(FLAGS_OF).flat();

const kindSchema = s.oneOf(KINDS, { id: 'Kind' });

export type Facts = s.TypeOf<typeof factsSchema>;
export const factsSchema = s.named('Facts', 'Values at one pattern, of one kind, with the same flags.', {
  pattern: s.string(
    '$ root, .key or ["odd key"], [*] any index, {key} {value} of a Map, {member} of a Set, .* many different keys, .. everything deeper than the depth limit.',
  ),
  depth: s.number('0 for the root.'),
  parent: s.nullable(kindSchema, 'Of the value that holds it; null for the root.'),
  kind: kindSchema,
  flags: s.list(s.oneOf(FLAGS, { id: 'Flag' })),
  count: s.number(),
  example: s.string('Concrete path of the first one, cut in the middle when very long.'),
  tag: s.optional(
    s.text('Constructor or built-in type where the kind alone does not say it: "Float64Array".'),
  ),
  size: s.optional(
    s.object('UTF-16 units of strings, lengths of arrays, entries of objects, Maps and Sets.', {
      min: s.number(),
      max: s.number(),
      total: s.number(),
    }),
  ),
  keyBytes: s.optional(s.number('Mean bytes of their keys, where the pattern folds many different ones.')),
  bytes: s.optional(
    s.object(
      'Of buffers and views: used, copied (the whole backing store) and shared with the sender, each buffer once. Of strings: as stored.',
      {
        total: s.number(),
        max: s.number(),
        backing: s.optional(s.number()),
        shared: s.optional(s.number()),
      },
    ),
  ),
});

export type Shape = s.TypeOf<typeof shapeSchema>;
export const shapeSchema = s.named('Shape', {
  nodes: s.number(),
  depth: s.number(),
  jsonBytes: s.nullable(s.number(), 'UTF-8 bytes of its JSON text; null when there is none.'),
  jsonSafe: s.boolean('By these facts, JSON text restores to an equal value.'),
  patterns: s.list(factsSchema),
  truncated: s.object('What the walk left out.', {
    patterns: s.boolean(),
    depth: s.boolean(),
    items: s.boolean(),
  }),
  representation: s.object('Source of the storage facts: the engine itself, or what is observable.', {
    by: s.oneOf(REPRESENTATION_SOURCES),
    engine: engineSchema,
  }),
});

export const unitSchema = s.oneOf(DIMENSIONS, 'What grows.');

export type Dimension = s.TypeOf<typeof dimensionSchema>;
export const dimensionSchema = s.object({
  by: unitSchema,
  path: s.string('Of the array, string, object or buffer.'),
  size: s.number('The original one.'),
  grain: s.number('Sizes must be multiples of it: bytes of one element of a typed array; 1 elsewhere.'),
  weight: s.number('About how many bytes of the payload are spread over its members.'),
});

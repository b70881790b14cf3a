/** The part of a payload that a sweep scales. It is a separate file because the answer of a guest has it too. */
import * as s from '../schema.ts';
import { DIMENSIONS } from '../vocabulary/sweep.ts';

export const unitSchema = s.oneOf(DIMENSIONS, 'What grows.');

export type Dimension = s.TypeOf<typeof dimensionSchema>;
export const dimensionSchema = s.object({
  by: unitSchema,
  path: s.string('Of the array, string, object or buffer.'),
  size: s.number('The original one.'),
  grain: s.number('Sizes must be multiples of it: bytes of one element of a typed array; 1 elsewhere.'),
  weight: s.number('About how many bytes of the payload are spread over its members.'),
});

/**
 * Flags as bits, so that a walk over millions of values compares two integers per value and allocates nothing.
 * `observed` bits are visible to plain JavaScript, `stored` bits are how the engine stores the value.
 */

import {
  BIGINT_FLAGS,
  BUFFER_FLAGS,
  BUFFER_KINDS,
  type ERROR_FLAGS,
  type Flag,
  type Kind,
  NUMBER_FLAGS,
  STORED_FLAGS,
  STRING_FLAGS,
  STRUCTURE_FLAGS,
} from '../../../model/vocabulary/shape.ts';
import { filter, map } from '../../read/lists.ts';

type Bits<F extends Flag> = Readonly<Record<F, number>>;

const assignBits = <F extends Flag>(names: readonly F[]): Bits<F> =>
  Object.fromEntries(map(names, (name, i) => [name, 1 << i])) as Bits<F>;

export const STRING = assignBits(STRING_FLAGS);
export const NUMBER = assignBits(NUMBER_FLAGS);
export const BIGINT = assignBits(BIGINT_FLAGS);
export const STRUCTURE = assignBits(STRUCTURE_FLAGS);
/** All bits of an integer are used, so flags of errors share the bits of flags that only arrays and objects have. */
const { holes, 'named-props': named, 'indexed-key': indexed, ...OF_ERRORS } = STRUCTURE;
export const ERROR: Bits<(typeof ERROR_FLAGS)[number]> = {
  'cause-not-text': holes,
  'beyond-ascii': named,
  'lone-surrogate': indexed,
};
export const BUFFER = assignBits(BUFFER_FLAGS);
export const STORED = assignBits(STORED_FLAGS);

export const BUFFERS: ReadonlySet<Kind> = new Set<Kind>(BUFFER_KINDS);

const OBSERVED: { [K in Kind]?: Readonly<Partial<Record<Flag, number>>> } = {
  string: STRING,
  number: NUMBER,
  bigint: BIGINT,
  error: { ...OF_ERRORS, ...ERROR },
};

const namesIn = (bits: Readonly<Partial<Record<Flag, number>>>, mask: number): Flag[] =>
  mask === 0 ? [] : filter(Object.keys(bits) as Flag[], (name) => (mask & bits[name]!) !== 0);

export function listFlags(kind: Kind, observed: number, stored: number): Flag[] {
  const bits = OBSERVED[kind] ?? (BUFFERS.has(kind) ? BUFFER : STRUCTURE);
  return [...namesIn(bits, observed), ...namesIn(STORED, stored)];
}

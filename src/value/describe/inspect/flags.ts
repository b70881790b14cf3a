/**
 * Flags as bits, so that a walk over millions of values compares two integers per value and allocates nothing.
 * `observed` bits are visible to plain JavaScript, `stored` bits are how the engine stores the value.
 */

import { BUFFER_KINDS, FLAGS_OF, type Flag, type Kind } from '../../../model/vocabulary/shape.ts';
import { filter, map } from '../../read/lists.ts';

type Bits<F extends Flag> = Readonly<Record<F, number>>;

const assignBits = <F extends Flag>(names: readonly F[]): Bits<F> =>
  Object.fromEntries(map(names, (name, i) => [name, 1 << i])) as Bits<F>;

export const STRING = assignBits(FLAGS_OF.string);
export const NUMBER = assignBits(FLAGS_OF.number);
export const BIGINT = assignBits(FLAGS_OF.bigint);
export const STRUCTURE = assignBits(FLAGS_OF.structure);
/** All bits of an integer are used, so flags of errors share the bits of flags that only arrays and objects have. */
const { holes, 'named-props': named, 'indexed-key': indexed, ...OF_ERRORS } = STRUCTURE;
export const ERROR: Bits<(typeof FLAGS_OF.error)[number]> = {
  'cause-not-text': holes,
  'beyond-ascii': named,
  'lone-surrogate': indexed,
};
export const BUFFER = assignBits(FLAGS_OF.buffer);
export const STORED = assignBits(FLAGS_OF.stored);

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

/**
 * Serialized size of a message by its shape, where it is too large to be serialized once more: what V8's ValueSerializer
 * writes for each kind of value (src/objects/value-serializer.cc). Numbers are the part that facts do not tell exactly.
 */
import type { Facts, Kind, Shape } from '../../model/rules/shape.ts';
import { parsePath } from '../paths.ts';

const HEADER = 2;
const REFERENCE = 3;
/** Tag and varint of a small integer. */
const INTEGER = 3;
const DOUBLE = 9;
/** Of a key that the shape does not spell out. */
const USUAL_KEY = 10;

/** Tags and lengths, beside what the values hold. */
const OWN: Readonly<Partial<Record<Kind, number>>> = {
  ...{ object: 4, array: 7, map: 4, set: 4, date: 9, regexp: 5, error: 60, boxed: 9, bigint: 10 },
  ...{ string: 2, arraybuffer: 4, typedarray: 10, dataview: 10, sharedarraybuffer: 3 },
};

export function estimatedBytes({ patterns }: Shape): number {
  return Math.round(patterns.reduce((sum, row) => sum + valueBytes(row) + keyBytes(row), HEADER));
}

function valueBytes({ kind, flags, count, bytes }: Facts): number {
  const isAgain = kind !== 'string' && (flags.includes('repeated') || flags.includes('cycle'));
  if (isAgain) return count * REFERENCE;
  if (kind === 'number') return count * (flags.includes('int32') ? INTEGER : DOUBLE);
  const held = bytes?.backing ?? bytes?.total ?? 0;
  return count * (OWN[kind] ?? 1) + held;
}

/** A property's name is written before each of its values. */
function keyBytes({ pattern, parent, count }: Facts): number {
  if (parent !== 'object') return 0;
  const last = parsePath(pattern)?.at(-1);
  return count * (last?.type === 'key' ? last.key.length + 2 : USUAL_KEY);
}

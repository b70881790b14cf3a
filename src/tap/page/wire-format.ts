/** What V8's serializer makes of a value's parts. */
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { getPrototypeOf } from '../realm/intrinsics.ts';

/** Small integers of 31 bits: pointers are compressed in browsers. */
const MIN_SMALL_INTEGER = -(2 ** 30);
const MAX_SMALL_INTEGER = 2 ** 30 - 1;
export function varint(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest /= 128) bytes++;
  return bytes;
}

export const isSmall = (value: number) =>
  value >= MIN_SMALL_INTEGER &&
  value <= MAX_SMALL_INTEGER &&
  value % 1 === 0 &&
  !(value === 0 && 1 / value < 0);

/** An object of a class of the program's is sent as a plain one is. */
export function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value);
  // Object.prototype, of another document perhaps.
  if (prototype === null || getPrototypeOf(prototype) === null) return true;
  const { kind, web } = typeDetection.of(value);
  return kind === 'object' && web !== true;
}

/** The array index that a key is. */
export function indexOf(name: string): number | null {
  const index = +name;
  return index >= 0 && index < 2 ** 32 - 1 && `${index}` === name && index % 1 === 0 ? index : null;
}

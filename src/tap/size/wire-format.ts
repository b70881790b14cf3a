/** What V8's serializer makes of a value's parts (src/objects/value-serializer.cc, version 15). */
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { bigintText, charCodeAt, getPrototypeOf, isArray } from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';

export const HEADER_BYTES = 2;
export const TAG = 1;
export const DOUBLE = TAG + 8;

export function varint(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest /= 128) bytes++;
  return bytes;
}

export const integerBytes = (value: number): number => TAG + varint(value < 0 ? -2 * value - 1 : 2 * value);

/** Of an identity that was met before. */
export const referenceBytes = (id: number): number => TAG + varint(id);

const LONG = 64n;
const DIGIT_BITS = 4;

export function bigintBytes(value: bigint): number {
  const isLong = value >= 2n ** LONG || value <= -(2n ** LONG);
  const bytes = isLong
    ? 8 * Math.ceil((bigintText(value, 16).length * DIGIT_BITS) / 64)
    : value === 0n
      ? 0
      : 8;
  return TAG + varint(2 * bytes) + bytes;
}

/** @param bits of small integers: 31 where pointers are compressed, as in browsers; else 32 */
export function isSmall(value: number, bits: 31 | 32): boolean {
  const limit = bits === 31 ? 2 ** 30 : 2 ** 31;
  return value >= -limit && value < limit && value % 1 === 0 && !(value === 0 && 1 / value < 0);
}

/** An object of a class of the program's is sent as a plain one is. */
export function isPlain(value: object, { isProxy }: TypeTests): boolean {
  const prototype = getPrototypeOf(value);
  // What it inherits is not sent.
  if (isProxy(prototype)) return true;
  // Object.prototype, of another document perhaps.
  if (prototype === null || getPrototypeOf(prototype) === null) return true;
  const { kind, web } = typeDetection().of(value);
  return kind === 'object' && web !== true;
}

const ZERO = 48;
const NINE = 57;

/** The array index that a key is. */
export function indexOf(name: string): number | null {
  const first = charCodeAt(name, 0);
  if (!(first >= ZERO && first <= NINE)) return null;
  const index = +name;
  return index >= 0 && index < 2 ** 32 - 1 && `${index}` === name && index % 1 === 0 ? index : null;
}

/** How much there may be in a value, so that a look at some of it is dealt out among its children. */
export const extentOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 1 : isArray(value) ? 2 + value.length : 8;

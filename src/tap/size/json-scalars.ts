/** Texts and elements of views as JSON text, of long ones by some parts. */
import { callOn, TYPED_ARRAY, viewRange } from '../../core/value/intrinsics.ts';
import { charCodeAt, isFiniteNumber, quoted, slice, toText } from '../realm/intrinsics.ts';
import { GOLDEN } from './sample.ts';

const Bytes = Uint8Array;

/** Longer texts are read in parts. */
const MAX_READ = 1 << 16;
const PART = 1 << 10;
const PARTS = 32;
/** Elements that are read. */
const MAX_ELEMENTS = 1 << 12;
const QUOTES = 2;

interface PartSize {
  variance: number;
  isWhole: boolean;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Without halves of pairs at its ends. */
function partAt(text: string, at: number): string {
  const from = isLow(charCodeAt(text, at)) ? at + 1 : at;
  const end = at + PART;
  return slice(text, from, isHigh(charCodeAt(text, end - 1)) ? end - 1 : end);
}

/** Of its JSON text, in which no half of a pair stands alone. */
function quotedBytes(text: string): number {
  const written = quoted(text);
  let bytes = written.length;
  for (let i = 0; i < written.length; i++) {
    const unit = charCodeAt(written, i);
    // A pair takes four bytes: two for each half.
    if (unit >= 0x80) bytes += unit < 0x800 || isHigh(unit) || isLow(unit) ? 1 : 2;
  }
  return bytes;
}

export function ofText(text: string): PartSize & { bytes: number } {
  const { length } = text;
  if (length <= MAX_READ) return { bytes: quotedBytes(text), variance: 0, isWhole: true };
  let [sum, squares] = [0, 0];
  for (let i = 0; i < PARTS; i++) {
    const part = partAt(text, Math.floor((i * (length - PART)) / (PARTS - 1)));
    const each = (quotedBytes(part) - QUOTES) / part.length;
    sum += each;
    squares += each ** 2;
  }
  const mean = sum / PARTS;
  const variance = (length ** 2 * Math.max(0, squares / PARTS - mean ** 2)) / (PARTS - 1);
  return { bytes: mean * length + QUOTES, variance, isWhole: false };
}

/** @param asBytes whatever its elements are; else a typed array */
export function ofViewed(view: object, asBytes: boolean): PartSize & { length: number; digits: number } {
  const { buffer, offset, bytes } = viewRange(view);
  const elements = asBytes ? new Bytes(buffer, offset, bytes) : (view as ArrayLike<unknown>);
  const length = asBytes ? bytes : (callOn(TYPED_ARRAY.length, view) as number);
  const isWhole = length <= MAX_ELEMENTS;
  const read = isWhole ? length : MAX_ELEMENTS;
  let [sum, squares] = [0, 0];
  for (let i = 0; i < read; i++) {
    // No stride: elements may be four by four, as those of pixels.
    const one = elements[isWhole ? i : Math.floor(((i * GOLDEN) % 1) * length)];
    const digits = typeof one === 'number' && isFiniteNumber(one) ? toText(one).length : 4;
    sum += digits;
    squares += digits ** 2;
  }
  if (isWhole) return { length, digits: sum, variance: 0, isWhole: true };
  const mean = sum / read;
  const variance = (length ** 2 * Math.max(0, squares / read - mean ** 2)) / (read - 1);
  return { length, digits: mean * length, variance, isWhole: false };
}

/** Digits of all whole numbers from 0 to below this one. */
export function digitsBelow(count: number): number {
  let digits = count;
  for (let from = 10; from < count; from *= 10) digits += count - from;
  return digits;
}

/** Texts that say nothing and are stored like those that they stand for. */
import { map } from './value/lists.ts';

/** Letters first, no address, no long identifier; four digits are a number, a date or a token. */
const NAME = /^(?!(?:\D*\d){4})[A-Za-z_$][\w$-]{0,31}$/;

/** Keys that are names stay; others are data. */
export const isKeyName = (key: string): boolean => NAME.test(key);

/** More keys than this are a map, as in the shape of a payload. */
export const MAX_NAMES = 64;

const TWO_BYTES_UTF8 = '\u00e9';
const TWO_BYTES_WIDE = '\u0100';
const THREE_BYTES = '\u4e00';

/** One-byte or two-byte storage, bytes in UTF-8 and bytes as JSON stay: quotes, backslashes and controls are kept. */
function maskedUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code < 0x20 || unit === '"' || unit === '\\') return unit;
  if (code < 0x80) return 'x';
  if (code < 0x100) return TWO_BYTES_UTF8;
  if (code < 0x800) return TWO_BYTES_WIDE;
  if (code < 0xd800 || code > 0xdfff) return THREE_BYTES;
  return code < 0xdc00 ? '\ud83d' : '\ude00';
}

/** As many units, of the same widths. */
export const maskedText = (text: string): string => map(text.split(''), maskedUnit).join('');

/** Digits stay digits: whole numbers as keys are stored as elements of an array. */
const isIndex = (key: string) => /^(?:0|[1-9]\d{0,8})$/.test(key);

/** Each key another, as long as before where that is possible. */
export function maskedKey(key: string, at: number): string {
  if (isIndex(key)) return String(10 ** (key.length - 1) + at);
  const number = String(at);
  return maskedText(key).slice(0, Math.max(0, key.length - number.length)) + number;
}

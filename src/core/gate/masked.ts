/** A JSON value with other texts of the same sizes: it takes the same path and as many bytes, and says nothing. */
import { isKeyName } from '../key-names.ts';

/** More keys than this are a map, as in the shape of a payload. */
const MOST_NAMES = 64;

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

const maskedText = (text: string): string => text.split('').map(maskedUnit).join('');

/** Digits stay digits: whole numbers as keys are stored as elements of an array. */
const isIndex = (key: string) => /^(?:0|[1-9]\d{0,8})$/.test(key);

/** Each key another, as long as before where that is possible. */
function maskedKey(key: string, at: number): string {
  if (isIndex(key)) return String(10 ** (key.length - 1) + at);
  const number = String(at);
  return maskedText(key).slice(0, Math.max(0, key.length - number.length)) + number;
}

function maskedObject(value: object): Record<string, unknown> {
  const entries = Object.entries(value);
  const isMap = entries.length > MOST_NAMES;
  return Object.fromEntries(
    entries.map(([key, inner], at) => [isMap || !isKeyName(key) ? maskedKey(key, at) : key, masked(inner)]),
  );
}

/** Numbers, booleans and keys that are names stay. @param json a value from JSON.parse, of any depth that it can print */
export function masked(json: unknown): unknown {
  if (typeof json === 'string') return maskedText(json);
  if (typeof json !== 'object' || json === null) return json;
  return Array.isArray(json) ? json.map(masked) : maskedObject(json);
}

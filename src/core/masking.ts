/** Texts that say nothing and are stored like those that they stand for. */

import type { Shape } from '../model/documents/shape.ts';
import { formatPath, type PathStep, parsePath, patternOf } from './paths.ts';
import { map } from './value/lists.ts';
import { isIndexKey } from './value/own-data.ts';

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

/** Each key another, as long as before where that is possible. */
export function maskedKey(key: string, at: number): string {
  // Digits stay digits: whole numbers as keys are stored as elements of an array.
  if (isIndexKey(key)) return String(10 ** (key.length - 1) + at);
  const number = String(at);
  return maskedText(key).slice(0, Math.max(0, key.length - number.length)) + number;
}

/** Writes the paths and patterns of a payload of this shape without keys that are data. */
export function withoutDataKeys(shape: Shape): (path: string) => string {
  // An object of so many different keys that the shape folds them is a map: its keys are data.
  const folded = shape.patterns.map(({ pattern }) => pattern).filter((pattern) => pattern.endsWith('.*'));
  const maps = new Set(folded.map((pattern) => pattern.slice(0, -2)));
  return (path) => {
    const steps = parsePath(path);
    if (steps === null) return path;
    const kept: PathStep[] = [];
    for (const [at, step] of steps.entries()) {
      const parent = patternOf(formatPath(steps.slice(0, at))) ?? '$';
      const isData = step.type === 'key' && (!isKeyName(step.key) || maps.has(parent));
      kept.push(isData ? { type: 'any-key' } : step);
    }
    return formatPath(kept);
  };
}

function maskedObject(value: object): Record<string, unknown> {
  const entries = Object.entries(value);
  const isMap = entries.length > MAX_NAMES;
  return Object.fromEntries(
    entries.map(([key, inner], at) => [isMap || !isKeyName(key) ? maskedKey(key, at) : key, masked(inner)]),
  );
}

/**
 * Other texts of the same sizes; numbers, booleans and keys that are names stay.
 *
 * @param json a value from JSON.parse, of any depth that it can print
 */
export function masked(json: unknown): unknown {
  if (typeof json === 'string') return maskedText(json);
  if (typeof json !== 'object' || json === null) return json;
  return Array.isArray(json) ? json.map(masked) : maskedObject(json);
}

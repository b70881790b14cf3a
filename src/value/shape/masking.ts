/** Masking: replaces texts by meaningless texts that engines store in the same way. */

import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { map } from '../read/lists.ts';
import { isIndexKey } from '../read/own-data.ts';
import { formatPath, type PathStep, parsePath, patternOf } from '../read/paths.ts';

/** A name starts with a letter and is not an address or a long id; four digits are a number, a date or a token. */
const NAME = /^(?!(?:\D*\d){4})[A-Za-z_$][\w$-]{0,31}$/;

export const isKeyName = (key: string): boolean => NAME.test(key);

/** Maximum named keys of an object. An object with more keys is a map, as in the shape of a payload. */
export const MAX_NAMES = 64;

const TWO_BYTES_UTF8 = '\u00e9';
const TWO_BYTES_WIDE = '\u0100';
const THREE_BYTES = '\u4e00';

/** Keeps the storage (one-byte or two-byte) and the sizes in UTF-8 and JSON, so quotes, backslashes, controls stay. */
function maskedUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code < 0x20 || unit === '"' || unit === '\\') return unit;
  if (code < 0x80) return 'x';
  if (code < 0x100) return TWO_BYTES_UTF8;
  if (code < 0x800) return TWO_BYTES_WIDE;
  if (code < 0xd800 || code > 0xdfff) return THREE_BYTES;
  return code < 0xdc00 ? '\ud83d' : '\ude00';
}

/** The number of UTF-16 units and their widths stay the same. */
const maskedText = (text: string): string => map(text.split(''), maskedUnit).join('');

/** All masked keys differ, with the same length if possible. */
export function maskedKey(key: string, at: number): string {
  // Digits stay digits: whole numbers as keys are stored as elements of an array.
  if (isIndexKey(key)) return String(10 ** (key.length - 1) + at);
  const number = String(at);
  return maskedText(key).slice(0, Math.max(0, key.length - number.length)) + number;
}

/** Writes paths and patterns of a payload of this shape without the keys that are data. */
export function withoutDataKeys(shape: Pick<Shape, 'patterns'>): (path: string) => string {
  // An object with so many different keys that the shape folds them into `.*` is a map: its keys are data.
  const folded = shape.patterns.map(({ pattern }) => pattern).filter((pattern) => pattern.endsWith('.*'));
  const maps = new Set(folded.map((pattern) => pattern.slice(0, -2)));
  const isInMap = (before: PathStep[]) => maps.size > 0 && maps.has(patternOf(formatPath(before)) ?? '$');
  return (path) => {
    const steps = parsePath(path);
    if (steps === null) return path;
    const kept = steps.map((step, at): PathStep => {
      const isData = step.type === 'key' && (!isKeyName(step.key) || isInMap(steps.slice(0, at)));
      return isData ? { type: 'any-key' } : step;
    });
    return formatPath(kept);
  };
}

const PATHS = /\$(?:\.\*|\.[A-Za-z_$][\w$]*|\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\{\w+(?::\d+)?\})+/g;

/** A part of a document about a payload as it is shared: no text has a path with keys that are data. */
export function sharedPart<Part>(part: Part, shape: Pick<Shape, 'patterns'>): Part {
  const plain = withoutDataKeys(shape);
  return JSON.parse(JSON.stringify(part), (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(PATHS, plain) : value,
  );
}

function withoutDataSchema({ schema, ...rest }: Run): Run {
  const isNamed = schema?.records.every(({ fields }) => fields.every(({ key }) => isKeyName(key))) ?? true;
  return isNamed && schema !== undefined ? { ...rest, schema } : rest;
}

function sharedPayload(payload: PayloadReport): PayloadReport {
  const patterns = payload.runs.flatMap(({ shape }) => shape?.patterns ?? []);
  return sharedPart({ ...payload, runs: payload.runs.map(withoutDataSchema) }, { patterns });
}

export const sharedReport = (report: Report): Report => ({
  ...report,
  payloads: report.payloads.map(sharedPayload),
});

/** Numbers, booleans, names stay. @param json from JSON.parse, at most as deep as JSON.stringify can print */
export function masked(json: unknown): unknown {
  if (typeof json === 'string') return maskedText(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(masked);
  const entries = Object.entries(json);
  const isMap = entries.length > MAX_NAMES;
  return Object.fromEntries(
    entries.map(([key, inner], at) => [isMap || !isKeyName(key) ? maskedKey(key, at) : key, masked(inner)]),
  );
}

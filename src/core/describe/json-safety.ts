/** What JSON text keeps of a payload, read off its facts. */
import type { Facts } from '../../model/documents/shape.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { has } from '../shape-facts.ts';

const KEPT_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'null',
  'boolean',
  'number',
  'string',
  'object',
  'array',
]);

/** Changed by JSON.stringify followed by JSON.parse. */
const LOST = [
  'nan',
  'negative-zero',
  'infinite',
  'holes',
  'named-props',
  'symbol-key',
  'to-json',
] as const satisfies readonly Flag[];
/** Equal strings stay equal strings; only objects have an identity to lose. */
const LOST_IDENTITY = ['repeated', 'cycle'] as const satisfies readonly Flag[];
/**
 * Changed by structured clone in the same way, or JSON.stringify would run code of the payload's owner. Integrity levels
 * and attributes are not in these lists: no data is lost with them.
 */
const LOST_BY_CLONE = [
  'class-instance',
  'null-prototype',
  'subclass',
  'accessor',
  'non-enumerable',
] as const satisfies readonly Flag[];

/** JSON text of such values restores to what their structured clone is. */
export function keepsCloneOf(row: Facts): boolean {
  if (!KEPT_KINDS.has(row.kind) || has(row, ...LOST)) return false;
  return row.kind === 'string' || !has(row, ...LOST_IDENTITY);
}

/** A flag of what JSON text does not give back. */
export type JsonLoss =
  | (typeof LOST)[number]
  | (typeof LOST_IDENTITY)[number]
  | (typeof LOST_BY_CLONE)[number];

/** The kind or the flag of the row for which JSON text does not restore to an equal value; null where it does. */
export function jsonLossOf(row: Facts): { kind: Kind } | { flag: JsonLoss } | null {
  if (!KEPT_KINDS.has(row.kind)) return { kind: row.kind };
  const identity = row.kind === 'string' ? [] : LOST_IDENTITY;
  const flag = [...LOST, ...identity, ...LOST_BY_CLONE].find((one) => has(row, one));
  return flag === undefined ? null : { flag };
}

/** Engines recurse in JSON.stringify; at this depth it may overflow their stack. */
export const MAX_JSON_DEPTH = 2000;

/** JSON text of the payload restores to an equal value. */
export function isJsonSafe(rows: readonly Facts[], depth: number): boolean {
  return depth <= MAX_JSON_DEPTH && rows.every((row) => jsonLossOf(row) === null);
}

/** `undefined` is dropped or becomes null, but JSON.stringify runs no user code for it. */
const isHarmless = (row: Facts): boolean =>
  (KEPT_KINDS.has(row.kind) || row.kind === 'undefined') && !has(row, 'accessor', 'to-json', 'cycle');

/** Each hole becomes "null": a text of hundreds of megabytes, which takes an engine tens of seconds. */
const MAX_HOLES = 5_000_000;

const isMostlyHoles = (row: Facts): boolean => has(row, 'holes') && (row.size?.total ?? 0) > MAX_HOLES;

/** UTF-8 bytes of JSON.stringify(value); null when there is no text, or getting it takes long or runs foreign code. */
export function jsonBytes(
  value: unknown,
  rows: readonly Facts[],
  depth: number,
  utf8Bytes: (text: string) => number,
): number | null {
  if (depth > MAX_JSON_DEPTH || !rows.every(isHarmless) || rows.some(isMostlyHoles)) return null;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : utf8Bytes(text);
  } catch {
    // Longer than the longest string of the engine.
    return null;
  }
}

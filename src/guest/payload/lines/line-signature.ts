/** Objects with more keys count as maps: their keys are data, not shape. */
import { map } from '../../../core/value/lists.ts';

const MAX_KEYS = 64;
const MAX_DEPTH = 6;
const MAX_ITEMS = 1000;

export const isMapLike = (keys: readonly unknown[]): boolean => keys.length > MAX_KEYS;

/** Distinct signatures of many values, in an order that does not depend on theirs. */
function union(values: readonly unknown[], depth: number): string {
  const seen = new Set(map(values.slice(0, MAX_ITEMS), (value) => signatureAt(value, depth)));
  return [...seen].sort().join('|');
}

function signatureAt(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === MAX_DEPTH) return Array.isArray(value) ? '[..]' : '{..}';
  if (Array.isArray(value)) return `[${union(value, depth + 1)}]`;
  const entries = Object.entries(value);
  if (isMapLike(entries)) return `{*:${union(Object.values(value), depth + 1)}}`;
  const members = map(entries, ([key, inner]) => `${JSON.stringify(key)}:${signatureAt(inner, depth + 1)}`);
  return `{${members.sort().join(',')}}`;
}

/** Two parsed JSON values have the same signature when they have the same keys and types down to a few levels. */
export function signatureOf(value: unknown): string {
  return signatureAt(value, 0);
}

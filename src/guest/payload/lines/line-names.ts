/**
 * Names of groups of lines: from what the lines of a group have in common, and from nothing else. A further line, another
 * order or another group must not change them: baselines are found by them.
 */

import { filter, map } from '../../../core/value/lists.ts';
import { fnv1a } from '../../../model/fnv1a.ts';

/** Objects with more keys count as maps: their keys are data, not shape. */
const MAX_KEYS = 64;
const MAX_DEPTH = 6;
const MAX_ITEMS = 1000;

const isMapLike = (keys: readonly unknown[]): boolean => keys.length > MAX_KEYS;

/** Distinct signatures of many values, in an order that does not depend on theirs. */
function union(values: readonly unknown[], depth: number): string {
  const seen = new Set(map(values.slice(0, MAX_ITEMS), (value) => lineSignature(value, depth)));
  return [...seen].sort().join('|');
}

/** Two parsed JSON values have the same signature when they have the same keys and types down to a few levels. */
export function lineSignature(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === MAX_DEPTH) return Array.isArray(value) ? '[..]' : '{..}';
  if (Array.isArray(value)) return `[${union(value, depth + 1)}]`;
  const entries = Object.entries(value);
  if (isMapLike(entries)) return `{*:${union(Object.values(value), depth + 1)}}`;
  const members = map(entries, ([key, inner]) => `${JSON.stringify(key)}:${lineSignature(inner, depth + 1)}`);
  return `{${members.sort().join(',')}}`;
}

/** Keys whose value tells kinds of messages apart, the most telling first. */
const DISCRIMINATORS = [
  'type',
  'kind',
  'event',
  'op',
  'action',
  'method',
  'tag',
  '__typename',
  '$type',
  '@type',
];
/** Longer ones, or with other characters, are data rather than names. */
const NAMED_KEY = /^[A-Za-z_$][\w$-]{0,31}$/;
const NAMED_VALUE = /^[A-Za-z_][\w.:/-]{0,31}$/;
const KEYS_NAMED = 3;

/**
 * "order" of `{ "type": "order", ... }`; without such a key the first keys in alphabetical order, "id+name+total", or the
 * type of the value. Lines of one signature may have several kinds, lines of one kind several signatures.
 */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const fields = value as Record<string, unknown>;
  for (const key of DISCRIMINATORS) {
    const named = Object.hasOwn(fields, key) ? fields[key] : null;
    if (typeof named === 'string' && NAMED_VALUE.test(named)) return named;
  }
  const keys = Object.keys(fields);
  if (isMapLike(keys)) return 'map';
  const named = filter(keys, (key) => NAMED_KEY.test(key))
    .sort()
    .slice(0, KEYS_NAMED);
  return named.join('+') || (keys.length === 0 ? 'empty' : 'object');
}

/** A name for each group: its kind, with a hash of the signature ("order~1x2y3z") for all but the simplest of a kind. */
export function nameGroups<T extends { kind: string; signature: string }>(
  groups: readonly T[],
): Map<T, string> {
  // The simplest shape first: optional fields make a signature longer.
  const sorted = [...groups].sort(
    ({ signature: a }, { signature: b }) => a.length - b.length || (a < b ? -1 : 1),
  );
  const names = new Map<T, string>();
  const used = new Set<string>();
  for (const group of sorted) {
    let name = group.kind;
    for (let text = group.signature; used.has(name); text += '.')
      name = `${group.kind}~${fnv1a(text).toString(36)}`;
    used.add(name);
    names.set(group, name);
  }
  return names;
}

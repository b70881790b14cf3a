/**
 * Names of groups of lines: from what the lines of a group have in common, and from nothing else. A further line, another
 * order or another group must not change them: baselines are found by them.
 */

import { filter } from '../../../core/value/lists.ts';
import { fnv1a } from '../../../model/fnv1a.ts';
import { isMapLike } from './line-signature.ts';

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
export function kindOf(value: unknown): string {
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

interface Named {
  kind: string;
  signature: string;
}

/** The simplest shape first: optional fields make a signature longer. */
const bySignature = (a: Named, b: Named) =>
  a.signature.length - b.signature.length || (a.signature < b.signature ? -1 : 1);

/** A name for each group: its kind, with a hash of the signature ("order~1x2y3z") for all but the simplest of a kind. */
export function namesOf<T extends Named>(groups: readonly T[]): Map<T, string> {
  const names = new Map<T, string>();
  const used = new Set<string>();
  for (const group of [...groups].sort(bySignature)) {
    let name = group.kind;
    for (let text = group.signature; used.has(name); text += '.')
      name = `${group.kind}~${fnv1a(text).toString(36)}`;
    used.add(name);
    names.set(group, name);
  }
  return names;
}

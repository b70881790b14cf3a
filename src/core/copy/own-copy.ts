/** Deep copies that share nothing with the original and are stored like it. */
import { isObject } from '../value/own-data.ts';
import { isPlainRecord, setOwn, shallowCopy } from './shallow-copy.ts';

/** How objects that are neither arrays nor plain (Date, Map, class instances) are copied. */
export type CloneOther = (value: object) => unknown;

/** From this length on a string is copied: engines keep short ones as one interned object anyway. */
const LONG_TEXT = 64;

/**
 * A flat copy of the string. Joining writes the pieces into new memory; concatenation makes a rope and slicing a view,
 * which engines send in other ways.
 */
export function ownText(text: string): string {
  const half = text.length >> 1;
  return [text.slice(0, half), text.slice(half)].join('');
}

/**
 * A deep copy; references shared within `root` stay shared within the copy. Not recursive.
 *
 * @param made existing copies by their original; these originals are not copied again
 * @param replacements values to copy instead of others
 */
export function ownCopy(
  root: unknown,
  cloneOther: CloneOther,
  made: Map<object, unknown> = new Map<object, unknown>(),
  replacements: ReadonlyMap<object, unknown> = new Map<object, unknown>(),
): unknown {
  const open: object[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length < LONG_TEXT ? value : ownText(value);
    if (!isObject(value)) return value;
    const replacement = replacements.get(value);
    if (replacement !== undefined && replacement !== value) return copyOf(replacement);
    if (made.has(value)) return made.get(value);
    const isContainer = Array.isArray(value) || isPlainRecord(value);
    const copy = isContainer ? shallowCopy(value) : cloneOther(value);
    made.set(value, copy);
    if (isContainer) open.push(copy as object);
    return copy;
  };
  const copy = copyOf(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) copyMembers(next, copyOf);
  return copy;
}

function copyMembers(container: object, copyOf: (value: unknown) => unknown): void {
  const replace = (key: string | number, member: unknown) => {
    const copy = copyOf(member);
    if (copy !== member || typeof member === 'string') setOwn(container, key, copy);
  };
  if (Array.isArray(container)) {
    for (let i = 0; i < container.length; i++) if (container[i] !== undefined) replace(i, container[i]);
  } else {
    for (const key of Object.keys(container)) {
      // A getter is not run; the copy keeps it.
      const property = Object.getOwnPropertyDescriptor(container, key);
      if (property && 'value' in property) replace(key, property.value);
    }
  }
}

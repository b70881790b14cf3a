/**
 * An object that was inspected property by property stands for all objects of its hidden class: they have the same
 * keys, attributes and prototype, so they can be read plainly. One inspection serves all rows of a table.
 */
import { STRUCTURE } from './flags.ts';

export interface KnownObject {
  object: object;
  bits: number;
  stored: number;
  tag: string | undefined;
  keys: readonly string[];
}

/** Hidden classes that alternate at one pattern, before the oldest is dropped. */
const MAX_CLASSES = 4;

/** Not determined by the hidden class (elements, the limit of the walk), or unsafe to read plainly. */
const NOT_CACHEABLE =
  STRUCTURE.accessor | STRUCTURE['indexed-key'] | STRUCTURE['too-many-keys'] | STRUCTURE['non-extensible'];

/** `stored` 0: not a dictionary, whose hidden class says nothing about its keys. */
export function isCacheable(bits: number, stored: number): boolean {
  return stored === 0 && (bits & NOT_CACHEABLE) === 0;
}

export function addToCache(cache: KnownObject[], fresh: KnownObject): void {
  if (cache.length === MAX_CLASSES) cache.shift();
  cache.push(fresh);
}

/** The values of the known keys. Null when there is one more key: an index, which is not part of the hidden class. */
export function readAsKnown(value: Record<string, unknown>, keys: readonly string[]): unknown[] | null {
  if (Object.keys(value).length !== keys.length) return null;
  const values = new Array<unknown>(keys.length);
  for (let i = 0; i < keys.length; i++) values[i] = value[keys[i]!];
  return values;
}

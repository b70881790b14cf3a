/**
 * Objects looked at property by property stand for those that the engine gives the same hidden class: these have the
 * same keys, attributes and prototype, and are read plainly. One look then serves all rows of a table.
 */
import { STRUCTURE } from '../flags.ts';
import type { OwnProperties } from './own-properties.ts';

export interface KnownObject {
  object: object;
  bits: number;
  stored: number;
  tag: string | undefined;
  keys: readonly string[];
}

/** Shapes that alternate at one place, before the oldest is forgotten. */
const MOST = 4;

/** Not told by the hidden class (elements, the walk's own limit), or not to be read plainly. */
const UNFIT =
  STRUCTURE.accessor | STRUCTURE['indexed-key'] | STRUCTURE['too-many-keys'] | STRUCTURE['non-extensible'];

/** `stored` 0: not a dictionary, whose hidden class tells nothing. */
export function isCacheable(bits: number, stored: number): boolean {
  return stored === 0 && (bits & UNFIT) === 0;
}

export function addToCache(exemplars: KnownObject[], fresh: KnownObject): void {
  if (exemplars.length === MOST) exemplars.shift();
  exemplars.push(fresh);
}

/** Null when one more key is there, which is then an index: elements are no part of the hidden class. */
export function readAsKnown(
  value: Record<string, unknown>,
  { bits, keys }: KnownObject,
): OwnProperties | null {
  if (Object.keys(value).length !== keys.length) return null;
  const values = new Array<unknown>(keys.length);
  for (let i = 0; i < keys.length; i++) values[i] = value[keys[i]!];
  return { bits, steps: keys, values };
}

/** Copies of one object that engines store like the original, so that they take the same path when posted. */
import { accepts, callOn, MAP } from '../value/intrinsics.ts';

/** Assigns an own property; a plain assignment to `__proto__` would change the prototype. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key !== '__proto__') (target as Record<string | number, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function isPlainRecord(value: object): value is Record<string, unknown> {
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

/**
 * A copy of an array, a Map or an object with own properties, with the same members. Prototype and getters are kept; no
 * getter runs.
 *
 * @param omitted key of a property to leave out
 */
export function shallowCopy(original: object, omitted: string | null = null): object {
  // `slice` keeps the elements kind in V8 and the indexing type in JSC.
  if (Array.isArray(original)) return original.slice();
  if (isMap(original)) return new Map(entriesOf(original));
  return isPlainData(original) ? copyOfPlain(original, omitted) : copyByDescriptors(original, omitted);
}

/**
 * From this many keys on V8 keeps a parsed object as a dictionary. Below, an object that is filled by computed keys
 * becomes a dictionary from some twenty keys on, while spreading keeps it fast (%HasFastProperties on Node 20 and 26).
 */
const MAX_FAST_KEYS = 128;

function copyOfPlain(original: Record<string, unknown>, omitted: string | null): object {
  const keys = Object.keys(original);
  if (keys.length > MAX_FAST_KEYS) {
    const copy = {};
    for (const key of keys) if (key !== omitted) setOwn(copy, key, original[key]);
    return copy;
  }
  if (omitted === null) return { ...original };
  const { [omitted]: _, ...rest } = original;
  return rest;
}

function copyByDescriptors(original: object, omitted: string | null): object {
  const copy = Object.create(Object.getPrototypeOf(original) as object | null) as object;
  for (const key of Object.keys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, key);
    if (key === omitted || property === undefined) continue;
    const writable = property.get ? {} : { writable: true };
    Object.defineProperty(copy, key, { ...property, ...writable, configurable: true });
  }
  return copy;
}

function isPlainData(value: object): value is Record<string, unknown> {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.keys(value).every((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key);
    return property !== undefined && 'value' in property;
  });
}

export function isMap(value: object): value is Map<unknown, unknown> {
  // The slot check throws for other objects, which is slow: it must not run for each of a million rows.
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return false;
  return accepts(MAP.size, value);
}

export function entriesOf(map: Map<unknown, unknown>): [unknown, unknown][] {
  return [...(callOn(MAP.entries, map) as IterableIterator<[unknown, unknown]>)];
}

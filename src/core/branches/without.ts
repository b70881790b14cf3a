/** A payload less one of its branches. */
import { callOn, getterOf, methodOf } from '../describe/inspect/intrinsics.ts';
import { parsePath, type Step } from '../paths.ts';
import { put } from '../sweep/own-copy.ts';

/** A holder on the way to the branch, and its copy. */
type Copies = Map<object, object>;

/**
 * `value` without what lies at `path`, a pattern whose last step is a key: the property is gone from every object there.
 * Only the holders on the way are copied, stored as engines store the like fresh from JSON; all
 * else is shared with the input, which stays as it is. One holder met twice has one copy. What cannot be entered (a
 * getter, an absent key) is left alone.
 */
export function without(value: unknown, path: string): unknown {
  const steps = parsePath(path) ?? [];
  const last = steps.at(-1);
  if (last?.type !== 'key' || !isObject(value)) return value;
  const omitted = (level: number) => (level === steps.length - 1 ? last.key : null);
  const root = copyOf(value, omitted(0));
  let holders: Copies = new Map([[value, root]]);
  for (const [level, step] of steps.slice(0, -1).entries()) {
    holders = copiesBelow(holders, step, omitted(level + 1));
  }
  return root;
}

/** Replaces the children that fit the step by copies of theirs. */
function copiesBelow(holders: Copies, step: Step, omitted: string | null): Copies {
  const made: Copies = new Map();
  const copied = (child: object): object => {
    const copy = made.get(child) ?? copyOf(child, omitted);
    made.set(child, copy);
    return copy;
  };
  for (const [original, holder] of holders) {
    const map = isMap(holder) ? holder : null;
    for (const [key, child] of childrenAt(original, step)) {
      if (!isObject(child)) continue;
      if (map) map.set(key, copied(child));
      else put(holder, key as string | number, copied(child));
    }
  }
  return made;
}

function* childrenAt(holder: object, step: Step): Iterable<[unknown, unknown]> {
  if (step.type === 'entry' && step.part === 'value' && isMap(holder)) yield* entriesOf(holder);
  else if (step.type === 'index' && step.index === null && Array.isArray(holder)) yield* heldBy(holder);
  else if (step.type === 'key') yield* heldAt(holder, step.key);
  else if (step.type === 'index' && step.index !== null) yield* heldAt(holder, step.index);
  else if (step.type === 'any-key') for (const key of Object.keys(holder)) yield* heldAt(holder, key);
}

/** Holes stay holes. */
function* heldBy(array: readonly unknown[]): Iterable<[number, unknown]> {
  for (let index = 0; index < array.length; index++) {
    const child = Object.getOwnPropertyDescriptor(array, index)?.value as unknown;
    if (isObject(child)) yield [index, child];
  }
}

function* heldAt(holder: object, key: string | number): Iterable<[string | number, unknown]> {
  const child = Object.getOwnPropertyDescriptor(holder, key)?.value as unknown;
  if (child !== undefined) yield [key, child];
}

function copyOf(holder: object, omitted: string | null): object {
  if (Array.isArray(holder)) return holder.slice();
  if (isMap(holder)) return new Map(entriesOf(holder));
  return isPlainData(holder) ? plainCopy(holder, omitted) : definedCopy(holder, omitted);
}

/**
 * From here on V8 keeps a parsed object as a dictionary; below, one that is filled by computed keys becomes a dictionary
 * from some twenty keys on, while spreading keeps it fast (%HasFastProperties on Node 20 and 26). Filling a copy the
 * other way round would send it another way than the original.
 */
const MOST_FAST_KEYS = 128;

function plainCopy(holder: Record<string, unknown>, omitted: string | null): object {
  const keys = Object.keys(holder);
  if (keys.length <= MOST_FAST_KEYS) return omitted === null ? { ...holder } : restOf(holder, omitted);
  const copy = {};
  for (const key of keys) if (key !== omitted) put(copy, key, holder[key]);
  return copy;
}

function restOf(holder: Record<string, unknown>, omitted: string): object {
  const { [omitted]: _left, ...rest } = holder;
  return rest;
}

/** Prototype and getters included; no getter runs. */
function definedCopy(holder: object, omitted: string | null): object {
  const copy = Object.create(Object.getPrototypeOf(holder) as object | null) as object;
  for (const key of Object.keys(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (key === omitted || property === undefined) continue;
    const writable = property.get ? {} : { writable: true };
    Object.defineProperty(copy, key, { ...property, ...writable, configurable: true });
  }
  return copy;
}

function isPlainData(holder: object): holder is Record<string, unknown> {
  if (Object.getPrototypeOf(holder) !== Object.prototype) return false;
  return Object.keys(holder).every((key) => {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    return property !== undefined && 'value' in property;
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const sizeOfMap = getterOf(Map.prototype, 'size');
const entriesOfMap = methodOf(Map.prototype, 'entries');

function isMap(value: object): value is Map<unknown, unknown> {
  // The question costs an exception: not for each of a million rows.
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return false;
  try {
    callOn(sizeOfMap!, value);
    return true;
  } catch {
    return false;
  }
}

function entriesOf(map: Map<unknown, unknown>): [unknown, unknown][] {
  return [...(callOn(entriesOfMap!, map) as IterableIterator<[unknown, unknown]>)];
}

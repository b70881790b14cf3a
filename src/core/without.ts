/** A payload less one of its branches. */
import { callOn, getterOf, methodOf } from './describe/intrinsics.ts';
import { put } from './own-copy.ts';
import { parsePath, type Step } from './paths.ts';

/** A holder on the way to the branch, and its copy. */
type Copies = Map<object, object>;

/**
 * `value` without what lies at `path`, a pattern whose last step is a key: the property is gone from every object there.
 * Only the holders on the way are copied, as plain engines store them (`{}` filled key by key, `slice` of an array); all
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
  const proto: unknown = Object.getPrototypeOf(holder);
  const copy: object = proto === Object.prototype ? {} : (Object.create(proto as object | null) as object);
  for (const key of Object.keys(holder)) {
    if (key === omitted) continue;
    const { value, get } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
    if (get === undefined) put(copy, key, value);
    else Object.defineProperty(copy, key, { get, enumerable: true, configurable: true });
  }
  return copy;
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

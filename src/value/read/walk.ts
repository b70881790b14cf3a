/**
 * The walk of one value, and of two values in step. The visitor decides how the values are used. Objects are read by
 * descriptors and internal slots: no trap of a Proxy and no patched iterator runs.
 */

import type { TypeDetection } from './built-in-types.ts';
import { accepts, callOn, MAP, type Method, readLength, SET } from './intrinsics.ts';
import { hasToJson, isIndexKey } from './own-data.ts';
import { type PathStep, pathOfTrail, type TrailStep } from './paths.ts';

export interface Container {
  /** If null, the steps are the indices. */
  readonly steps: readonly TrailStep[] | null;
  readonly values: ArrayLike<unknown>;
  next: number;
}

/** Depth first, without recursion, because a payload may be a million levels deep. It allocates nothing for a child. */
export class Walk<C extends Container> {
  /** The containers around the current value: their number is its depth. A visitor adds what it wants to be walked. */
  readonly open: C[] = [];
  /** `trail[d]` leads from depth d-1 to d. */
  readonly trail: TrailStep[] = [''];

  /** Visits the children of what is open. @param visit returns true to end the walk @returns true if it did */
  run(visit: (child: unknown, container: C, step: TrailStep) => true | undefined): boolean {
    const { open, trail } = this;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const at = top.next++;
      if (at >= top.values.length) {
        open.pop();
        continue;
      }
      const step = top.steps === null ? at : top.steps[at]!;
      trail[open.length] = step;
      if (visit(top.values[at], top, step) === true) return true;
    }
    return false;
  }

  get path(): string {
    return pathOfTrail(this.trail, this.open.length);
  }
}

const ENOUGH = Symbol();

/** Every entry whose number is a multiple of `stride`, at most `limit`, in insertion order. */
export function entriesIn(
  collection: object,
  kind: 'map' | 'set',
  limit = Number.POSITIVE_INFINITY,
  stride = 1,
) {
  const slots = kind === 'map' ? MAP : SET;
  const steps: TrailStep[] = [];
  /** Members of a Set; each key of a Map, followed by its value. */
  const values: unknown[] = [];
  let [index, met] = [0, 0];
  const add = (value: unknown, key: unknown) => {
    if (index === limit) throw ENOUGH;
    if (met++ % stride !== 0) return;
    if (kind === 'map') {
      steps.push({ part: 'key', index }, { part: 'value', index });
      values.push(key, value);
    } else {
      steps.push({ part: 'member', index });
      values.push(value);
    }
    index++;
  };
  try {
    callOn(slots.forEach, collection, add);
  } catch (thrown) {
    if (thrown !== ENOUGH) throw thrown;
  }
  return { steps, values, size: callOn(slots.size, collection) as number };
}

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

export type Parts = Container & { owner: object; steps: TrailStep[]; values: unknown[] };

interface PartsOptions {
  types: TypeDetection;
  /** Of a longer array or collection, only this many first parts are read. */
  most?: number;
  /** Only parts that JSON.stringify writes: of a value that it reads by traps or `toJSON`, there are none. */
  asJson?: boolean;
  read(owner: object, get: Method | undefined): unknown;
}

/** The parts that a message has, in its order (HTML, StructuredSerializeInternal, step 26). */
export function partsOf(owner: object, options: PartsOptions): Parts {
  const { types, most = Number.POSITIVE_INFINITY, asJson = false, read } = options;
  const parts: Parts = { owner, steps: [], values: [], next: 0 };
  const add = (key: string, step: TrailStep = key, isHidden = false): void => {
    const found = getOwnPropertyDescriptor(owner, key);
    if (found === undefined || !(isHidden || found.enumerable === true)) return;
    parts.steps.push(step);
    parts.values.push('value' in found ? found.value : read(owner, found.get as Method | undefined));
  };
  if (types.isProxy(owner) || (asJson && hasToJson(owner, types.isProxy))) return parts;
  if (Array.isArray(owner)) {
    if (readLength(owner) > most) for (let index = 0; index < most; index++) add(String(index), index);
    else
      for (const key of ownKeys(owner) as string[])
        if (typeof key === 'string' && isIndexKey(key)) add(key, Number(key));
        // JSON text omits the named properties.
        else if (typeof key === 'string' && !asJson) add(key);
    return parts;
  }
  const { kind } = types.of(owner);
  if (kind === 'object') {
    for (const key of ownKeys(owner)) if (typeof key === 'string') add(key);
  } else if (asJson) return parts;
  // The cause of an error is sent although it is not enumerable.
  else if (kind === 'error') add('cause', 'cause', true);
  else if (kind === 'map' || kind === 'set') {
    const { steps, values } = entriesIn(owner, kind, most);
    return { ...parts, steps, values };
  }
  return parts;
}

/** The children that a step of a path leads to, with their keys. Getters do not run: their value is undefined. */
export function* childrenAt(owner: object, step: PathStep): Generator<[key: unknown, child: unknown]> {
  if (step.type === 'entry') {
    const kind = step.part === 'member' ? 'set' : 'map';
    if (!accepts(kind === 'set' ? SET.size : MAP.size, owner)) return;
    const { steps, values } = entriesIn(owner, kind);
    for (let at = 0; at < steps.length; at++) {
      const { part, index } = steps[at] as { part: string; index: number };
      if (part === step.part && (step.index ?? index) === index)
        yield [part === 'value' ? values[at - 1] : index, values[at]];
    }
    return;
  }
  for (const key of keysAt(owner, step)) {
    const found = getOwnPropertyDescriptor(owner, key);
    if (found !== undefined) yield [key, found.value];
  }
}

function keysAt(owner: object, step: PathStep): Iterable<string | number> {
  if (step.type === 'key') return [step.key];
  if (step.type === 'any-key') return Object.keys(owner);
  if (step.type !== 'index') return [];
  if (step.index !== null) return [step.index];
  return Array.isArray(owner) ? new Array(readLength(owner)).keys() : [];
}

/** What is in an object, by descriptors and internal slots: no trap of a Proxy runs. */

import { readLength } from './array-reads.ts';
import { entriesIn } from './collections.ts';
import { accepts, MAP, type Method, SET } from './intrinsics.ts';
import { isIndexKey, onChain } from './own-data.ts';
import type { PathStep, TrailStep } from './paths.ts';
import type { TypeDetection } from './types.ts';
import type { Container } from './walk.ts';

const { getOwnPropertyDescriptor, ownKeys } = Reflect;

export interface Parts extends Container {
  readonly owner: object;
  readonly steps: TrailStep[];
  readonly values: unknown[];
}

export interface PartsOptions {
  types: TypeDetection;
  /** Of a longer array or collection, only this many first parts are read. */
  most?: number;
  /** Only parts that JSON.stringify writes: of a value that it reads by traps or `toJSON`, there are none. */
  asJson?: boolean;
  /** What stands for the value of an accessor. */
  read(owner: object, get: Method | undefined): unknown;
}

const hasToJson = (owner: object, { isProxy }: TypeDetection): boolean =>
  onChain(owner, isProxy, (at) => getOwnPropertyDescriptor(at, 'toJSON')) !== undefined;

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
  if (types.isProxy(owner) || (asJson && hasToJson(owner, types))) return parts;
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

/**
 * Finds the value that made a post throw. Walks in the order of structured clone (HTML, StructuredSerializeInternal,
 * step 26), up to the first refused value. All earlier values were cloned, so the walk does not meet a Proxy, which a
 * page cannot detect. It runs no code of the user, so values of getters stay unknown.
 */
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { isKeyName, MAX_NAMES } from '../masking.ts';
import { formatPath, type PathStep } from '../paths.ts';
import { readLength } from '../value/array-reads.ts';
import { entriesIn } from '../value/collections.ts';
import { callOn, DATA_VIEW, TYPED_ARRAY } from '../value/intrinsics.ts';
import { filter, map } from '../value/lists.ts';
import { isIndexKey, isObject } from '../value/own-data.ts';
import { isDetached } from './inspect/buffers.ts';
import type { TypeDetection } from './inspect/probe.ts';

export interface RefusalOptions {
  types: TypeDetection;
  /** Maximum number of values to visit. */
  nodes: number;
  /** Format of the message. */
  as: 'clone' | 'json';
  /** Transfer list of the message. */
  listed: readonly unknown[];
  /** Stops at the first getter, because the engine may have stopped there. */
  stopsAtGetter?: boolean;
}

const WORDS: Partial<Record<Kind, string>> = {
  symbol: 'a symbol',
  function: 'a function',
  proxy: 'a Proxy',
  promise: 'a Promise',
  weakmap: 'a WeakMap',
  weakset: 'a WeakSet',
  weakref: 'a WeakRef',
  generator: 'a generator',
  iterator: 'an iterator',
  'module-namespace': 'a module namespace',
  arguments: 'an arguments object',
  'not-cloneable': 'an object that cannot be cloned',
};

/** True if every engine refuses values of this kind. */
export const isRefusedKind = (kind: Kind): boolean => WORDS[kind] !== undefined;

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const isText = (key: PropertyKey): key is string => typeof key === 'string';

interface Child {
  step: PathStep;
  /** True if the key is data, not a name. */
  isData?: boolean;
  /** Absent if the property is an accessor. */
  value?: unknown;
}

/** A container with children that may still have to be visited. */
interface Open {
  owner: object;
  length: number;
  child(index: number): Child | null;
  next: number;
}

/** Returns the first refused value, else the first getter, whose value may be refused; null if there is neither. */
export function refusedIn(root: unknown, options: RefusalOptions): FoundValue | null {
  const trail: Child[] = [];
  const open: Open[] = [];
  const seen = new WeakSet<object>();
  let getter: FoundValue | null = null;
  const told = (what: string): FoundValue => ({
    path: formatPath(map(trail, ({ step, isData }) => (isData === true ? { type: 'any-key' } : step))),
    whole: formatPath(map(trail, ({ step }) => step)),
    what,
  });
  const visited = (value: unknown): FoundValue | null => {
    const isCircle = options.as === 'json' && open.some(({ owner }) => owner === value);
    const what = isCircle ? 'a circular reference' : refusal(value, options);
    if (what !== null) return told(what);
    if (!isObject(value) || seen.has(value)) return null;
    seen.add(value);
    open.push(opened(value, options));
    return null;
  };
  let refused = visited(root);
  for (let node = 0; refused === null && open.length > 0 && node < options.nodes; node++) {
    const top = open[open.length - 1]!;
    trail.length = open.length - 1;
    const child = top.next < top.length ? top.child(top.next++) : null;
    if (child === null) {
      if (top.next >= top.length) open.pop();
      continue;
    }
    trail.push(child);
    if ('value' in child) refused = visited(child.value);
    else getter ??= told('a getter, whose value is not known');
    if (getter !== null && options.stopsAtGetter === true) break;
  }
  return refused ?? getter;
}

/** Describes why the value itself is refused, or returns null. */
function refusal(value: unknown, { types, as, listed }: RefusalOptions): string | null {
  if (as === 'json') return typeof value === 'bigint' ? 'a BigInt' : null;
  if (typeof value === 'symbol' || typeof value === 'function') return WORDS[typeof value]!;
  if (!isObject(value)) return null;
  if (types.isProxy(value)) return WORDS.proxy!;
  const { kind, tag, transferable } = types.of(value);
  if (kind === 'not-cloneable' && tag !== undefined) return `an object that cannot be cloned (${tag})`;
  if (kind === 'platform' && transferable === true && !listed.includes(value))
    return `a ${tag ?? 'platform object'} that is not in the transfer list`;
  const slots = kind === 'typedarray' ? TYPED_ARRAY : kind === 'dataview' ? DATA_VIEW : null;
  const buffer = slots === null ? value : (callOn(slots.buffer, value) as object);
  if ((slots !== null || kind === 'arraybuffer') && isDetached(buffer)) return 'a detached buffer';
  return WORDS[kind] ?? null;
}

const EMPTY = { length: 0, child: () => null, next: 0 };

function opened(owner: object, { types, as, nodes }: RefusalOptions): Open {
  // JSON.stringify reads a Proxy by its traps, and calls toJSON.
  if (types.isProxy(owner) || (as === 'json' && hasToJson(owner, types))) return { owner, ...EMPTY };
  if (Array.isArray(owner)) return openedArray(owner, as);
  const { kind } = types.of(owner);
  if ((kind === 'map' || kind === 'set') && as === 'clone') {
    const { steps, values } = entriesIn(owner, kind, nodes);
    const step = (at: number): PathStep => ({
      type: 'entry',
      ...(steps[at] as { part: 'key'; index: number }),
    });
    return { owner, length: values.length, child: (at) => ({ step: step(at), value: values[at] }), next: 0 };
  }
  // The cause of an error is sent although it is not enumerable.
  if (kind === 'error' && as === 'clone') return propertiesIn(owner, ['cause'], true);
  return propertiesIn(owner, kind === 'object' ? filter(ownKeys(owner), isText) : []);
}

/** Opens an array: its elements, then its named properties, which JSON text omits. */
function openedArray(owner: readonly unknown[], as: RefusalOptions['as']): Open {
  const length = readLength(owner);
  const named = as === 'json' || length > MAX_LISTED ? [] : filter(ownKeys(owner), isNamed);
  const { child } = propertiesIn(owner, named);
  return {
    ...{ owner, length: length + named.length, next: 0 },
    child: (at) =>
      at < length ? propertyOf(owner, at, { step: { type: 'index', index: at } }) : child(at - length),
  };
}

/** Maximum length of an array whose keys are listed. */
const MAX_LISTED = 10_000;
const isNamed = (key: PropertyKey): key is string => isText(key) && !isIndexKey(key);

function propertiesIn(owner: object, names: readonly string[], hidden = false): Open {
  const isMap = names.length > MAX_NAMES;
  return {
    ...{ owner, length: names.length, next: 0 },
    child(at) {
      const key = names[at]!;
      return propertyOf(owner, key, { step: { type: 'key', key }, isData: isMap || !isKeyName(key) }, hidden);
    },
  };
}

/** Returns null if the property does not exist or is not sent. */
function propertyOf(owner: object, key: PropertyKey, place: Child, hidden = false): Child | null {
  const found = getOwnPropertyDescriptor(owner, key);
  if (found === undefined || !(hidden || found.enumerable === true)) return null;
  return 'value' in found ? { ...place, value: found.value } : place;
}

function hasToJson(owner: object, { isProxy }: TypeDetection): boolean {
  for (let at: object | null = owner; at !== null && !isProxy(at); at = getPrototypeOf(at))
    if (getOwnPropertyDescriptor(at, 'toJSON') !== undefined) return true;
  return false;
}

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
import { isIndexKey, isObject, onChain } from '../value/own-data.ts';
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

/** Words for the kinds that every engine refuses. */
export const REFUSED_WORDS: Partial<Record<Kind, string>> = {
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

const { getOwnPropertyDescriptor, ownKeys } = Reflect;
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
  children: Iterator<Child | null, null>;
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
    open.push({ owner: value, children: childrenOf(value, options) });
    return null;
  };
  let refused = visited(root);
  for (let node = 0; refused === null && open.length > 0 && node < options.nodes; node++) {
    trail.length = open.length - 1;
    const { done, value: child } = open[open.length - 1]!.children.next();
    if (done === true) open.pop();
    if (child === null) continue;
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
  if (typeof value === 'symbol' || typeof value === 'function') return REFUSED_WORDS[typeof value]!;
  if (!isObject(value)) return null;
  if (types.isProxy(value)) return REFUSED_WORDS.proxy!;
  const { kind, tag, transferable } = types.of(value);
  if (kind === 'not-cloneable' && tag !== undefined) return `an object that cannot be cloned (${tag})`;
  if (kind === 'platform' && transferable === true && !listed.includes(value))
    return `a ${tag ?? 'platform object'} that is not in the transfer list`;
  const slots = kind === 'typedarray' ? TYPED_ARRAY : kind === 'dataview' ? DATA_VIEW : null;
  const buffer = slots === null ? value : (callOn(slots.buffer, value) as object);
  if ((slots !== null || kind === 'arraybuffer') && isDetached(buffer)) return 'a detached buffer';
  return REFUSED_WORDS[kind] ?? null;
}

/** Maximum length of an array whose keys are listed. */
const MAX_LISTED = 10_000;
const isNamed = (key: PropertyKey): key is string => isText(key) && !isIndexKey(key);

/** Children in the order of the message; null for a property that does not exist or is not sent. */
function* childrenOf(owner: object, { types, as, nodes }: RefusalOptions): Generator<Child | null, null> {
  // JSON.stringify reads a Proxy by its traps, and calls toJSON.
  if (types.isProxy(owner) || (as === 'json' && hasToJson(owner, types))) return null;
  if (Array.isArray(owner)) {
    const length = readLength(owner);
    for (let index = 0; index < length; index++)
      yield propertyOf(owner, index, { step: { type: 'index', index } });
    // JSON text omits the named properties.
    if (as === 'clone' && length <= MAX_LISTED) yield* propertiesIn(owner, filter(ownKeys(owner), isNamed));
    return null;
  }
  const { kind } = types.of(owner);
  if (kind === 'object') yield* propertiesIn(owner, filter(ownKeys(owner), isText));
  else if (as === 'json') return null;
  // The cause of an error is sent although it is not enumerable.
  else if (kind === 'error') yield* propertiesIn(owner, ['cause'], true);
  else if (kind === 'map' || kind === 'set') {
    const { steps, values } = entriesIn(owner, kind, nodes);
    for (let at = 0; at < values.length; at++) {
      const entry = steps[at] as { part: 'key'; index: number };
      yield { step: { type: 'entry', ...entry }, value: values[at] };
    }
  }
  return null;
}

function* propertiesIn(owner: object, names: readonly string[], hidden = false): Generator<Child | null> {
  const isMap = names.length > MAX_NAMES;
  for (const key of names)
    yield propertyOf(owner, key, { step: { type: 'key', key }, isData: isMap || !isKeyName(key) }, hidden);
}

/** Returns null if the property does not exist or is not sent. */
function propertyOf(owner: object, key: PropertyKey, place: Child, hidden = false): Child | null {
  const found = getOwnPropertyDescriptor(owner, key);
  if (found === undefined || !(hidden || found.enumerable === true)) return null;
  return 'value' in found ? { ...place, value: found.value } : place;
}

const hasToJson = (owner: object, { isProxy }: TypeDetection): boolean =>
  onChain(owner, isProxy, (at) => getOwnPropertyDescriptor(at, 'toJSON')) !== undefined;

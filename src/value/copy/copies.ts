/** Copies of objects that engines store like the original, so that they take the same path when posted. */
import { orElse } from '../../model/or-else.ts';
import type { TypeDetection } from '../read/built-in-types.ts';
import { ARRAY_BUFFER, accepts, callOn, MAP, realm, viewType } from '../read/intrinsics.ts';
import { isObject, ownData } from '../read/own-data.ts';
import { entriesIn } from '../read/walk.ts';

/** Assigns an own property. A plain assignment to `__proto__` would change the prototype. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key !== '__proto__') (target as Record<string | number, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function isPlainRecord(value: object): value is Record<string, unknown> {
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

/** Copies an array, a Map or an object: members are shared, prototype and getters kept, and no getter runs. */
export function shallowCopy(original: object, omitted: string | null = null): object {
  // `slice` keeps the elements kind in V8 and the indexing type in JSC.
  if (Array.isArray(original)) return original.slice();
  if (isMap(original)) return new Map(callOn(MAP.entries, original) as typeof original);
  return isPlainData(original) ? copyOfPlain(original, omitted) : copyByDescriptors(original, omitted);
}

/**
 * V8 keeps larger parsed objects as dictionaries. Filling an object by computed keys makes one from about twenty keys
 * on, spreading does not (%HasFastProperties on Node 20 and 26).
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

const isPlainData = (value: object): value is Record<string, unknown> =>
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).every((key) => 'value' in (Object.getOwnPropertyDescriptor(value, key) ?? {}));

export function isMap(value: object): value is Map<unknown, unknown> {
  // The slot check throws for other objects, which is slow, so it must not run for each of a million rows.
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return false;
  return accepts(MAP.size, value);
}

/** Engines keep shorter strings as one interned object anyway. */
const LONG_TEXT = 64;

/** A flat copy: joining writes into new memory. Ropes (by +) and views (by slice) are sent differently. */
export function ownText(text: string): string {
  const half = text.length >> 1;
  return [text.slice(0, half), text.slice(half)].join('');
}

interface CopyOptions {
  types: TypeDetection;
  /** Texts, and objects that only the engine can copy, such as a Date, are not shared with the original. */
  isApart?: boolean;
  /** Copies by their original, to which those that are made are added: these originals are not copied again. */
  made?: Map<object, unknown>;
  replacements?: ReadonlyMap<object, unknown>;
}

/** Engines store it like the original, unlike a structured clone (V8 returns holey arrays). No recursion. */
export function deepCopy(root: unknown, options: CopyOptions): unknown {
  const { types, isApart = false, made = new Map<object, unknown>(), replacements } = options;
  const unfilled: (() => void)[] = [];
  const withMembers = (value: object): object => {
    const copy = shallowCopy(value);
    unfilled.push(() => copyMembers(copy, copyOf));
    return copy;
  };
  const copyOfObject = (value: object): unknown => {
    if (Array.isArray(value) || isPlainRecord(value)) return withMembers(value);
    const { kind } = types.of(value);
    if (kind === 'map' || kind === 'set') {
      const copy = kind === 'map' ? new Map() : new Set();
      unfilled.push(() => {
        const { values } = entriesIn(value, kind);
        if (copy instanceof Set) for (const member of values) copy.add(copyOf(member));
        else for (let i = 0; i < values.length; i += 2) copy.set(copyOf(values[i]), copyOf(values[i + 1]));
      });
      return copy;
    }
    if (kind === 'arraybuffer') return (value as ArrayBuffer).slice(0);
    if (kind === 'typedarray' || kind === 'dataview')
      return copyOfView(value as ArrayBufferView, copyOf((value as ArrayBufferView).buffer));
    // Objects with internal slots are not copied: a copy of the own properties would lack the slots.
    if (kind === 'object' && Object.keys(value).length > 0) return withMembers(value);
    // A value that cannot be cloned cannot be posted either, and posting reports why.
    return isApart && kind !== 'sharedarraybuffer' ? orElse(() => structuredClone(value), value) : value;
  };
  const copyOf = (value: unknown): unknown => {
    if (typeof value === 'string') return isApart && value.length >= LONG_TEXT ? ownText(value) : value;
    if (!isObject(value) || types.isProxy(value)) return value;
    const replacement = replacements?.get(value);
    if (replacement !== undefined && replacement !== value) return copyOf(replacement);
    if (!made.has(value)) made.set(value, copyOfObject(value));
    return made.get(value);
  };
  const copy = copyOf(root);
  for (let fill = unfilled.pop(); fill !== undefined; fill = unfilled.pop()) fill();
  return copy;
}

function copyMembers(container: object, copyOf: (value: unknown) => unknown): void {
  for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
    const member = ownData(container, key);
    const copy = copyOf(member);
    if (!Object.is(copy, member) || typeof copy === 'string') setOwn(container, key, copy);
  }
}

function copyOfView(view: ArrayBufferView, buffer: unknown): ArrayBufferView {
  const View = viewConstructor(view)!;
  const { byteOffset, byteLength, length = byteLength } = view as ArrayBufferView & { length?: number };
  const copy = new View(buffer as ArrayBufferLike, byteOffset, length);
  const proto = Object.getPrototypeOf(view) as object;
  return Object.getPrototypeOf(copy) === proto ? copy : (Object.setPrototypeOf(copy, proto) as typeof copy);
}

export type Bytes = ArrayBuffer | ArrayBufferView;

export const isBytes = (value: object): value is Bytes =>
  ArrayBuffer.isView(value) || accepts(ARRAY_BUFFER.byteLength, value);

export const bytesPerElement = (value: Bytes): number =>
  (value as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;

type ViewConstructor = new (buffer: ArrayBufferLike, offset?: number, length?: number) => ArrayBufferView;

export const viewConstructor = (view: ArrayBufferView): ViewConstructor | undefined =>
  realm[viewType(view)] as ViewConstructor | undefined;

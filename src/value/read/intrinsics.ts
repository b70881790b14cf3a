/**
 * Built-in methods that read internal slots and arrays, taken when this module loads: later patches of prototypes by user
 * code do not run. Each works on objects of other realms, and throws a TypeError on objects without the slot.
 */

import { map } from './lists.ts';
import { isNoProxy, onChain } from './own-data.ts';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

const { apply, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

export const callOn = (method: Method, receiver: unknown, ...args: unknown[]): unknown =>
  apply(method, receiver, args);

export function accepts(method: Method, receiver: object): boolean {
  try {
    apply(method, receiver, []);
    return true;
  } catch {
    return false;
  }
}

export const methodOf = (prototype: object, name: string | symbol): Method | undefined =>
  getOwnPropertyDescriptor(prototype, name)?.value as Method | undefined;

export const getterOf = (prototype: object, name: string | symbol): Method | undefined =>
  getOwnPropertyDescriptor(prototype, name)?.get as Method | undefined;

const functionText = methodOf(getPrototypeOf(methodOf) as object, 'toString')!;

export const isNative = (made: object): boolean =>
  /\{\s*\[native code\]\s*\}$/.test(String(callOn(functionText, made)));

const objectText = methodOf(Object.prototype, 'toString')!;

/** Reads only descriptors, because @@toStringTag, own or inherited, may be a getter of the user. */
const isTagged = (value: object): boolean =>
  onChain(value, isNoProxy, (at) => getOwnPropertyDescriptor(at, Symbol.toStringTag)) !== undefined;

/** "[object Date]": `toString` reads the slot, unless a tag hides it, then null (ECMA-262, 20.1.3.6). */
export const slotText = (value: object) => (isTagged(value) ? null : (callOn(objectText, value) as string));

/** Global constructors by name; an older engine may not have all of them. */
// biome-ignore lint/style/noRestrictedGlobals: what values are made of, not what a program does.
export const realm = globalThis as Readonly<Record<string, unknown>>;

/** Property of the global object or, as for most properties in workerd, of its prototype. */
export function realmProperty(name: string): PropertyDescriptor | undefined {
  const above = Reflect.getPrototypeOf(realm) ?? {};
  return Reflect.getOwnPropertyDescriptor(realm, name) ?? Reflect.getOwnPropertyDescriptor(above, name);
}

// biome-ignore lint/style/noRestrictedGlobals: what a Date is, not what time it is.
export const DATE = { prototype: Date.prototype, getTime: Date.prototype.getTime as Method };

const typedArray = getPrototypeOf(Uint8Array.prototype) as object;

export const TYPED_ARRAY = {
  name: getterOf(typedArray, Symbol.toStringTag)!,
  buffer: getterOf(typedArray, 'buffer')!,
  length: getterOf(typedArray, 'length')!,
  byteLength: getterOf(typedArray, 'byteLength')!,
  byteOffset: getterOf(typedArray, 'byteOffset')!,
  /** Throws for a view that is out of bounds (ES2024 ValidateTypedArray); its other getters return 0. */
  keys: methodOf(typedArray, 'keys')!,
};

export const DATA_VIEW = {
  buffer: getterOf(DataView.prototype, 'buffer')!,
  byteLength: getterOf(DataView.prototype, 'byteLength')!,
  byteOffset: getterOf(DataView.prototype, 'byteOffset')!,
};

export const ARRAY_BUFFER = {
  byteLength: getterOf(ArrayBuffer.prototype, 'byteLength')!,
  resizable: getterOf(ArrayBuffer.prototype, 'resizable'),
  detached: getterOf(ArrayBuffer.prototype, 'detached'),
};

const shared = typeof SharedArrayBuffer === 'undefined' ? null : SharedArrayBuffer.prototype;

export const SHARED_BUFFER = {
  byteLength: shared === null ? undefined : getterOf(shared, 'byteLength'),
  growable: shared === null ? undefined : getterOf(shared, 'growable'),
};

export const MAP = {
  size: getterOf(Map.prototype, 'size')!,
  entries: methodOf(Map.prototype, 'entries')!,
  forEach: methodOf(Map.prototype, 'forEach')!,
};

export const SET = { size: getterOf(Set.prototype, 'size')!, forEach: methodOf(Set.prototype, 'forEach')! };

const exec = methodOf(RegExp.prototype, 'exec')!;

export const execOn = (pattern: RegExp, text: string) =>
  callOn(exec, pattern, text) as RegExpExecArray | null;

const regexpSource = getterOf(RegExp.prototype, 'source')!;
/** The getter `flags` is not used: it reads properties that the program may have changed. */
const LETTERS = 'dgimsuvy';
const FLAGS = map(
  ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky'],
  (name) => getterOf(RegExp.prototype, name),
);

/** Source, and letters of the flags. Older engines do not have all of them. */
export function regexpOf(value: object): { source: string; letters: string } {
  let letters = '';
  for (let i = 0; i < FLAGS.length; i++)
    if (FLAGS[i] !== undefined && callOn(FLAGS[i]!, value) === true) letters += LETTERS[i]!;
  return { source: String(callOn(regexpSource, value)), letters };
}

const LONE_SURROGATE = /\p{Surrogate}/u;
/** Ten times as fast as the expression, but older engines do not have it (ES2024). */
const isWellFormed = methodOf(String.prototype, 'isWellFormed');

export const hasLoneSurrogate = (text: string): boolean =>
  isWellFormed === undefined ? LONE_SURROGATE.test(text) : callOn(isWellFormed, text) === false;

const UNBOX = map([Number, String, Boolean, BigInt, Symbol], (type) => methodOf(type.prototype, 'valueOf')!);

export function unboxed(value: object): unknown {
  for (const method of UNBOX) if (accepts(method, value)) return callOn(method, value);
  return undefined;
}

/** True if the buffer of the view is not detached and does not end before the view. */
export const isInBounds = (view: object): boolean =>
  accepts(callOn(TYPED_ARRAY.name, view) === undefined ? DATA_VIEW.byteLength : TYPED_ARRAY.keys, view);

/** Reads a view with any prototype. A view that is out of bounds has 0 bytes. */
export function viewRange(view: object): { buffer: ArrayBufferLike; offset: number; bytes: number } {
  const slots = callOn(TYPED_ARRAY.name, view) === undefined ? DATA_VIEW : TYPED_ARRAY;
  const buffer = callOn(slots.buffer, view) as ArrayBufferLike;
  // The getters of a DataView throw if it is out of bounds.
  if (slots === DATA_VIEW && !accepts(slots.byteLength, view)) return { buffer, offset: 0, bytes: 0 };
  return {
    buffer,
    offset: callOn(slots.byteOffset, view) as number,
    bytes: callOn(slots.byteLength, view) as number,
  };
}

export function isResizable(buffer: object): boolean {
  const { resizable } = ARRAY_BUFFER;
  const { growable } = SHARED_BUFFER;
  for (const getter of [resizable, growable])
    if (getter !== undefined && accepts(getter, buffer)) return callOn(getter, buffer) === true;
  return false;
}

export const viewType = (view: ArrayBufferView): string =>
  (callOn(TYPED_ARRAY.name, view) as string | undefined) ?? 'DataView';

/** Keys of longer views are not listed: each index is a key, and listing millions takes seconds. */
export const MAX_LISTED = 1024;

export const isLongView = (value: object): boolean =>
  ArrayBuffer.isView(value) &&
  viewType(value) !== 'DataView' &&
  (callOn(TYPED_ARRAY.length, value) as number) > MAX_LISTED;

// Reads of arrays that do not change how the engine stores them. Compiled code that indexes arrays of several kinds, or
// reads their length, converts each of them in place to the most general kind, and the code that made the array learns
// to make the next array of that kind: JavaScriptCore (dfg/DFGArrayMode.cpp, Array::Convert; seen on Bun 1.3.10 to
// 1.4.5), V8 (compiler/access-info.cc, elements kind transitions; seen on Node 20 and 26, Deno 2.9). Copying with
// `slice`, `Reflect.get` and descriptors are not compiled in this way.

export const readLength = (array: readonly unknown[]): number => get(array, 'length') as number;

/** @param array of class Array, with plain data elements only; `copiesAreOrdinary` holds. Holes stay holes */
export const readElements = (array: readonly unknown[]): readonly unknown[] => array.slice();

const species = getOwnPropertyDescriptor(Array, Symbol.species)?.get;
const slice = methodOf(Array.prototype, 'slice');

/** True if the functions that copy were not replaced, so that copying runs no user code. */
export function copiesAreOrdinary(): boolean {
  return (
    getOwnPropertyDescriptor(Array.prototype, 'constructor')?.value === Array &&
    getOwnPropertyDescriptor(Array, Symbol.species)?.get === species &&
    methodOf(Array.prototype, 'slice') === slice &&
    getPrototypeOf(Array.prototype) === Object.prototype
  );
}

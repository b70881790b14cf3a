/**
 * Built-in methods that read internal slots, taken when this module loads: later patches of prototypes by user code
 * do not run. Each works on objects of other realms, and throws a TypeError on objects without the slot.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown;

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** Calls `method` with a receiver, without touching Function.prototype. */
export function callOn(method: Method, receiver: unknown, ...args: unknown[]): unknown {
  return apply(method, receiver, args);
}

/** A method of a prototype; undefined where the engine is too old to have it. */
export function methodOf(prototype: object, name: string | symbol): Method | undefined {
  return getOwnPropertyDescriptor(prototype, name)?.value as Method | undefined;
}

/** A getter of a prototype; undefined where the engine is too old to have it. */
export function getterOf(prototype: object, name: string | symbol): Method | undefined {
  return getOwnPropertyDescriptor(prototype, name)?.get as Method | undefined;
}

const typedArray = getPrototypeOf(Uint8Array.prototype) as object;

export const TYPED_ARRAY = {
  name: getterOf(typedArray, Symbol.toStringTag)!,
  buffer: getterOf(typedArray, 'buffer')!,
  byteLength: getterOf(typedArray, 'byteLength')!,
  byteOffset: getterOf(typedArray, 'byteOffset')!,
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

/** Absent in browsers without cross-origin isolation. */
const shared = typeof SharedArrayBuffer === 'undefined' ? null : SharedArrayBuffer.prototype;

export const SHARED_BUFFER = {
  byteLength: shared === null ? undefined : getterOf(shared, 'byteLength'),
  growable: shared === null ? undefined : getterOf(shared, 'growable'),
};

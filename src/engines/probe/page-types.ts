/**
 * Built-in types in a page, by methods that throw without the internal slot, else by this realm's prototypes. Only
 * Chromium detects a Proxy, by a native; elsewhere it passes for what its traps say.
 */
import {
  ARRAY_BUFFER,
  accepts,
  callOn,
  DATA_VIEW,
  getterOf,
  MAP,
  type Method,
  methodOf,
  SET,
  SHARED_BUFFER,
  slotText,
  unboxed,
} from '../../value/read/intrinsics.ts';
import { isObject, ownData } from '../../value/read/own-data.ts';
import type { EngineTypes, TypeTest } from './type-detection.ts';

const { getPrototypeOf } = Reflect;

/**
 * Tests with a method that changes nothing. An error that it throws takes about 10 µs, so plain objects are not tried:
 * only `setPrototypeOf` gives a Map their prototype.
 */
const bySlot =
  (method: Method | undefined): TypeTest =>
  (value) =>
    method !== undefined &&
    isObject(value) &&
    getPrototypeOf(value) !== Object.prototype &&
    accepts(method, value);

/** Tests with a method that takes a key, here a key that is in no collection. */
function byLookup(method: Method): TypeTest {
  const key = {};
  const lookUp: Method = function (this: unknown) {
    return callOn(method, this, key);
  };
  return bySlot(lookUp);
}

/** For types whose methods would all change the object. */
const byPrototype =
  (prototype: object): TypeTest =>
  (value) =>
    Object.prototype.isPrototypeOf.call(prototype, value as object);

/** Uses a method only if a tag hides what `toString` reads: its error takes microseconds in Firefox. */
const byTagOrSlot =
  (tag: string, method?: Method): TypeTest =>
  (value) => {
    if (!isObject(value)) return false;
    const text = slotText(value);
    return text === null ? method !== undefined && accepts(method, value) : text === `[object ${tag}]`;
  };

function* noItems(): Generator<never> {
  // Its prototype is what counts.
}
const generatorPrototype = getPrototypeOf(getPrototypeOf(noItems())!)!;

/** The getter accepts RegExp.prototype too. */
const isRegExp = byTagOrSlot('RegExp', getterOf(RegExp.prototype, 'source'));
const BOXED = ['[object String]', '[object Number]', '[object Boolean]'];

/** ES2026. In older engines the tag is used, which fails for objects that hide it. */
const { isError } = Error as ErrorConstructor & { isError?: TypeTest };

const bySlotsAndTags = {
  isDate: byTagOrSlot('Date', methodOf(Date.prototype, 'getTime')),
  isMap: bySlot(MAP.size),
  isSet: bySlot(SET.size),
  isArrayBuffer: bySlot(ARRAY_BUFFER.byteLength),
  isSharedArrayBuffer: bySlot(SHARED_BUFFER.byteLength),
  isDataView: bySlot(DATA_VIEW.buffer),
  isRegExp: (value: unknown): boolean => value !== RegExp.prototype && isRegExp(value),
  isNativeError: isError ?? byTagOrSlot('Error'),
  isPromise: byPrototype(Promise.prototype),
  isWeakMap: byLookup(methodOf(WeakMap.prototype, 'has')!),
  isWeakSet: byLookup(methodOf(WeakSet.prototype, 'has')!),
  isArgumentsObject: byTagOrSlot('Arguments'),
  isGeneratorObject: byPrototype(generatorPrototype),
  isMapIterator: byPrototype(getPrototypeOf(new Map().entries())!),
  isSetIterator: byPrototype(getPrototypeOf(new Set().values())!),
  /** A namespace has a separate fixed tag (ECMA-262, 10.4.6 and 28.3.1) and no prototype. */
  isModuleNamespaceObject: (value: unknown): boolean =>
    isObject(value) &&
    getPrototypeOf(value) === null &&
    !Object.isExtensible(value) &&
    ownData(value, Symbol.toStringTag) === 'Module',
  /** Boxed BigInts and Symbols have a tag. */
  isBoxedPrimitive: (value: unknown): boolean => {
    const text = isObject(value) ? slotText(value) : '';
    return text === null ? unboxed(value as object) !== undefined : BOXED.includes(text);
  },
};

/** @param isProxy null if nothing reports a Proxy */
export const pageTypes = (isProxy: TypeTest | null): EngineTypes => ({
  types: { ...bySlotsAndTags, isProxy: isProxy ?? (() => false) },
});

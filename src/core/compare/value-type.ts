/**
 * The type of a value by internal slots: a spoofed Symbol.toStringTag or prototype changes nothing, and no user code
 * runs. Slots are read by intrinsics, which throw on objects without them (ECMA-262, RequireInternalSlot).
 */

import type { Kind } from '../../model/vocabulary/shape.ts';
import {
  ARRAY_BUFFER,
  accepts,
  getterOf,
  MAP,
  type Method,
  SET,
  SHARED_BUFFER,
} from '../value/intrinsics.ts';
import { map } from '../value/lists.ts';
import { platformClass } from '../value/platform-class.ts';

/** `view`: a typed array or a DataView. */
export type ComparedValueType = Exclude<Kind, 'typedarray' | 'dataview'> | 'view';

/** Types that Object.prototype.toString reports as ordinary objects once their @@toStringTag is deleted. */
const BY_SLOT: readonly [ComparedValueType, Method][] = [
  ['map', MAP.size],
  ['set', SET.size],
  ['arraybuffer', ARRAY_BUFFER.byteLength],
  ['boxed', BigInt.prototype.valueOf as Method],
  ['boxed', Symbol.prototype.valueOf as Method],
  ...(SHARED_BUFFER.byteLength === undefined
    ? []
    : [['sharedarraybuffer', SHARED_BUFFER.byteLength] as [ComparedValueType, Method]]),
];

/** Types that Object.prototype.toString reports, unless the object carries a @@toStringTag. */
const BY_SLOT_WHEN_TAGGED: readonly [ComparedValueType, Method][] = [
  // biome-ignore lint/style/noRestrictedGlobals: what a Date is, not what time it is.
  ['date', Date.prototype.getTime as Method],
  ['regexp', getterOf(RegExp.prototype, 'source')!],
  ['boxed', Number.prototype.valueOf as Method],
  ['boxed', String.prototype.valueOf as Method],
  ['boxed', Boolean.prototype.valueOf as Method],
];

const BY_TAG: Readonly<Record<string, ComparedValueType>> = {
  '[object Date]': 'date',
  '[object RegExp]': 'regexp',
  '[object Error]': 'error',
  '[object Number]': 'boxed',
  '[object String]': 'boxed',
  '[object Boolean]': 'boxed',
};

/** Reads the descriptor, never the value: @@toStringTag may be a getter of the user's. */
function isTagged(value: object): boolean {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, Symbol.toStringTag)) return true;
  return false;
}

function descendsFrom(value: object, ancestor: object): boolean {
  for (let at = Object.getPrototypeOf(value) as object | null; at !== null; at = Object.getPrototypeOf(at))
    if (at === ancestor) return true;
  return false;
}

/** Not merely an object that was given the prototype: engines give every error a stack of its own. */
const isError = (value: object) => Object.hasOwn(value, 'stack') || platformClass(value) !== undefined;

/** Slow and exact. RegExp.prototype itself, which has `source`, is an ordinary object. */
function exactObjectType(value: object): ComparedValueType {
  if (Array.isArray(value)) return 'array';
  if (ArrayBuffer.isView(value)) return 'view';
  const tagged = isTagged(value);
  const byTag = tagged ? undefined : BY_TAG[Object.prototype.toString.call(value)];
  if (byTag !== undefined) return byTag;
  const checks = tagged ? [...BY_SLOT, ...BY_SLOT_WHEN_TAGGED] : BY_SLOT;
  for (const [type, method] of checks) if (accepts(method, value) && value !== RegExp.prototype) return type;
  return tagged && descendsFrom(value, Error.prototype) && isError(value) ? 'error' : 'object';
}

/** The likely type by prototype, with the check that confirms it. */
const LIKELY = new Map<object, [ComparedValueType, Method]>([
  [Map.prototype, ['map', MAP.size]],
  [Set.prototype, ['set', SET.size]],
  // biome-ignore lint/style/noRestrictedGlobals: what a Date is, not what time it is.
  [Date.prototype, ['date', Date.prototype.getTime as Method]],
  [ArrayBuffer.prototype, ['arraybuffer', ARRAY_BUFFER.byteLength]],
]);
/** Prototypes with one object that was checked and is ordinary: their other objects are assumed to be ordinary too. */
const ordinary = new WeakSet<object>();

function quickObjectType(value: object): ComparedValueType {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype) return Array.isArray(value) ? 'array' : 'object';
  if (prototype === Array.prototype) return Array.isArray(value) ? 'array' : exactObjectType(value);
  if (prototype !== null && ordinary.has(prototype)) return Array.isArray(value) ? 'array' : 'object';
  const likely = prototype === null ? undefined : LIKELY.get(prototype);
  if (likely !== undefined && accepts(likely[1], value)) return likely[0];
  const type = exactObjectType(value);
  if (type === 'object' && prototype !== null) ordinary.add(prototype);
  return type;
}

function typeBy(value: unknown, ofObject: (value: object) => ComparedValueType): ComparedValueType {
  if (value === null) return 'null';
  return typeof value === 'object' ? ofObject(value) : (typeof value as ComparedValueType);
}

/** Right unless a Date, Map or the like was given the prototype of ordinary objects. */
export const quickType = (value: unknown): ComparedValueType => typeBy(value, quickObjectType);
/** Always right. */
export const exactType = (value: unknown): ComparedValueType => typeBy(value, exactObjectType);

const UNBOX = map([Number, String, Boolean, BigInt, Symbol], (type) => type.prototype.valueOf as Method);

/** The primitive inside `new Number(1)`, `Object(1n)`, ... without calling its own valueOf. */
export function unboxed(value: object): unknown {
  return UNBOX.find((method) => accepts(method, value))?.call(value);
}

/**
 * Determines the type of a value by internal slots: a spoofed Symbol.toStringTag or prototype has no effect, and no
 * user code runs. Slots are read by intrinsics, which throw on objects without them (ECMA-262, RequireInternalSlot).
 */
import type { Kind } from '../../model/vocabulary/shape.ts';
import { builtInName, CONSTRUCTOR_OF, isOfBuiltIn, isStandardError } from '../read/built-in-names.ts';
import {
  ARRAY_BUFFER,
  accepts,
  DATE,
  getterOf,
  MAP,
  type Method,
  SET,
  SHARED_BUFFER,
  slotText,
  unboxed,
  viewType,
} from '../read/intrinsics.ts';
import { onChain } from '../read/own-data.ts';
import { platformClass } from '../read/platform-class.ts';

/** `view` is a typed array or a DataView. */
export type ComparedType = Exclude<Kind, 'typedarray' | 'dataview'> | 'view';

/** Types by their slots, and the text of those whose slot Object.prototype.toString reads. */
const BY_SLOT: readonly [ComparedType, Method | undefined, text?: string][] = [
  ['map', MAP.size],
  ['set', SET.size],
  ['arraybuffer', ARRAY_BUFFER.byteLength],
  ['sharedarraybuffer', SHARED_BUFFER.byteLength],
  ['date', DATE.getTime, '[object Date]'],
  ['regexp', getterOf(RegExp.prototype, 'source'), '[object RegExp]'],
];

/** True if it is not only an object with the prototype of an error: engines give each error an own stack. */
const isError = (value: object) => Object.hasOwn(value, 'stack') || platformClass(value) !== undefined;

/** Slow but exact. RegExp.prototype itself, which has `source`, is an ordinary object. */
function exactObjectType(value: object): ComparedType {
  if (Array.isArray(value)) return 'array';
  if (ArrayBuffer.isView(value)) return 'view';
  const text = slotText(value);
  if (text === '[object Error]') return 'error';
  for (const [type, , own] of BY_SLOT) if (own !== undefined && own === text) return type;
  for (const [type, method, own] of BY_SLOT) {
    if (method === undefined || (text !== null && own !== undefined)) continue;
    if (accepts(method, value) && value !== RegExp.prototype) return type;
  }
  if (unboxed(value) !== undefined) return 'boxed';
  const isDerived = text === null && Object.prototype.isPrototypeOf.call(Error.prototype, value);
  return isDerived && isError(value) ? 'error' : 'object';
}

/** Prototypes of an object that was checked and is ordinary: other objects with them are assumed to be ordinary too. */
const ordinary = new WeakSet<object>([Object.prototype]);

const { object: _, ...others } = CONSTRUCTOR_OF;
/** Constructors of objects with slots. */
const WITH_SLOTS = new Set([...Object.values(others), 'TypedArray', 'Number', 'String', 'Boolean', 'Symbol']);

/** True for Map.prototype of any realm, and below. A Proxy of a Map has it too, and is ordinary, unlike other Maps. */
const isOfSlots = (prototype: object): boolean =>
  onChain(
    prototype,
    () => false,
    (at) => WITH_SLOTS.has(builtInName(at) ?? '') || undefined,
  ) ?? false;

function quickObjectType(value: object): ComparedType {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype !== null && ordinary.has(prototype)) return Array.isArray(value) ? 'array' : 'object';
  const type = exactObjectType(value);
  if (type === 'object' && prototype !== null && !isOfSlots(prototype)) ordinary.add(prototype);
  return type;
}

function typeBy(value: unknown, ofObject: (value: object) => ComparedType): ComparedType {
  if (value === null) return 'null';
  return typeof value === 'object' ? ofObject(value) : (typeof value as ComparedType);
}

/** Quick type; it is wrong only if a Date, Map or similar object got the prototype of ordinary objects. */
export const quickType = (value: unknown): ComparedType => typeBy(value, quickObjectType);
/** Exact type, by internal slots. */
export const exactType = (value: unknown): ComparedType => typeBy(value, exactObjectType);

/** Number of prototypes above the prototype of a standard object; by default one (`Object.prototype`). */
const STANDARD_DEPTH: Readonly<Partial<Record<ComparedType, number>>> = { object: 0, error: 2, view: 2 };

const isStandard = (value: object, type: ComparedType): boolean =>
  isOfBuiltIn(
    value,
    (name) => {
      if (type === 'error') return isStandardError(name);
      if (type === 'view') return name === viewType(value as ArrayBufferView);
      return type === 'boxed' || name === CONSTRUCTOR_OF[type];
    },
    STANDARD_DEPTH[type] ?? 1,
  );

/**
 * "object", "Date", "TypeError", "Uint8Array", "class Point", "null-prototype object". The realm is ignored, because a
 * clone always arrives in the receiver's realm.
 */
export function className(value: object, type: ComparedType): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return `null-prototype ${type}`;
  const name = builtInName(prototype) ?? 'anonymous';
  if (!isStandard(value, type)) return `class ${name}`;
  return type === 'object' ? 'object' : name;
}

/** The value if it is short, else its type or class. */
export function valueName(value: unknown): string {
  const type = exactType(value);
  if (type === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value === undefined || value === null || type === 'boolean') return String(value);
  return typeof value === 'object' ? className(value, type) : type;
}

function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return shorter;
}

/** Describes two values of different types, or two different primitives. */
export function primitiveDifference(a: unknown, b: unknown): string {
  if (typeof a === 'string' && typeof b === 'string')
    return `string changed at unit ${firstDifference(a, b)}`;
  if (typeof a === 'bigint' && typeof b === 'bigint') return 'bigint changed';
  if (typeof a === 'number' && typeof b !== 'number' && Number.isFinite(a) && !Object.is(a, -0))
    return `number became ${valueName(b)}`;
  if (typeof b === 'number' && typeof a !== 'number' && Number.isFinite(b))
    return `${valueName(a)} became number`;
  return `${valueName(a)} became ${valueName(b)}`;
}

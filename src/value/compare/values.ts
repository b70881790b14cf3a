/**
 * Type of a value by internal slots, and losses of its properties: a spoofed Symbol.toStringTag or prototype has no
 * effect, and no user code runs. Slots are read by intrinsics, which throw without them (RequireInternalSlot).
 */

import type { LossKind } from '../../model/rules/rule.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { builtInName, CONSTRUCTOR_OF, isOfBuiltIn, isStandardError } from '../read/built-in-types.ts';
import {
  ARRAY_BUFFER,
  accepts,
  DATE,
  getterOf,
  isLongView,
  MAP,
  type Method,
  readLength,
  SET,
  SHARED_BUFFER,
  slotText,
  unboxed,
  viewType,
} from '../read/intrinsics.ts';
import { ERROR_ENVIRONMENT, isIndexKey, ownData } from '../read/own-data.ts';
import type { TrailStep } from '../read/paths.ts';
import { isOfPlatform, platformClass } from '../read/platform-class.ts';
import type { Container } from '../read/walk.ts';

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

/** Engines give each error an own stack; an object may only have the prototype of an error. */
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

const quickObjectType = (value: object): ComparedType => {
  if (Array.isArray(value)) return 'array';
  const isOrdinary = Object.getPrototypeOf(value) === Object.prototype;
  return isOrdinary || slotText(value) === '[object Object]' ? 'object' : exactObjectType(value);
};

function typeBy(value: unknown, ofObject: (value: object) => ComparedType): ComparedType {
  if (value === null) return 'null';
  return typeof value === 'object' ? ofObject(value) : (typeof value as ComparedType);
}

/** Wrong only for a Date, Map or similar object that got the prototype of ordinary objects. */
export const quickType = (value: unknown): ComparedType => typeBy(value, quickObjectType);
export const exactType = (value: unknown): ComparedType => typeBy(value, exactObjectType);

/** Number of prototypes above; default: one (`Object.prototype`). */
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

/** "object", "Date", "class Point", "null-prototype object". The realm is ignored: a clone is of the receiver's. */
export function className(value: object, type: ComparedType): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return `null-prototype ${type}`;
  const name = builtInName(prototype) ?? 'anonymous';
  if (!isStandard(value, type)) return `class ${name}`;
  return type === 'object' ? 'object' : name;
}

/** The value if it is short, else its type or class. */
function valueName(value: unknown): string {
  const type = exactType(value);
  if (type === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value === undefined || value === null || type === 'boolean') return String(value);
  return typeof value === 'object' ? className(value, type) : type;
}

export function primitiveDifference(a: unknown, b: unknown): string {
  if (typeof a === typeof b && (typeof a === 'string' || typeof a === 'bigint')) return `${typeof a} changed`;
  if (typeof a === 'number' && typeof b !== 'number' && Number.isFinite(a) && !Object.is(a, -0))
    return `number became ${valueName(b)}`;
  if (typeof b === 'number' && typeof a !== 'number' && Number.isFinite(b))
    return `${valueName(a)} became number`;
  return `${valueName(a)} became ${valueName(b)}`;
}

export type ChildPairs = Container & { steps: TrailStep[]; values: unknown[]; others: unknown[] };

export type ReportLoss = (kind: LossKind, what: string, step?: TrailStep) => void;

const arrayIndex = (key: string): number | null => (isIndexKey(key) ? Number(key) : null);

function isSlot(type: ComparedType, key: string | symbol, value: object): boolean {
  if (typeof key === 'symbol') return isOfPlatform(value);
  if (type === 'regexp') return key === 'lastIndex';
  if (type === 'error' && key === 'message') return platformClass(value) === undefined;
  if (type === 'error') return ERROR_ENVIRONMENT.has(key);
  if (type === 'view') return isIndexKey(key);
  if (type !== 'boxed') return false;
  const inside = unboxed(value);
  return (
    typeof inside === 'string' && (key === 'length' || (arrayIndex(key) ?? inside.length) < inside.length)
  );
}

type Step = TrailStep | symbol;

const isBeyond = (step: Step, array: object): boolean =>
  typeof step === 'number' && step >= readLength(array as readonly unknown[]);

const absence = (step: Step): string => (typeof step === 'number' ? 'hole' : 'absent');

/** Lost integrity is one loss. All three set is the usual case. */
function losesAttributes(
  before: PropertyDescriptor,
  after: PropertyDescriptor,
  integrity: Integrity,
): boolean {
  const { writable, enumerable, configurable } = before;
  if ((writable && enumerable && configurable) || !('value' in before)) return false;
  if (!('value' in after) || integrity === 'frozen') return false;
  const isUnsealed = integrity !== 'sealed' && configurable !== after.configurable;
  return writable !== after.writable || enumerable !== after.enumerable || isUnsealed;
}

/** Reports what the properties of `a` lost in `b`. @returns `pairs`, with the values to compare further */
export function propertyPairs(
  a: object,
  b: object,
  type: ComparedType,
  report: ReportLoss,
  pairs: ChildPairs = { steps: [], values: [], others: [], next: 0 },
): ChildPairs {
  const integrity = readIntegrity(a);
  // The shared memory of WebAssembly is always frozen, with or without a clone (WebAssembly JS API).
  const isWasmMemory = type === 'sharedarraybuffer' && integrity === 'frozen';
  if (integrity !== readIntegrity(b) && !isWasmMemory)
    report('integrity', `${integrity} became ${readIntegrity(b)}`);
  if (isLongView(a) && isLongView(b)) return pairs;
  const stepOf = (key: string | symbol): Step =>
    (type === 'array' && typeof key === 'string' ? arrayIndex(key) : null) ?? key;
  /** A symbol key has no path, so the text names the property; only its children use it as a step. */
  const lost = (kind: LossKind, step: Step, what: string) =>
    typeof step === 'symbol' ? report(kind, `property ${String(step)}: ${what}`) : report(kind, what, step);
  const [keysA, keysB] = [Reflect.ownKeys(a), Reflect.ownKeys(b)];
  let isMissing = false;
  for (const key of keysA) {
    if (isSlot(type, key, a)) continue;
    const before = Object.getOwnPropertyDescriptor(a, key)!;
    const after = Object.getOwnPropertyDescriptor(b, key);
    const isData = 'value' in before;
    if (after === undefined) {
      isMissing = true;
      const [step, name] = [stepOf(key), isData ? valueName(before.value) : 'getter'];
      if (!isBeyond(step, b)) lost('property', step, `${name} became ${absence(step)}`);
      continue;
    }
    if (losesAttributes(before, after, integrity)) lost('attributes', stepOf(key), 'attributes changed');
    if (isData && isSamePrimitive(before.value, after.value)) continue;
    const step = stepOf(key);
    if (!isData) {
      if ('value' in after) lost('getter', step, 'getter became a value');
    } else if (type === 'error' && key === 'cause' && typeof after.value === 'string')
      lost('value', step, `${valueName(before.value)} became a text`);
    else if (type !== 'array' || key !== 'length') {
      // Clones do not have symbol keys, but Electron's contextBridge copies their values.
      pairs.steps.push(typeof step === 'symbol' ? String(step) : step);
      pairs.values.push(before.value);
      pairs.others.push(after.value);
    }
  }
  // No new keys are possible if the number of keys is the same and none is missing.
  if (keysB.length === keysA.length && !isMissing) return pairs;
  for (const key of keysB) {
    const step = stepOf(key);
    if (isSlot(type, key, b) || Object.hasOwn(a, key) || isBeyond(step, a)) continue;
    lost('value', step, `${absence(step)} became ${valueName(ownData(b, key))}`);
  }
  return pairs;
}

type Integrity = 'extensible' | 'non-extensible' | 'sealed' | 'frozen';

function readIntegrity(value: object): Integrity {
  if (Object.isExtensible(value)) return 'extensible';
  if (Object.isFrozen(value)) return 'frozen';
  return Object.isSealed(value) ? 'sealed' : 'non-extensible';
}

/** Quick check of the usual case. `undefined` is excluded because it may also mean an absent property. */
const isSamePrimitive = (a: unknown, b: unknown): boolean =>
  a !== undefined && (typeof a !== 'object' || a === null) && Object.is(a, b);

/**
 * Built-ins from before the program's own code ran: what it patches does not run, and what it breaks does not stop the
 * recorder. Code of the tap uses no method, iterator or spread of the program's realm: it imports these as `kept`.
 */

import { orElse } from '../../../model/or-else.ts';
import { ARRAY_BUFFER, callOn, execOn, viewRange } from '../../../value/read/intrinsics.ts';

const { bind, call } = Function.prototype;
type Unbound = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R;
/** `unbound(Map.prototype.get)(map, key)`. */
export const unbound = bind.bind(call) as unknown as Unbound;
export const getter = <T>(prototype: object, key: PropertyKey): ((self: unknown) => T) =>
  unbound(Reflect.getOwnPropertyDescriptor(prototype, key)!.get as (this: unknown) => T);

export const { apply, construct, defineProperty, deleteProperty, ownKeys, set } = Reflect;
export const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
export const { keys, create } = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { isFinite: isFiniteNumber } = Number;
export const { floor, imul, log2, max, min } = Math;
export const objectPrototype = Object.prototype;
export const arrayPrototype = Array.prototype;

const { performance } = globalThis;
const timeOf = unbound(performance.now) as (self: unknown) => number;
/** Milliseconds on a clock of the runtime. */
export const now = (): number => timeOf(performance);

const weakMap = WeakMap.prototype;
export const weakGet = unbound(weakMap.get) as <V>(map: WeakMap<object, V>, key: object) => V | undefined;
export const weakSet = unbound(weakMap.set) as <V>(map: WeakMap<object, V>, key: object, value: V) => unknown;
/** True once for each object. */
export function isNew(seen: WeakMap<object, true>, object: object): boolean {
  if (weakGet(seen, object)) return false;
  weakSet(seen, object, true);
  return true;
}
export const Weak = WeakMap;
export const Ref = WeakRef;
export const deref = unbound(WeakRef.prototype.deref) as (ref: WeakRef<object>) => object | undefined;

const text = String.prototype;
export const startsWith = unbound(text.startsWith) as (text: string, start: string) => boolean;
export const indexOf = unbound(text.indexOf) as (text: string, part: string, from?: number) => number;
export const lastIndexOf = unbound(text.lastIndexOf) as (text: string, part: string) => number;
export const slice = unbound(text.slice) as (text: string, from: number, to?: number) => string;
export const charCodeAt = unbound(text.charCodeAt) as (text: string, index: number) => number;
export const matches = (pattern: RegExp, text: string): boolean => execOn(pattern, text) !== null;
export const toText = unbound(Number.prototype.toString) as (value: number, radix?: number) => string;

/** Quotes a text. Of texts and numbers JSON.stringify runs no code of the program's: only objects have a toJSON. */
export const quoted = JSON.stringify as (value: string) => string;
export const parsed = JSON.parse as (text: string) => unknown;
export const decoded = decodeURIComponent;

/** Bytes that are copied for a buffer, or for the buffer behind a view: 0 if it is shared or detached. */
export function memoryBehind(value: object): number {
  const buffer = isView(value) ? viewRange(value).buffer : value;
  return orElse(() => callOn(ARRAY_BUFFER.byteLength, buffer) as number, 0);
}

export const hasOwn = unbound(objectPrototype.hasOwnProperty) as (owner: object, key: PropertyKey) => boolean;

/** Makes an ordinary property, even if the program has changed Object.prototype. Returns false if it cannot be made. */
export function setData(owner: object, key: PropertyKey, value: unknown, enumerable = true): boolean {
  const made = create(null) as PropertyDescriptor;
  made.value = value;
  made.writable = made.configurable = true;
  made.enumerable = enumerable;
  return defineProperty(owner, key, made);
}

/** An own data property; undefined for an accessor, and if there is none. `owner` is not a Proxy. */
export function dataOf(owner: object, key: PropertyKey): unknown {
  const found = getOwnPropertyDescriptor(owner, key);
  // `hasOwn` comes first: for an accessor, `found.value` would be that of the program's Object.prototype.
  return found !== undefined && hasOwn(found, 'value') ? found.value : undefined;
}

const events = EventTarget.prototype;
export const dispatch = unbound(events.dispatchEvent) as unknown as (to: object, event: object) => boolean;
type Listen = (target: unknown, type: string, listener: (event: object) => void, capture?: boolean) => void;
export const listen = unbound(events.addEventListener) as unknown as Listen;

/** JSON of plain objects and arrays: JSON.stringify would call a toJSON that the program put on Object.prototype. */
export function recordText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return isFiniteNumber(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null) return 'null';
  return isArray(value) ? listText(value) : objectText(value as Record<string, unknown>);
}

function listText(list: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += `${i === 0 ? '' : ','}${recordText(list[i])}`;
  return `${text}]`;
}

function objectText(object: Record<string, unknown>): string {
  const names = keys(object);
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const value = object[names[i]!];
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${quoted(names[i]!)}:${recordText(value)}`;
  }
  return `${text}}`;
}

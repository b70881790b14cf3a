/**
 * Built-ins from before the program's own code ran, and facts of the thread. Patches of the program do not run, and its
 * damage does not stop the recorder. Code of the tap uses no method, iterator or spread of the program's realm: it imports
 * these as `kept`.
 */
import { type EngineTypes, giveTypes } from '../../engines/probe/type-detection.ts';
import type { Frame } from '../../model/documents/recorded/recording.ts';
import { orElse } from '../../model/or-else.ts';
import type { TapSettings } from '../../model/recording/recording.ts';
import type { Storage } from '../../value/describe/inspect/storage.ts';
import { ARRAY_BUFFER, callOn, execOn, viewRange } from '../../value/read/intrinsics.ts';

const { bind, call } = Function.prototype;
type Unbound = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R;
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
export function isNew(seen: WeakMap<object, true>, object: object): boolean {
  if (weakGet(seen, object)) return false;
  weakSet(seen, object, true);
  return true;
}
export const Weak = WeakMap;
export const Ref = WeakRef;
export const Bytes = Uint8Array;
export const Doubles = Float64Array;
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
export const quoted = JSON.stringify as (value: unknown) => string;
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
  if (typeof value !== 'object' || value === null) return quoted(value ?? null);
  const isList = isArray(value);
  const names = keys(value);
  let text = '';
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const held = (value as Record<string, unknown>)[name];
    if (held === undefined && !isList) continue;
    text += `${text && ','}${isList ? '' : `${quoted(name)}:`}${recordText(held)}`;
  }
  return isList ? `[${text}]` : `{${text}}`;
}

export interface LookEngine {
  /** Storage is read only while `run` runs. */
  withStorage<T>(run: (storage: Storage) => T): T;
  /** Bytes of a message whose serialization runs no code, to another process or in this one; null if it is refused. */
  bytes?(value: unknown, isApart: boolean): number | null;
}

/** Requirements of the recorder on the runtime that it runs in. Node, Bun, Deno and pages bring their own. */
export interface TapPlatform {
  /** Nothing tells a Proxy: messages are looked at after they were posted, when they hold none. */
  readonly looksAfter?: boolean;
  /** The end of a thread cannot be waited for: records are written at once. */
  readonly endsUnseen?: boolean;
  /** The stack above `caller`, outermost last. Files are paths, addresses, or what code given as text is called. */
  frames(caller: unknown): Frame[];
  /** Frame in the source of code that was compiled while it was loaded; else the frame itself. */
  originalPlace?(frame: Frame): Frame;
  packageVersion?(folder: string): string | null;
  /** Loads the engine's part of looks, which takes milliseconds. */
  engine(): LookEngine;
  /** Runs what may make errors without calling formatters of the program's; null if that cannot be done. */
  alone<T>(run: () => T): T | null;
  append(lines: string): void;
  writeCounters(): void;
  /** Called for each message that was counted or refused, if the thread can be terminated before the next flush. */
  onCounted?(): void;
}

export let types: EngineTypes['types'];
export let platform: TapPlatform;
export let settings: TapSettings;
export let counters: Float64Array;

export function giveEngineTypes(given: EngineTypes): void {
  giveTypes(given);
  types = given.types;
}

export function giveThread(...given: [TapPlatform, TapSettings, Float64Array]): void {
  [platform, settings, counters] = given;
}

export const isBuffer = (value: unknown): boolean =>
  types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);

export const canBeRead = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);

export const fieldOf = (owner: unknown, key: PropertyKey): unknown =>
  canBeRead(owner) ? dataOf(owner, key) : undefined;

/** An entry of a transfer list, with its bytes before the post, which takes them: 0 for what is no buffer. */
export interface Listed {
  value: unknown;
  bytes: number;
}

const NOTHING_LISTED: readonly Listed[] = [];

/** Entries of a transfer list, or of options with one; none if no list can be read. Its methods may be the program's. */
export function listedIn(given: unknown): readonly Listed[] {
  if (!canBeRead(given)) return NOTHING_LISTED;
  const list = isArray(given) ? given : dataOf(given, 'transfer');
  if (!isArray(list) || types.isProxy(list)) return NOTHING_LISTED;
  const entries: Listed[] = [];
  for (let i = 0; i < list.length; i++) {
    const value = dataOf(list, i);
    entries[i] = { value, bytes: types.isArrayBuffer(value) ? memoryBehind(value as object) : 0 };
  }
  return entries;
}

const iteratorOf = (iterable: Iterable<unknown>): object =>
  Reflect.getPrototypeOf(iterable[Symbol.iterator]()) as object;

const OWNERS: readonly object[] = [
  ...[Object, Reflect, Array, Array.prototype, String, String.prototype, Number, JSON, Symbol, Math],
  ...[Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype, RegExp.prototype],
  Function.prototype,
  ...[Reflect.getPrototypeOf(Uint8Array.prototype) as object, ArrayBuffer.prototype],
  ...[iteratorOf([]), iteratorOf(new Map()), iteratorOf(new Set()), iteratorOf('')],
];

const CLASSES = ['Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp'];

/** Read by name from the recorder's objects, which inherit them. */
const DESCRIPTOR_FIELDS = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];

type Part = 'get' | 'value';
const known: { owner: object; key: PropertyKey; part: Part; is: unknown }[] = [];

function know(owner: object, key: PropertyKey): void {
  const { get, value } = getOwnPropertyDescriptor(owner, key)!;
  if (get !== undefined) known.push({ owner, key, part: 'get', is: get });
  else if (typeof value === 'function') known.push({ owner, key, part: 'value', is: value });
}
for (const owner of OWNERS) for (const key of ownKeys(owner)) know(owner, key);
for (const name of CLASSES) know(globalThis, name);

/** Checks that the built-ins that a look uses are still the engine's own: it runs ordinary code, which would call others. */
function builtInsAreIntact(): boolean {
  for (let i = 0; i < known.length; i++) {
    const { owner, key, part, is } = known[i]!;
    const found = getOwnPropertyDescriptor(owner, key);
    if (found === undefined || !hasOwn(found, part) || found[part] !== is) return false;
  }
  for (let i = 0; i < DESCRIPTOR_FIELDS.length; i++)
    if (hasOwn(objectPrototype, DESCRIPTOR_FIELDS[i]!)) return false;
  return true;
}

export let isLooking = false;

/** Runs it unrecorded: it may clone. */
export function unrecorded<T>(run: () => T): T {
  isLooking = true;
  try {
    return run();
  } finally {
    isLooking = false;
  }
}

/** null if the value cannot be looked at without running the program's code: built-ins are called by name. */
export const looking = <T>(run: () => T): T | null =>
  builtInsAreIntact() ? unrecorded(() => platform.alone(run)) : null;

/** Bounds what a part of the recorder takes: milliseconds at once, a share of the time until now, what is earned. */
export const governor = (startedAt: number, atOnceMs: number, share: number) => ({
  spentMs: 0,
  /** Time that may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return atOnceMs + share * (now - startedAt) - this.spentMs;
  },
  within(run: () => void): void {
    const from = now();
    if (this.left(from) <= 0) return;
    run();
    this.spentMs += now() - from;
  },
});

/** Platform objects: recognised by the name of a class on their prototype chain, and classified by cloning one. */

import type { BuiltInType } from '../../core/describe/inspect/probe.ts';
import { accepts, callOn, type Method, methodOf } from '../../core/value/intrinsics.ts';
import { ownData } from '../../core/value/own-data.ts';
import { platformClass } from '../../core/value/platform-class.ts';
import { orElse } from '../../model/or-else.ts';
import { types } from './engine-types.ts';

/** Have transfer steps (HTML, Streams, Node's FileHandle): must be in the transfer list. */
const TRANSFERABLE = new Set([
  'MessagePort',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'FileHandle',
]);

/** Whether they are refused, cloned or become a plain object depends on runtime and version, so each is tried. */
const PLATFORM_CLASSES = `
  AbortController AbortSignal Blob BlockList BroadcastChannel CloseEvent CompressionStream Crypto CryptoKey
  CustomEvent DecompressionStream DOMException ErrorEvent Event EventTarget File FormData Global Headers Histogram
  Immediate Instance KeyObject Memory MessageChannel MessageEvent Module Performance PerformanceEntry
  PerformanceObserver PerformanceTiming PrivateKeyObject PublicKeyObject ReadableStreamBYOBReader ReadableStreamDefaultReader
  RecordableHistogram Request Response SecretKeyObject ShadowRealm SocketAddress Storage SubtleCrypto
  Suspending Table Tag TextDecoder TextDecoderStream TextEncoder TextEncoderStream Timeout URL URLPattern
  URLSearchParams WebSocket Worker WritableStreamDefaultWriter X509Certificate
`;
const PLATFORM = new Set([...TRANSFERABLE, ...PLATFORM_CLASSES.trim().split(/\s+/)]);

/** Globals of these names when this module was loaded. Node and Deno load some on their first use, by a getter. */
const globals = new Map<string, PropertyDescriptor>();
for (const name of PLATFORM) {
  const descriptor = Reflect.getOwnPropertyDescriptor(globalThis, name);
  if (descriptor !== undefined) globals.set(name, descriptor);
}

/** False for a class of the user's that has the same name. */
function isPlatformClass(name: string, prototype: object): boolean {
  const { get, value } = globals.get(name) ?? {};
  const owner: unknown = get === undefined ? value : callOn(get as Method, globalThis);
  return typeof owner === 'function' && owner === ownData(prototype, 'constructor');
}

/** By prototype: what the objects of a class are, apart from those that are refused while others are not. */
const triedClasses = new Map<object, { type: BuiltInType | undefined; tries: number }>();

/**
 * One may be marked as uncloneable, or only have the prototype, so each is tried, at some microseconds; beyond these, the
 * rest of a class is taken for what the others were.
 */
const MAX_TRIES = 1000;
/** Cloned in place of objects that may have been given anything. */
const PRISTINE: Readonly<Record<string, () => object>> = {
  Blob: () => new Blob([]),
  File: () => new File([], ''),
  DOMException: () => new DOMException('', 'AbortError'),
};

/** Alone, then inside an array: Deno refuses more types as the message itself, Bun before 1.2.22 more inside one. */
function tryClone(value: object): unknown {
  try {
    return structuredClone(value);
  } catch {
    const [clone] = structuredClone([value]) as unknown[];
    return clone;
  }
}

/** In a vm context (Jest) structuredClone and the objects that it makes belong to the outer realm. */
function isPlain(clone: unknown): boolean {
  if (typeof clone !== 'object' || clone === null) return false;
  const prototype = Reflect.getPrototypeOf(clone);
  return prototype === Object.prototype || prototype === Reflect.getPrototypeOf(structuredClone({}));
}

/** undefined when it clones to a plain object, as an instance of any class does. */
function typeByCloning(value: object, tag: string): BuiltInType | undefined {
  try {
    const clone = tryClone(value);
    return isPlain(clone) ? undefined : { kind: 'platform', tag };
  } catch {
    return TRANSFERABLE.has(tag)
      ? { kind: 'platform', tag, transferable: true }
      : { kind: 'not-cloneable', tag };
  }
}

/** Cloning reads own enumerable string properties: none may be a getter or lead to other objects. A function throws. */
function isHarmlessToClone(value: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (d) => d.enumerable !== true || ('value' in d && (d.value === null || typeof d.value !== 'object')),
  );
}

function platformName(prototype: object): string | undefined {
  const owner: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof owner !== 'function' || types.isProxy(owner)) return undefined;
  const name: unknown = Reflect.getOwnPropertyDescriptor(owner, 'name')?.value;
  return typeof name === 'string' ? name : undefined;
}

/** Bun refuses all web objects without clone steps: there, one that is cloned has only the prototype of its class. */
const refusesAll = typeByCloning(new EventTarget(), 'EventTarget') !== undefined;

/** The class made it: a getter or one of these methods takes it. Of a class with neither it cannot be told. */
const TAKING_INSTANCES = ['getSetCookie', 'entries'];

function isInstance(value: object, prototype: object): boolean {
  for (const key of Object.keys(prototype)) {
    const { get } = Reflect.getOwnPropertyDescriptor(prototype, key)!;
    if (get !== undefined) return accepts(get as Method, value);
  }
  for (const name of TAKING_INSTANCES) {
    const method = methodOf(prototype, name);
    if (method !== undefined) return accepts(method, value);
  }
  return true;
}

/** `value` must not be a Proxy. undefined for objects that are not platform objects. */
export function platformObject(value: object): BuiltInType | undefined {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    if (types.isProxy(at)) return undefined;
    const tried = triedClasses.get(at);
    if (tried !== undefined && tried.tries >= MAX_TRIES) return tried.type;
    const tag = platformName(at);
    if (tag === undefined || !PLATFORM.has(tag)) continue;
    const pristine = PRISTINE[platformClass(value, types.isProxy)?.name ?? ''];
    const sample = isHarmlessToClone(value) ? value : pristine?.();
    if (sample === undefined) return undefined;
    let type: BuiltInType | undefined;
    if (isWasmModule(value) || isSharedMemory(value, tag)) type = { kind: 'platform', tag };
    else type = typeByCloning(sample, tag);
    if (!type && !refusesAll && isPlatformClass(tag, at) && isInstance(value, at))
      type = { kind: 'object', tag, web: true };
    const exception = tried !== undefined && type?.kind === 'not-cloneable';
    triedClasses.set(at, { type: exception ? tried.type : type, tries: (tried?.tries ?? 0) + 1 });
    return type;
  }
  return undefined;
}

/** Undefined where WebAssembly is switched off. */
const wasm = (
  globalThis as { WebAssembly?: { Module?: { exports: Method }; Memory?: { prototype: object } } }
).WebAssembly;
/** Throws for all other objects (WebAssembly JS API). */
const moduleExports = wasm?.Module?.exports;

/** Bun before 1.4 posts modules, but its structuredClone refuses them. */
function isWasmModule(value: object): boolean {
  return orElse(
    () => moduleExports !== undefined && Array.isArray(callOn(moduleExports, undefined, value)),
    false,
  );
}

/** Bun before 1.4 posts those on shared memory, but its structuredClone refuses them. */
function isSharedMemory(value: object, tag: string): boolean {
  const memory = tag === 'Memory' ? wasm?.Memory?.prototype : undefined;
  const memoryBuffer = memory && Reflect.getOwnPropertyDescriptor(memory, 'buffer')?.get;
  return orElse(
    () => memoryBuffer !== undefined && types.isSharedArrayBuffer(callOn(memoryBuffer as Method, value)),
    false,
  );
}

/**
 * Objects of the language that look plain. V8 sends each as {}, JavaScriptCore refuses namespaces, and Object.prototype
 * before Bun 1.4.
 */
const LANGUAGE_OBJECTS = new Map<object, string>([
  [Object.prototype, 'Object.prototype'],
  [Math, 'Math'],
  [JSON, 'JSON'],
  [Reflect, 'Reflect'],
  [Atomics, 'Atomics'],
  [Intl, 'Intl'],
]);

/** undefined for an ordinary object. */
export function languageObject(value: object): BuiltInType | undefined {
  const tag = LANGUAGE_OBJECTS.get(value);
  return tag === undefined || !isHarmlessToClone(value) ? undefined : typeByCloning(value, tag);
}

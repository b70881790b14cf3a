/** The built-in type of a value by its internal slots, in any realm. The entry of a bundle gives the tests of its engine. */

import { givenByEntry } from '../../model/given.ts';
import { orElse, throws } from '../../model/or-else.ts';
import { PLATFORM_CLASSES } from '../../model/vocabulary/platform-classes.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { rareBuiltIn } from '../../value/describe/inspect/built-ins.ts';
import { type BuiltInType, builtInName, type TypeDetection } from '../../value/read/built-in-types.ts';
import {
  accepts,
  callOn,
  isNative,
  type Method,
  methodOf,
  realm,
  realmProperty,
  unboxed,
} from '../../value/read/intrinsics.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { ownData } from '../../value/read/own-data.ts';
import {
  isPlatformKey,
  type PlatformClass,
  platformClass,
  platformMemory,
} from '../../value/read/platform-class.ts';

export type TypeTest = (value: unknown) => boolean;

/** Built-in types as the place that this code runs in reports them: a process, a page, workerd. */
export interface EngineTypes {
  types: TypeTests;
  bufferPrototype?: object;
  isMarkedAsUntransferable?: ((buffer: object) => boolean) | undefined;
  /** Classes that are not looked at, which would load them: the runtime marks each of their objects as uncloneable. */
  marked?: readonly string[];
  /** Classes that reading their property would load, and whether they are loaded: before, none of their objects exists. */
  late?: { classes: ReadonlySet<string>; areLoaded: () => boolean };
  /** Size of the pool that Buffer.from takes small buffers from; absent without a pool. */
  poolBytes?: number;
}

/** The most frequent types first. Each test is a call into the engine and takes some nanoseconds. */
const KINDS = [
  ['isDate', 'date'],
  ['isMap', 'map'],
  ['isSet', 'set'],
  ['isArrayBuffer', 'arraybuffer'],
  ['isSharedArrayBuffer', 'sharedarraybuffer'],
  ['isRegExp', 'regexp'],
  ['isNativeError', 'error'],
  ['isPromise', 'promise'],
  ['isWeakMap', 'weakmap'],
  ['isWeakSet', 'weakset'],
  ['isArgumentsObject', 'arguments'],
  ['isGeneratorObject', 'generator'],
  ['isMapIterator', 'iterator', 'Map Iterator'],
  ['isSetIterator', 'iterator', 'Set Iterator'],
  ['isModuleNamespaceObject', 'module-namespace'],
] as const satisfies readonly (readonly [string, Kind, string?])[];

/** Tests by internal slots, named as in node:util. */
type TestName = (typeof KINDS)[number][0] | 'isProxy' | 'isDataView' | 'isBoxedPrimitive';
type TypeTests = Readonly<Record<TestName, TypeTest>>;

/** Tags of boxed values, by the type of the value inside. Every engine refuses Object(Symbol()) (HTML StructuredSerializeInternal, step 5). */
const BOXED: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  bigint: 'BigInt',
};

const PLAIN: BuiltInType = { kind: 'object' };

/** An object of WebAssembly GC looks like an empty frozen object without prototype, but cannot be cloned. */
function isOpaque(value: object): boolean {
  if (Object.isExtensible(value) || Reflect.ownKeys(value).length > 0) return false;
  return throws(() => structuredClone(value));
}

/** ES2026; absent in older engines. Such an object does not have a prototype. */
const { isRawJSON } = JSON as { isRawJSON?: (value: object) => boolean };

function detectBy(types: TypeTests): (value: object) => BuiltInType {
  return (value) => {
    if (ArrayBuffer.isView(value)) return { kind: types.isDataView(value) ? 'dataview' : 'typedarray' };
    for (const [name, kind, tag] of KINDS)
      if (types[name](value)) return tag === undefined ? { kind } : { kind, tag };
    if (types.isBoxedPrimitive(value)) {
      const tag = BOXED[typeof unboxed(value)];
      return tag === undefined ? { kind: 'not-cloneable', tag: 'Symbol' } : { kind: 'boxed', tag };
    }
    const prototype = Reflect.getPrototypeOf(value);
    if (prototype === null) {
      if (isRawJSON?.(value) === true) return { kind: 'not-cloneable', tag: 'JSON.rawJSON' };
      if (isOpaque(value)) return { kind: 'not-cloneable', tag: 'WebAssembly object' };
    }
    if (prototype === null || prototype === Object.prototype) return languageObject(value) ?? PLAIN;
    return rareBuiltIn(value, types.isProxy) ?? platformObject(value, types) ?? PLAIN;
  };
}

const given = givenByEntry<TypeDetection>('types');

/** Called by each entry, before user code loads. */
export const giveTypes = ({
  types,
  bufferPrototype,
  isMarkedAsUntransferable,
  marked = [],
  late,
  poolBytes = 0,
}: EngineTypes): void => {
  noteGlobals(marked);
  lateClasses = late;
  given.give({
    isProxy: types.isProxy,
    of: detectBy(types),
    isNodeBuffer: (view) =>
      bufferPrototype !== undefined && Object.prototype.isPrototypeOf.call(bufferPrototype, view),
    ...(isMarkedAsUntransferable && { isUntransferable: isMarkedAsUntransferable }),
    isWasmMemory: (buffer) => memoryBuffers.has(buffer),
    poolBytes,
  });
};

export const typeDetection = given.get;

// Platform objects are recognised by the name of a class on their prototype chain, and classified by cloning one.

const POSTED = Object.entries(PLATFORM_CLASSES);
/** Must be in the transfer list; Node's FileHandle too. */
const TRANSFERABLE = new Set([
  'FileHandle',
  ...flatMap(POSTED, ([name, { marked }]) => (marked.includes('serializable') ? [] : [name])),
]);
const HELD = new Set(flatMap(POSTED, ([name, { marked }]) => (marked.length > 1 ? [name] : [])));
/** These are not tried: cloning moves a data channel in Chromium, and makes a different track in WebKit. */
const UNTRIED = /^RTCDataChannel$|MediaStreamTrack$/;

/** Runtime and version decide if one is refused, cloned or becomes a plain object, so each is tried. */
const OTHER_CLASSES = `
  AbortController AbortSignal BlockList BroadcastChannel CloseEvent CompressionStream Crypto
  CustomEvent DecompressionStream ErrorEvent Event EventTarget FormData Global Headers Histogram
  Immediate Instance KeyObject MessageChannel MessageEvent Performance PerformanceEntry
  PerformanceObserver PerformanceTiming PrivateKeyObject PublicKeyObject ReadableStreamBYOBReader ReadableStreamDefaultReader
  RecordableHistogram RpcTarget Request Response SecretKeyObject ShadowRealm SocketAddress Storage SubtleCrypto
  Suspending Table Tag TextDecoder TextDecoderStream TextEncoder TextEncoderStream Timeout URL URLPattern
  URLSearchParams WebSocket Worker WritableStreamDefaultWriter X509Certificate
`;
const PLATFORM = new Set([
  ...TRANSFERABLE,
  ...map(POSTED, ([name]) => name),
  ...OTHER_CLASSES.trim().split(/\s+/),
]);

/** Globals of these names before user code loaded. Node and Deno load some on their first use, by a getter. */
const globals = new Map<string, PropertyDescriptor>();
const markedClasses = new Set<string>();
let lateClasses: EngineTypes['late'];

/** True if the runtime has not loaded its class of this name. */
const isUnloaded = (name: string): boolean =>
  lateClasses?.classes.has(name) === true && !lateClasses.areLoaded();

function noteGlobals(marked: readonly string[]): void {
  for (const name of marked) markedClasses.add(name);
  for (const name of PLATFORM) {
    const descriptor = markedClasses.has(name) ? undefined : realmProperty(name);
    if (descriptor !== undefined) globals.set(name, descriptor);
  }
}

/** False for a user's class that has the same name. */
function isPlatformClass(name: string, prototype: object): boolean {
  const { get, value } = globals.get(name) ?? {};
  if (get !== undefined && isUnloaded(name)) return false;
  const owner: unknown = get === undefined ? value : callOn(get as Method, globalThis);
  return typeof owner === 'function' && owner === ownData(prototype, 'constructor');
}

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

/** True for a plain object. In a vm context (Jest), objects that structuredClone makes belong to the outer realm. */
function isPlain(clone: unknown): boolean {
  if (typeof clone !== 'object' || clone === null) return false;
  const prototype = Reflect.getPrototypeOf(clone);
  return prototype === Object.prototype || prototype === Reflect.getPrototypeOf(structuredClone({}));
}

/** undefined when it clones to a plain object, as an instance of any class does. */
function typeByCloning(value: object, tag: string): BuiltInType | undefined {
  try {
    const clone = tryClone(value);
    if (isPlain(clone)) return undefined;
    // Frames are few: a frame that is not closed keeps a decoder waiting.
    const close = methodOf(Reflect.getPrototypeOf(clone as object)!, 'close');
    if (HELD.has(tag) && close !== undefined) callOn(close, clone);
    return { kind: 'platform', tag };
  } catch {
    return TRANSFERABLE.has(tag)
      ? { kind: 'platform', tag, transferable: true }
      : { kind: 'not-cloneable', tag };
  }
}

/** Cloning reads own enumerable string properties: none may be a getter or lead to other objects. A function throws. */
function isHarmlessToClone(value: object, known?: PlatformClass): boolean {
  for (const key of Reflect.ownKeys(value)) {
    // Chromium lists keys of computed styles that are not there.
    const { enumerable, get, value: held } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
    if (enumerable !== true || typeof key === 'symbol' || (known && isPlatformKey(known, key))) continue;
    if (get !== undefined || (typeof held === 'object' && held !== null)) return false;
  }
  return true;
}

/** A user's object may hold what is refused, and be refused for that. */
const holdsRefused = (value: object): boolean =>
  Object.keys(value).some((key) => ['function', 'symbol'].includes(typeof ownData(value, key)));

/** Classes of WebAssembly, which is part of the engine: trying to clone a user's class of this name would be of no use. */
const OF_ENGINE = new Set(['Global', 'Instance', 'Suspending', 'Table', 'Tag']);

/** A class of the engine has native text. A class of Node or Deno that is not a global is known by its name. */
function belongsToPlatform(name: string, owner: object, prototype: object): boolean {
  if (isNative(owner)) return true;
  return !refusesAll && !OF_ENGINE.has(name) && (!globals.has(name) || isPlatformClass(name, prototype));
}

/** Pages have a thousand classes, and refuse to clone most. */
function platformName(prototype: object, isProxy: TypeTests['isProxy']): string | undefined {
  const name = builtInName(prototype, isProxy);
  if (name === undefined) return undefined;
  const owner = ownData(prototype, 'constructor') as object;
  const isOfLanguage = prototype === Object.prototype || prototype === Array.prototype;
  const isKnown = PLATFORM.has(name) || (refusesAll && realmProperty(name)?.value === owner && !isOfLanguage);
  return isKnown && belongsToPlatform(name, owner, prototype) ? name : undefined;
}

/** Bun refuses all web objects without clone steps: a clone there has only the prototype of its class. */
const refusesAll = typeByCloning(new EventTarget(), 'EventTarget') !== undefined;

/** The class made an object if a getter or one of these methods takes it. A class with neither stays unknown. */
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

/** Its pixels or samples are gone: close was called, or it was transferred. */
const isClosed = (value: object, known: PlatformClass): boolean =>
  known.facts.marked.length > 1 && platformMemory(value, known).bytes === 0;

const triedOnce = new Map<object, BuiltInType>();

const untried = (tag: string, known: PlatformClass | undefined): BuiltInType => ({
  kind: known === undefined ? 'not-cloneable' : 'platform',
  tag,
  ...(TRANSFERABLE.has(tag) && { transferable: true }),
});

/** Takes ports that the runtime made. A closed port is not tried, because Node 20 to 26 crash if they clone it. */
const portTest = methodOf(globalThis.MessagePort?.prototype ?? {}, 'hasRef');

/** An open file of Node, whose fields hold objects, so that it is not tried. Those of Bun and Deno are cloned like any object. */
const hasNodeHandle = (value: object): boolean =>
  Reflect.ownKeys(value).some((key) => typeof key === 'symbol' && key.description === 'kHandle');

function typeOfInstance(value: object, at: object, tag: string, types: TypeTests): BuiltInType | undefined {
  const known = platformClass(value, types.isProxy);
  if (UNTRIED.test(tag)) return known && untried(tag, known);
  if (known !== undefined && isClosed(value, known)) return { kind: 'not-cloneable', tag };
  if (tag === 'MessagePort' && portTest !== undefined && accepts(portTest, value))
    return { kind: 'platform', tag, transferable: true };
  if (tag === 'FileHandle' && hasNodeHandle(value)) return { kind: 'platform', tag, transferable: true };
  if (markedClasses.has(tag) && holdsRefused(value)) return undefined;
  if (isWasmModule(value)) return { kind: 'platform', tag };
  const memory = wasmMemory(value, tag, types);
  if (memory !== undefined) return memory;
  // workerd defines getters of a DOMException on the object itself.
  const name = known?.name ?? (isPlatformClass(tag, at) ? tag : '');
  const sample = isHarmlessToClone(value, known) ? value : PRISTINE[name]?.();
  if (sample === undefined) return refusesAll && isInstance(value, at) ? untried(tag, known) : undefined;
  const type = (known?.facts.memory && triedOnce.get(at)) ?? typeByCloning(sample, tag);
  if (known?.facts.memory && type?.kind === 'platform') triedOnce.set(at, type);
  if (type !== undefined || refusesAll || !isPlatformClass(tag, at) || !isInstance(value, at)) return type;
  return { kind: 'object', tag, web: true };
}

/** `value` must not be a Proxy. undefined for objects that are not platform objects. */
function platformObject(value: object, types: TypeTests): BuiltInType | undefined {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    if (types.isProxy(at)) return undefined;
    const tag = platformName(at, types.isProxy);
    if (tag !== undefined) return typeOfInstance(value, at, tag, types);
  }
  return undefined;
}

/** They look plain. V8 sends each as {}, JavaScriptCore refuses namespaces, and Object.prototype before Bun 1.4. */
const LANGUAGE_OBJECTS = new Map<unknown, string>([
  [Object.prototype, 'Object.prototype'],
  ...map(['Math', 'JSON', 'Reflect', 'Atomics', 'Intl'], (name) => [realm[name], name] as const),
]);

function languageObject(value: object): BuiltInType | undefined {
  const tag = LANGUAGE_OBJECTS.get(value);
  return tag === undefined || !isHarmlessToClone(value) ? undefined : typeByCloning(value, tag);
}

/** Undefined if WebAssembly is switched off. */
const wasm = (
  globalThis as { WebAssembly?: { Module?: { exports: Method }; Memory?: { prototype: object } } }
).WebAssembly;
/** Throws for all other objects (WebAssembly JS API). */
const exportsOf = wasm?.Module?.exports;

/** Bun before 1.4 posts modules, but its structuredClone refuses them. */
function isWasmModule(value: object): boolean {
  return orElse(() => exportsOf !== undefined && Array.isArray(callOn(exportsOf, undefined, value)), false);
}

const memoryBuffers = new WeakSet<object>();

/** Notes buffers of memory from now on, before user code loads: nothing else shows it, except detaching them. */
export function noteWasmMemory(): void {
  const prototype = wasm?.Memory?.prototype;
  const found = prototype && Reflect.getOwnPropertyDescriptor(prototype, 'buffer');
  if (found?.get === undefined) return;
  const read = found.get as Method;
  function buffer(this: unknown) {
    const given = callOn(read, this) as object;
    memoryBuffers.add(given);
    return given;
  }
  Reflect.defineProperty(prototype!, 'buffer', { ...found, get: buffer });
}

/** Bun before 1.4 posts shared memory, but its structuredClone refuses it. */
function wasmMemory(value: object, tag: string, types: TypeTests): BuiltInType | undefined {
  const memory = tag === 'Memory' ? wasm?.Memory?.prototype : undefined;
  const memoryBuffer = memory && Reflect.getOwnPropertyDescriptor(memory, 'buffer')?.get;
  if (memoryBuffer === undefined) return undefined;
  const kind = () =>
    types.isSharedArrayBuffer(callOn(memoryBuffer as Method, value)) ? 'platform' : 'not-cloneable';
  return orElse(() => ({ kind: kind(), tag }), undefined);
}

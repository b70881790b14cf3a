/** Platform objects: known by the name of a class on their chain, and judged by cloning one. */
import { types } from 'node:util';
import type { BuiltInType } from '../../core/describe/probe.ts';

/** HTML and Streams, Node's FileHandle: they have transfer steps and must be listed. */
const TRANSFERABLE = new Set([
  'MessagePort',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'FileHandle',
]);

/** May refuse, clone for real or degrade to a plain object: each runtime and version its own way, so it is tried. */
const PLATFORM = new Set([
  ...TRANSFERABLE,
  'AbortController',
  'AbortSignal',
  'Blob',
  'BlockList',
  'BroadcastChannel',
  'CompressionStream',
  'CryptoKey',
  'DecompressionStream',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Global',
  'Headers',
  'Histogram',
  'Instance',
  'KeyObject',
  'Memory',
  'MessageChannel',
  'Module',
  'Performance',
  'PerformanceEntry',
  'PrivateKeyObject',
  'PublicKeyObject',
  'RecordableHistogram',
  'Request',
  'Response',
  'SecretKeyObject',
  'SocketAddress',
  'Table',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'WebSocket',
  'Worker',
  'X509Certificate',
]);

const tried = new Map<object, BuiltInType | undefined>();

/** By itself, and inside a message: Deno refuses more as the message itself, Bun before 1.2.22 more inside one. */
function clonedOne(value: object): unknown {
  try {
    return structuredClone(value);
  } catch {
    const [clone] = structuredClone([value]) as unknown[];
    return clone;
  }
}

/** In a vm context (Jest) structuredClone is the outer realm's, and so are the objects that it makes. */
function isPlain(clone: unknown): boolean {
  if (typeof clone !== 'object' || clone === null) return false;
  const prototype = Reflect.getPrototypeOf(clone);
  return prototype === Object.prototype || prototype === Reflect.getPrototypeOf(structuredClone({}));
}

/** Undefined: it clones to a plain object, as an instance of any class does. */
function judged(value: object, tag: string): BuiltInType | undefined {
  try {
    const clone = clonedOne(value);
    return isPlain(clone) ? undefined : { kind: 'platform', tag };
  } catch {
    return TRANSFERABLE.has(tag)
      ? { kind: 'platform', tag, transferable: true }
      : { kind: 'not-cloneable', tag };
  }
}

/** Cloning reads own enumerable string properties: none may be a getter or lead to foreign objects. A function throws. */
function isHarmlessToClone(value: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (d) => d.enumerable !== true || ('value' in d && (d.value === null || typeof d.value !== 'object')),
  );
}

function classNameOf(prototype: object): string | undefined {
  const made: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof made !== 'function' || types.isProxy(made)) return undefined;
  const name: unknown = Reflect.getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' ? name : undefined;
}

/** `value` is no Proxy. Undefined for what is no platform object. */
export function platformObject(value: object): BuiltInType | undefined {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    if (types.isProxy(at)) return undefined;
    if (tried.has(at)) return tried.get(at);
    const tag = classNameOf(at);
    if (tag === undefined || !PLATFORM.has(tag)) continue;
    if (!isHarmlessToClone(value)) return undefined;
    tried.set(at, judged(value, tag));
    return tried.get(at);
  }
  return undefined;
}

/** Objects of the language itself. JavaScriptCore refuses them, V8 sends each as {}: so it is tried, once. */
const NAMESPACES = new Map<object, string>([
  [Math, 'Math'],
  [JSON, 'JSON'],
  [Reflect, 'Reflect'],
  [Atomics, 'Atomics'],
  [Intl, 'Intl'],
]);

/** Undefined for an ordinary object. */
export function namespaceObject(value: object): BuiltInType | undefined {
  const tag = NAMESPACES.get(value);
  if (tag === undefined) return undefined;
  if (!tried.has(value)) tried.set(value, judged(value, tag));
  return tried.get(value);
}

/** Platform objects: recognised by the name of a class on their prototype chain, and classified by cloning one. */
import { types } from 'node:util';
import type { BuiltInType } from '../../core/describe/probe.ts';

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
  AbortController AbortSignal Blob BlockList BroadcastChannel CompressionStream CryptoKey
  DecompressionStream DOMException Event EventTarget File FormData Global Headers Histogram Instance
  KeyObject Memory MessageChannel Module Performance PerformanceEntry PrivateKeyObject PublicKeyObject
  RecordableHistogram Request Response SecretKeyObject SocketAddress Table TextDecoder TextEncoder URL
  URLSearchParams WebSocket Worker X509Certificate
`;
const PLATFORM = new Set([...TRANSFERABLE, ...PLATFORM_CLASSES.trim().split(/\s+/)]);

const knownTypes = new Map<object, BuiltInType | undefined>();

/** Alone, then inside an array: Deno refuses more types as the message itself, Bun before 1.2.22 more inside one. */
function cloneOf(value: object): unknown {
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
    const clone = cloneOf(value);
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

function classNameOf(prototype: object): string | undefined {
  const owner: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof owner !== 'function' || types.isProxy(owner)) return undefined;
  const name: unknown = Reflect.getOwnPropertyDescriptor(owner, 'name')?.value;
  return typeof name === 'string' ? name : undefined;
}

/** `value` must not be a Proxy. undefined for objects that are not platform objects. */
export function platformObject(value: object): BuiltInType | undefined {
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    if (types.isProxy(at)) return undefined;
    if (knownTypes.has(at)) return knownTypes.get(at);
    const tag = classNameOf(at);
    if (tag === undefined || !PLATFORM.has(tag)) continue;
    if (!isHarmlessToClone(value)) return undefined;
    knownTypes.set(at, typeByCloning(value, tag));
    return knownTypes.get(at);
  }
  return undefined;
}

/** Namespaces of the language. JavaScriptCore refuses them, V8 sends each as {}, so each is tried once. */
const NAMESPACES = new Map<object, string>([
  [Math, 'Math'],
  [JSON, 'JSON'],
  [Reflect, 'Reflect'],
  [Atomics, 'Atomics'],
  [Intl, 'Intl'],
]);

/** undefined for an ordinary object. */
export function namespaceObject(value: object): BuiltInType | undefined {
  const tag = NAMESPACES.get(value);
  if (tag === undefined) return undefined;
  if (!knownTypes.has(value)) knownTypes.set(value, typeByCloning(value, tag));
  return knownTypes.get(value);
}

/** What the language and the runtime bring, which user code may change, and which the guest needs as it was. */

/** Not Date and Math: a module may fix the clock or the dice, so that its payload is the same each time. */
const NAMES = [
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'RegExp',
  'Error',
  'TypeError',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Promise',
  'Proxy',
  'Reflect',
  'JSON',
  'Atomics',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Uint8Array',
  'Int32Array',
  'BigInt64Array',
  'Float64Array',
  'performance',
  'structuredClone',
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'queueMicrotask',
  'MessageChannel',
  'MessagePort',
  'BroadcastChannel',
  'Worker',
] as const;

/** What only a value leads to: prototypes of iterators, of all typed arrays, of async functions. */
const reached = (): object[] => [
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Map()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Set()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(''[Symbol.iterator]()) as object,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  Object.getPrototypeOf(Uint8Array) as object,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
];

type Kept = [owner: object, key: PropertyKey, descriptor: PropertyDescriptor];

// Taken before user code can replace them.
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { is } = Object;

function keep(owner: object, kept: Kept[]): void {
  for (const key of ownKeys(owner)) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor?.configurable) kept.push([owner, key, descriptor]);
  }
}

function keepAll(): Kept[] {
  const kept: Kept[] = [];
  for (const name of NAMES) {
    const value = (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[name];
    if (!value) continue;
    // Where the runtime has an accessor (Node's `performance`), its setter keeps what the user assigned.
    kept.push([globalThis, name, { value, writable: true, enumerable: false, configurable: true }]);
    keep(value, kept);
    keep(value.prototype ?? (getPrototypeOf(value) as object), kept);
  }
  for (const owner of reached()) keep(owner, kept);
  return kept;
}

let kept: readonly Kept[] | null = null;

/** To be called before user code runs for the first time. */
export function keepBuiltIns(): void {
  kept ??= keepAll();
}

function isChanged(now: PropertyDescriptor | undefined, then: PropertyDescriptor): boolean {
  return !now || !is(now.value, then.value) || now.get !== then.get || now.set !== then.set;
}

/**
 * Puts back what user code replaced or deleted; what it added stays, because payloads may rest on it. Uses nothing
 * that user code can have replaced: no iterator, no method.
 */
export function restoreBuiltIns(): void {
  if (!kept) return;
  for (let i = 0; i < kept.length; i++) {
    const entry = kept[i] as Kept;
    const now = getOwnPropertyDescriptor(entry[0], entry[1]);
    if (isChanged(now, entry[2])) defineProperty(entry[0], entry[1], entry[2]);
  }
}

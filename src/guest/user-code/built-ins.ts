/** Built-ins that user code may replace and that the guest needs unchanged. */

/** Not Date and Math: a module may replace the clock or the random numbers, so that its payload is always the same. */
const NAMES = `
  Object Function Array String Number Boolean Symbol BigInt RegExp Error TypeError Map Set WeakMap
  WeakSet Promise Proxy Reflect JSON Atomics ArrayBuffer SharedArrayBuffer DataView Uint8Array
  Int32Array BigInt64Array Float64Array performance structuredClone setTimeout clearTimeout
  setImmediate queueMicrotask MessageChannel MessagePort BroadcastChannel Worker
`;

/** Prototypes without a global name: of iterators, and of all typed arrays. */
const unnamed = (): object[] => [
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Map()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Set()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(''[Symbol.iterator]()) as object,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  Object.getPrototypeOf(Uint8Array) as object,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
];

type SavedProperty = [owner: object, key: PropertyKey, descriptor: PropertyDescriptor];

// Taken before user code can replace them.
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { is } = Object;

function save(owner: object, saved: SavedProperty[]): void {
  for (const key of ownKeys(owner)) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor?.configurable) saved.push([owner, key, descriptor]);
  }
}

function saveAll(): SavedProperty[] {
  const saved: SavedProperty[] = [];
  for (const name of NAMES.trim().split(/\s+/)) {
    const value = (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[name];
    if (!value) continue;
    // A data property also where the runtime has an accessor (Node's `performance`): its setter would keep the user's.
    saved.push([globalThis, name, { value, writable: true, enumerable: false, configurable: true }]);
    save(value, saved);
    save(value.prototype ?? (getPrototypeOf(value) as object), saved);
  }
  for (const owner of unnamed()) save(owner, saved);
  return saved;
}

let saved: readonly SavedProperty[] | null = null;

/** To be called before user code runs for the first time. */
export function saveBuiltIns(): void {
  saved ??= saveAll();
}

function isChanged(now: PropertyDescriptor | undefined, before: PropertyDescriptor): boolean {
  return !now || !is(now.value, before.value) || now.get !== before.get || now.set !== before.set;
}

/**
 * Restores what user code replaced or deleted; what it added stays, because payloads may need it. Uses no iterator and
 * no method that user code may have replaced.
 */
export function restoreBuiltIns(): void {
  if (!saved) return;
  for (let i = 0; i < saved.length; i++) {
    const entry = saved[i] as SavedProperty;
    const now = getOwnPropertyDescriptor(entry[0], entry[1]);
    if (isChanged(now, entry[2])) defineProperty(entry[0], entry[1], entry[2]);
  }
}

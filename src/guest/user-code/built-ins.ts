/** Built-ins that user code may replace and that the guest needs unchanged. */

/** Date and Math are missing: a module may replace the clock or random numbers, so that its payload stays the same. */
const NAMES = `
  Object Function Array String Number Boolean Symbol BigInt RegExp Error TypeError Map Set WeakMap
  WeakSet Promise Proxy Reflect JSON Atomics ArrayBuffer SharedArrayBuffer DataView Uint8Array
  Int32Array BigInt64Array Float64Array performance structuredClone setTimeout clearTimeout
  setImmediate queueMicrotask MessageChannel MessagePort BroadcastChannel Worker
`;

/** Prototypes without a global name: the prototypes of iterators, and of all typed arrays. */
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
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, has, ownKeys } =
  Reflect;
const { hasOwn, is } = Object;
const setHas = Set.prototype.has;

function save(owner: object, saved: SavedProperty[]): void {
  for (const key of ownKeys(owner)) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor?.configurable) saved.push([owner, key, descriptor]);
  }
}

interface SavedBuiltIns {
  properties: SavedProperty[];
  /** Objects that inherit their methods: an own method that user code adds would be called instead. */
  instances: { instance: object; prototype: object; own: Set<PropertyKey> }[];
  /** Prototypes on which a promise looks for `then` when it resolves to an object. */
  prototypes: object[];
}

function saveInstance(instance: object, saved: SavedBuiltIns): void {
  save(instance, saved.properties);
  const prototype = getPrototypeOf(instance);
  if (prototype) saved.instances.push({ instance, prototype, own: new Set(ownKeys(instance)) });
}

function saveAll(others: readonly object[]): SavedBuiltIns {
  const saved: SavedBuiltIns = { properties: [], instances: [], prototypes: [] };
  for (const name of NAMES.trim().split(/\s+/)) {
    const value = (globalThis as Record<string, unknown>)[name] as { prototype?: object } | undefined;
    if (!value) continue;
    // A data property even if the runtime has an accessor (Node's `performance`): its setter would keep the user's.
    saved.properties.push([
      globalThis,
      name,
      { value, writable: true, enumerable: false, configurable: true },
    ]);
    if (value.prototype === undefined) saveInstance(value, saved);
    else save(value, saved.properties);
    const prototype = value.prototype ?? (getPrototypeOf(value) as object);
    save(prototype, saved.properties);
    if (!hasOwn(prototype, 'then')) saved.prototypes.push(prototype);
  }
  for (const owner of unnamed()) save(owner, saved.properties);
  for (const owner of others) saveInstance(owner, saved);
  return saved;
}

let saved: SavedBuiltIns | null = null;

/** Call this before user code runs for the first time. `others`: objects to save in addition to the globals. */
export function saveBuiltIns(others: readonly object[] = []): void {
  saved ??= saveAll(others);
}

/** Own properties that hide an inherited one: `performance.now = () => 5`. */
function removeHiding({ instances }: SavedBuiltIns): void {
  for (let i = 0; i < instances.length; i++) {
    const entry = instances[i]!;
    const keys = ownKeys(entry.instance);
    for (let k = 0; k < keys.length; k++) {
      if (!apply(setHas, entry.own, [keys[k]]) && has(entry.prototype, keys[k]!))
        deleteProperty(entry.instance, keys[k]!);
    }
  }
}

/**
 * Restores what user code replaced or deleted. Additions stay, because payloads may need it, except methods that would
 * be called instead of a built-in: own methods of an object that inherits its own, and a `then` on a prototype, which
 * makes every object a promise. Uses no iterator and no method that user code may have replaced.
 */
export function restoreBuiltIns(): void {
  if (!saved) return;
  const { properties, prototypes } = saved;
  for (let i = 0; i < properties.length; i++) {
    const entry = properties[i] as SavedProperty;
    const now = getOwnPropertyDescriptor(entry[0], entry[1]);
    const before = entry[2];
    if (!now || !is(now.value, before.value) || now.get !== before.get || now.set !== before.set)
      defineProperty(entry[0], entry[1], before);
  }
  for (let i = 0; i < prototypes.length; i++) deleteProperty(prototypes[i]!, 'then');
  removeHiding(saved);
}

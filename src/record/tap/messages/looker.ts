/** How messages are looked at, and the time that parts of the recorder may take. */
import * as kept from '../realm/intrinsics.ts';
import { platform } from '../realm/platform.ts';

const iteratorOf = (iterable: Iterable<unknown>): object =>
  Reflect.getPrototypeOf(iterable[Symbol.iterator]()) as object;

const OWNERS: readonly object[] = [
  ...[Object, Reflect, Array, Array.prototype, String, String.prototype, Number, JSON, Symbol, Math],
  ...[Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype, RegExp.prototype],
  Function.prototype,
  ...[Reflect.getPrototypeOf(Uint8Array.prototype) as object, ArrayBuffer.prototype],
  ...[iteratorOf([]), iteratorOf(new Map()), iteratorOf(new Set()), iteratorOf('')],
];

/** Classes that are looked up when objects of them are made. */
const CLASSES = { Map, Set, WeakMap, WeakSet, RegExp };

/** Read by name from the recorder's objects, which inherit them. */
const DESCRIPTOR_FIELDS = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];

const known: { owner: object; key: PropertyKey; value: unknown; getter: unknown }[] = [];
for (const owner of OWNERS)
  for (const key of kept.ownKeys(owner)) {
    const { value, get: getter } = kept.getOwnPropertyDescriptor(owner, key)!;
    if (typeof value === 'function' || getter !== undefined) known.push({ owner, key, value, getter });
  }
for (const [key, value] of Object.entries(CLASSES))
  known.push({ owner: globalThis, key, value, getter: undefined });

/** Checks that the built-ins that a look uses are still the engine's own: it runs ordinary code, which would call others. */
function builtInsAreIntact(): boolean {
  for (let i = 0; i < known.length; i++) {
    const { owner, key, value, getter } = known[i]!;
    const found = kept.getOwnPropertyDescriptor(owner, key);
    if (found === undefined) return false;
    if (getter === undefined ? !kept.hasOwn(found, 'value') || found.value !== value : found.get !== getter)
      return false;
  }
  for (let i = 0; i < DESCRIPTOR_FIELDS.length; i++)
    if (kept.hasOwn(kept.objectPrototype, DESCRIPTOR_FIELDS[i]!)) return false;
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
    const from = kept.now();
    if (this.left(from) <= 0) return;
    run();
    this.spentMs += kept.now() - from;
  },
});

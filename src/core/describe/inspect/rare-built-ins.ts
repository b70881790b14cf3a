/**
 * Brands of built-ins that no engine API names: recognised by a prototype on the chain, then proved by a method that
 * throws without the internal slot. Shared by the probes; `isProxy` must have been asked before.
 */

import type { BuiltInType } from '../probe.ts';
import { callOn, getterOf, methodOf } from './intrinsics.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

interface BrandCheck {
  brand: BuiltInType;
  /** Throws a TypeError on objects without the slot; absent when calling it would change the object. */
  proof: Method | undefined;
}

const { getPrototypeOf } = Reflect;
const LONGEST_CHAIN = 1000;

/** Constructors of a namespace that an older engine may not have. */
function prototypesIn(namespace: unknown): [string, object][] {
  if (typeof namespace !== 'object' || namespace === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(namespace)).flatMap(
    ([name, { value }]: [string, PropertyDescriptor]): [string, object][] => {
      const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
      return typeof prototype === 'object' && prototype !== null ? [[name, prototype]] : [];
    },
  );
}

function firstGetter(prototype: object): Method | undefined {
  for (const key of Reflect.ownKeys(prototype)) {
    const getter = getterOf(prototype, key);
    if (getter !== undefined) return getter;
  }
  return undefined;
}

function slots(): Map<object, BrandCheck> {
  const table = new Map<object, BrandCheck>();
  const add = (prototype: object | undefined, brand: BuiltInType, proof: Method | undefined) => {
    if (prototype !== undefined) table.set(prototype, { brand, proof });
  };
  add(WeakRef.prototype, { kind: 'weakref' }, methodOf(WeakRef.prototype, 'deref'));
  const unregister = methodOf(FinalizationRegistry.prototype, 'unregister')!;
  add(
    FinalizationRegistry.prototype,
    { kind: 'not-cloneable', tag: 'FinalizationRegistry' },
    function (this: unknown) {
      return callOn(unregister, this, {});
    },
  );
  for (const [name, prototype] of prototypesIn(Intl))
    add(
      prototype,
      { kind: 'not-cloneable', tag: `Intl.${name}` },
      methodOf(prototype, 'resolvedOptions') ?? methodOf(prototype, 'toString'),
    );
  for (const [name, prototype] of prototypesIn((globalThis as { Temporal?: unknown }).Temporal))
    add(prototype, { kind: 'not-cloneable', tag: `Temporal.${name}` }, firstGetter(prototype));
  for (const [tag, made] of iterators())
    add(getPrototypeOf(made) ?? undefined, { kind: 'iterator', tag }, undefined);
  return table;
}

/** Their only test is `next`, which would move them on. */
function iterators(): [string, object][] {
  return [
    ['Array Iterator', [][Symbol.iterator]()],
    ['String Iterator', ''[Symbol.iterator]()],
    ['RegExp String Iterator', ''.matchAll(/./g)],
  ];
}

const SLOTS = slots();

function proves({ proof }: BrandCheck, value: object): boolean {
  if (proof === undefined) return true;
  try {
    callOn(proof, value);
    return true;
  } catch {
    return false;
  }
}

/** Brand by the prototypes of this realm on the chain of `value`; undefined for an ordinary object. */
export function rareBuiltIn(value: object, isProxy: (value: object) => boolean): BuiltInType | undefined {
  let at = getPrototypeOf(value);
  for (let i = 0; at !== null && i < LONGEST_CHAIN; i++) {
    if (at === Object.prototype || isProxy(at)) return undefined;
    const slot = SLOTS.get(at);
    if (slot !== undefined) return at !== value && proves(slot, value) ? slot.brand : undefined;
    at = getPrototypeOf(at);
  }
  return undefined;
}

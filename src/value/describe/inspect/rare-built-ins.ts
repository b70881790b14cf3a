/** Types that no API reports: found by a prototype, confirmed by a method that throws if the slot is missing. */

import { accepts, callOn, getterOf, isNative, type Method, methodOf, realm } from '../../read/intrinsics.ts';
import { flatMap } from '../../read/lists.ts';
import { onChain, ownData, type ProxyTest } from '../../read/own-data.ts';
import type { BuiltInType } from '../../read/types.ts';

interface SlotCheck {
  type: BuiltInType;
  /** Throws a TypeError on objects without the slot; absent if a call would change the object. */
  method: Method | undefined;
}

const { getPrototypeOf } = Reflect;

/** An older engine may not have the namespace. */
function prototypesIn(namespace: unknown): [string, object][] {
  if (typeof namespace !== 'object' || namespace === null) return [];
  return flatMap(
    Object.entries(Object.getOwnPropertyDescriptors(namespace)),
    ([name, { value }]: [string, PropertyDescriptor]): [string, object][] => {
      const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
      return typeof prototype === 'object' && prototype !== null ? [[name, prototype]] : [];
    },
  );
}

const firstGetter = (prototype: object): Method | undefined =>
  flatMap(Reflect.ownKeys(prototype), (key) => getterOf(prototype, key) ?? [])[0];

function slotChecks(): Map<object, SlotCheck> {
  const unregister = methodOf(FinalizationRegistry.prototype, 'unregister')!;
  const unregisterNothing = function (this: unknown) {
    return callOn(unregister, this, {});
  };
  const table = new Map<object, SlotCheck>();
  const add = (type: BuiltInType, prototype: object, method: string) =>
    table.set(prototype, { type, method: methodOf(prototype, method) });
  // types.isBigIntObject of Bun up to 1.3.14 returns false if the object has a property.
  add({ kind: 'boxed', tag: 'BigInt' }, BigInt.prototype, 'valueOf');
  add({ kind: 'weakref' }, WeakRef.prototype, 'deref');
  const refuse = (prototype: object, tag: string, method: Method | undefined) =>
    table.set(prototype, { type: { kind: 'not-cloneable', tag }, method });
  refuse(FinalizationRegistry.prototype, 'FinalizationRegistry', unregisterNothing);
  for (const [name, prototype] of prototypesIn(Intl)) {
    const method = methodOf(prototype, 'resolvedOptions') ?? methodOf(prototype, 'toString');
    refuse(prototype, `Intl.${name}`, method);
  }
  for (const [name, prototype] of prototypesIn(realm.Temporal))
    refuse(prototype, `Temporal.${name}`, firstGetter(prototype));
  // Older engines may not have these classes. The slot check is a getter.
  for (const name of ['DisposableStack', 'AsyncDisposableStack']) {
    const made = ownData(realm, name) as { prototype: object } | undefined;
    if (made !== undefined) refuse(made.prototype, name, getterOf(made.prototype, 'disposed'));
  }
  return table;
}

const SLOT_CHECKS = slotChecks();

/** Segments of Intl.Segmenter: the prototype has no constructor, and getting it from a segmenter takes 10 ms. */
function segmentsCheck(at: object): SlotCheck | undefined {
  const method = methodOf(at, 'containing');
  if (typeof method !== 'function' || !isNative(method)) return undefined;
  return { type: { kind: 'not-cloneable', tag: 'Segments' }, method };
}

const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]())!);

/** A built-in iterator, by its prototype: `next`, the only slot check, would advance it. */
function iteratorCheck(at: object): SlotCheck | undefined {
  const next = getPrototypeOf(at) === iteratorPrototype ? ownData(at, 'next') : undefined;
  if (typeof next !== 'function' || !isNative(next)) return undefined;
  const tag: unknown = ownData(at, Symbol.toStringTag);
  return { type: { kind: 'iterator', tag: typeof tag === 'string' ? tag : 'Iterator' }, method: undefined };
}

/** Type by the prototypes of this realm on the chain; undefined for an ordinary object. `value` is not a Proxy. */
export function rareBuiltIn(value: object, isProxy: ProxyTest): BuiltInType | undefined {
  const isEnd = (at: object) => at === Object.prototype || isProxy(at);
  const check = onChain(
    getPrototypeOf(value),
    isEnd,
    (at) => SLOT_CHECKS.get(at) ?? iteratorCheck(at) ?? segmentsCheck(at),
  );
  return check && (check.method === undefined || accepts(check.method, value)) ? check.type : undefined;
}

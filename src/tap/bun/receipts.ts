/**
 * Counts what is received when the data of a message's event is read for the first time: Bun's own code reads it for listeners
 * in the manner of Node, other listeners of the program do. A getter leaves no frame on their stacks. A message that nobody
 * reads is not seen as received.
 */

import type { Ports, Receiver } from '../channels/ports.ts';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  unbound,
  Weak,
  weakGet,
  weakSet,
} from '../realm/intrinsics.ts';

const globalPrototype = getPrototypeOf(globalThis);
const port = MessagePort.prototype;

const getterOf = (prototype: object, key: string) =>
  unbound(getOwnPropertyDescriptor(prototype, key)!.get as () => unknown);

/** @param fromParent counts what arrives at the global object of a worker */
export function watchReceived(ports: Ports, fromParent: Receiver | null): void {
  const { prototype } = MessageEvent;
  const found = getOwnPropertyDescriptor(prototype, 'data')!;
  const targetOf = getterOf(Event.prototype, 'target') as (event: object) => object | null;
  const dataOf = unbound(found.get as () => unknown) as (event: object) => unknown;
  const seen = new Weak<object, true>();
  const count = (event: object) => {
    if (weakGet(seen, event)) return;
    weakSet(seen, event, true);
    const target = targetOf(event);
    if (target === null) return;
    // The target is the global object itself, which `self` and `globalThis` stand for.
    if (fromParent !== null && getPrototypeOf(target) === globalPrototype) ports.receive(target, fromParent);
    if (ports.receives(target) || getPrototypeOf(target) === port) ports.arrived(target);
  };
  const getter = {
    get data() {
      const data = dataOf(this);
      try {
        count(this);
      } catch {
        // It is not counted.
      }
      return data;
    },
  };
  const { get } = getOwnPropertyDescriptor(getter, 'data') as { get: () => unknown };
  defineProperty(prototype, 'data', { ...found, get });
}

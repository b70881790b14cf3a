/** Which function of the program receives messages, and when and where it was registered. Nothing of it is wrapped. */
import { getEventListeners } from 'node:events';
import { types } from 'node:util';
import type { Ports } from '../channels/ports.ts';
import type { Arrivals } from '../messages/arrivals.ts';
import { dataOf, defineProperty, getOwnPropertyDescriptor, isArray, now } from '../realm/intrinsics.ts';
import { framesAbove } from '../records/frames.ts';
import type { ThreadLog } from '../records/thread-log.ts';

/**
 * Node refs the port of a worker, or `parentPort`, when the first listener for its messages is registered. A getter leaves
 * no frame on any stack.
 */
export function watchListeners(prototype: object, ports: Ports, arrivals: Arrivals, log: ThreadLog): void {
  const found = getOwnPropertyDescriptor(prototype, 'ref');
  if (found?.configurable !== true || typeof found.value !== 'function') return;
  const { value: ref, enumerable = true } = found;
  const get = function (this: object): unknown {
    const end = ports.endAt(this);
    if (end === undefined || !arrivals.watches(end)) return ref;
    try {
      const from = now();
      const frames = framesAbove(get);
      if (frames[0]?.name === 'newListener') arrivals.registered(end, log.placeOf(frames), from);
    } catch {
      log.failed();
    }
    return ref;
  };
  defineProperty(prototype, 'ref', {
    ...{ configurable: true, enumerable, get },
    set(this: object, value: unknown) {
      defineProperty(this, 'ref', { configurable: true, enumerable: true, writable: true, value });
    },
  });
}

/** @param target a port or a worker; null where it has no listener for messages, or several */
export function onlyListener(target: object): { name: string | null } | null {
  const events = dataOf(target, '_events');
  const found: unknown = isObject(events)
    ? dataOf(events, 'message')
    : getEventListeners(target as EventTarget, 'message');
  if (isArray(found)) return found.length === 1 ? { name: nameOf(found[0]) } : null;
  return typeof found === 'function' ? { name: nameOf(found) } : null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function nameOf(listener: unknown): string | null {
  if (typeof listener !== 'function' || types.isProxy(listener)) return null;
  const name = dataOf(listener, 'name');
  // Node's own, for `onmessage` and `once`.
  if (name === 'eventHandler') return nameOf(dataOf(listener, 'handler'));
  if (name === 'bound onceWrapper') return nameOf(dataOf(listener, 'listener'));
  // Of `events.once`.
  return typeof name === 'string' && name !== '' && name !== 'resolver' ? name : null;
}

/**
 * Counts what is received by what Deno's own code does for each message, which leaves no frame on the stacks of handlers: it makes
 * an event with the data as a property of its own, then asks a port or worker for dispatchEvent; events for the global object of a
 * worker it dispatches without asking. A worker of node:worker_threads is asked for `emit`.
 */

import type { Receipts, Receiver } from '../channels/receipts.ts';
import { workerThreads } from '../node/builtins.ts';
import { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../realm/intrinsics.ts';

const { prototype: messagePort } = MessagePort;

/** @param fromParent counts what arrives at the global object of a worker */
export function watchReceived(receipts: Receipts, fromParent: Receiver | null): void {
  let isMade = false;
  const made = () => {
    isMade = true;
    arrivedAt(fromParent, 1);
  };
  defineProperty(MessageEvent.prototype, 'data', {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, value: unknown) {
      made();
      defineProperty(this, 'data', {
        __proto__: null,
        ...{ value, writable: true, enumerable: true, configurable: true },
      } as never);
    },
  });
  const dispatching = (target: object) => {
    if (!isMade) return;
    isMade = false;
    arrivedAt(fromParent, -1);
    if (receipts.knows(target) || isPort(target)) receipts.arrived(target);
  };
  const found = getOwnPropertyDescriptor(EventTarget.prototype, 'dispatchEvent')!;
  readOf(EventTarget.prototype, 'dispatchEvent', found, dispatching);
}

function isPort(target: object): boolean {
  let at: object | null = target;
  while (at !== null && at !== messagePort) at = getPrototypeOf(at);
  return at !== null;
}

function arrivedAt(receiver: Receiver | null, messages: number): void {
  if (receiver !== null && receiver.fields !== null) receiver.fields[receiver.at]! += messages;
}

/** @param emits told of each worker of node:worker_threads that is asked for its emit */
export function watchEmit(emits: (worker: object) => void): void {
  const { prototype } = workerThreads.Worker as { prototype: object };
  const value: unknown = (prototype as { emit: unknown }).emit;
  readOf(prototype, 'emit', { value, enumerable: false }, emits);
}

/** Makes a method an accessor, which tells of each read and can be assigned as before. */
function readOf(owner: object, key: string, found: PropertyDescriptor, tell: (self: object) => void): void {
  let value: unknown = found.value;
  defineProperty(owner, key, {
    configurable: true,
    enumerable: found.enumerable === true,
    get(this: object) {
      try {
        tell(this);
      } catch {
        // It is not counted.
      }
      return value;
    },
    set(this: object, given: unknown) {
      if (this === owner) value = given;
      else
        defineProperty(this, key, {
          __proto__: null,
          ...{ value: given, writable: true, enumerable: true, configurable: true },
        } as never);
    },
  });
}

/**
 * MessagePorts. Those of node:worker_threads are assigned a postMessage of their own, which calls that of Deno as it was before
 * ours. It is known by its text: what the program assigns stays as it is.
 */
import { defineProperty, getOwnPropertyDescriptor, unbound } from '../intrinsics.ts';
import { workerThreads } from '../node/builtins.ts';
import type { PortChannels } from '../port-channels.ts';
import type { Posting, PostingFunction } from '../posting.ts';
import type { Call } from '../recorder.ts';

const textOf = unbound(Function.prototype.toString) as (self: unknown) => string;

function ownPost(): Call | null {
  const { port1, port2 } = new workerThreads.MessageChannel();
  const found = getOwnPropertyDescriptor(port1, 'postMessage');
  port1.close();
  port2.close();
  return typeof found?.value === 'function' ? (found.value as Call) : null;
}

export function patchPorts(posting: Posting, channels: PortChannels): void {
  const { prototype } = MessagePort as { prototype: object };
  const own = ownPost();
  const text = own === null ? null : textOf(own);
  const to: PostingFunction = { channelOf: (port, patch) => channels.of(port, patch) };
  posting.watch(prototype, 'postMessage', to);
  if (text === null) return;
  const found = getOwnPropertyDescriptor(prototype, 'postMessage')!;
  let value: unknown = found.value;
  defineProperty(prototype, 'postMessage', {
    configurable: true,
    enumerable: found.enumerable === true,
    get: () => value,
    set(this: object, given: unknown) {
      if (this === prototype) value = given;
      else
        defineProperty(this, 'postMessage', {
          __proto__: null,
          ...{ value: recorded(given), writable: true, enumerable: true, configurable: true },
        } as never);
    },
  });
  function recorded(given: unknown): unknown {
    if (typeof given !== 'function' || textOf(given) !== text) return given;
    return posting.recording(given as Call, 'postMessage', to);
  }
}

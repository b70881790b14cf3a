/** Messages through MessagePorts: those of workers, of parentPort, of BroadcastChannels and of the program's own channels. */

import { getEventListeners } from 'node:events';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { Ports, patchReceiving } from '../channels/ports.ts';
import { replace } from '../channels/replace.ts';
import { type CountedChannel, channelTo } from '../messages/channel.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import {
  apply,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  startsWith,
  Weak,
  weakGet,
  weakSet,
} from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { Bucket } from '../records/bucket.ts';
import { framesAbove } from '../records/frames.ts';
import { workerThreads } from './builtins.ts';

/** Node's own code that posts what the program gives it. */
const FOR_THE_PROGRAM = ['node:internal/webstreams/transfer', 'node:internal/worker/messaging'];

export function nodePorts(counters: Float64Array): Ports {
  const broadcasts: Bucket[] = [];
  const opened = (patch: Call, ofProgram: CountedChannel): CountedChannel | null => {
    const frames = framesAbove(patch);
    const caller = frames[0];
    const file = caller?.file ?? '';
    if (!startsWith(file, 'node:') || file === FOR_THE_PROGRAM[0] || file === FOR_THE_PROGRAM[1])
      return ofProgram;
    if (caller?.name !== 'postMessage' || startsWith(frames[1]?.file ?? '', 'node:')) return null;
    if (file === 'node:internal/worker')
      return channelTo(null, 'Worker.postMessage', null, ofProgram.buckets);
    if (file !== 'node:internal/worker/io') return null;
    return channelTo(null, 'BroadcastChannel.postMessage', null, broadcasts);
  };
  return new Ports(counters, { opened, isUncounted: isBroadcast });
}

export function patchPorts(ports: Ports, recorder: Recorder, counters: Float64Array): void {
  const { prototype } = workerThreads.MessagePort;
  replace(prototype, 'postMessage', (original, receiver, args, patch) => {
    const channel = ports.channelOf(receiver as object, patch);
    // Node's own messages are not recorded.
    if (channel === null) return apply(original, receiver, args);
    return recorder.post(channel, receiver, args, original, patch);
  });
  patchReceiving(workerThreads, ports);
  watchReceived(prototype, ports, counters);
}

/**
 * Node asks a port for this function twice for each message that arrives. A getter leaves no frame on the stack of the
 * program's handlers.
 */
function watchReceived(prototype: object, ports: Ports, counters: Float64Array): void {
  const key = Symbol.for('nodejs.internal.kHybridDispatch');
  let owner: object | null = prototype;
  let found: PropertyDescriptor | undefined;
  while (owner !== null && found === undefined) {
    found = getOwnPropertyDescriptor(owner, key);
    owner = getPrototypeOf(owner);
  }
  if (found?.value === undefined) return;
  const dispatch: unknown = found.value;
  const heard = new Weak<object, true>();
  const unread = () => void counters[HEADER.unread]!++;
  // Nothing else tells which event it is. Here the port has an event, and is not asked for its listeners yet.
  const hear = (port: object) => {
    if (weakGet(heard, port)) return;
    weakSet(heard, port, true);
    listen(port, 'messageerror', unread);
  };
  defineProperty(prototype, key, {
    configurable: true,
    enumerable: false,
    get(this: object) {
      ports.arrivedHalf(this);
      hear(this);
      return dispatch;
    },
  });
}

/** Node listens to the port behind a BroadcastChannel by a function of this name. */
const BROADCAST_LISTENER = 'bound onMessageEvent';

function isBroadcast(port: object): boolean {
  try {
    const listeners = getEventListeners(port as EventTarget, 'message');
    for (let i = 0; i < listeners.length; i++)
      if (dataOf(listeners[i]!, 'name') === BROADCAST_LISTENER) return true;
  } catch {
    // No list of listeners.
  }
  return false;
}

/** Messages through MessagePorts: those of workers, of parentPort, of BroadcastChannels and of the program's own channels. */

import { getEventListeners } from 'node:events';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { replace } from '../channels/replace.ts';
import type { CountedChannel } from '../messages/channel.ts';
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
import type { Bucket } from '../records/bucket.ts';

import { framesAbove } from '../records/frames.ts';
import { workerThreads } from './builtins.ts';

/** Node's own message. */
const INTERNAL = null;

/** Node's own code that posts what the program gives it. */
const FOR_THE_PROGRAM = ['node:internal/webstreams/transfer', 'node:internal/worker/messaging'];

export class Ports {
  readonly #recorder: Recorder;
  readonly #counters: Float64Array;
  readonly #channels = new Weak<object, CountedChannel | null>();
  readonly #receivers = new Weak<object, Receiver>();
  /** Channels of the program's own share their classes: many programs open one for each call. */
  readonly #ports: Bucket[] = [];
  readonly #broadcasts: Bucket[] = [];

  constructor(recorder: Recorder, counters: Float64Array) {
    this.#recorder = recorder;
    this.#counters = counters;
  }

  /** A port whose other end is known. */
  know(port: object, channel: CountedChannel | null, receiver: Receiver): void {
    weakSet(this.#channels, port, channel);
    weakSet(this.#receivers, port, receiver);
  }

  patch(): void {
    const { prototype } = workerThreads.MessagePort;
    replace(prototype, 'postMessage', (original, receiver, args, patch) => {
      const channel = this.#channelOf(receiver as object, patch);
      if (channel === INTERNAL) return apply(original, receiver, args);
      return this.#recorder.post(channel, receiver, args, original, patch);
    });
    // Takes a message without an event.
    replace(workerThreads, 'receiveMessageOnPort', (original, receiver, args) => {
      const result = apply(original, receiver, args);
      const { fields, at } = result === undefined ? NOWHERE : this.#receiverOf(args[0] as object);
      if (fields !== null) fields[at]!++;
      return result;
    });
    this.#watchReceived(prototype);
  }

  #channelOf(port: object, patch: Call): CountedChannel | null {
    const known = weakGet(this.#channels, port);
    if (known !== undefined) return known;
    let channel: CountedChannel | null = INTERNAL;
    try {
      channel = this.#opened(patch);
      weakSet(this.#channels, port, channel);
      if (channel === INTERNAL) weakSet(this.#receivers, port, NOWHERE);
    } catch {
      // Not a port: the call throws.
    }
    return channel;
  }

  /** By who posts the first message on it. */
  #opened(patch: Call): CountedChannel | null {
    const frames = framesAbove(patch);
    const caller = frames[0];
    const next = frames[1];
    const file = caller?.file ?? '';
    const channel: CountedChannel = {
      api: 'MessagePort.postMessage',
      to: null,
      queue: null,
      buckets: this.#ports,
    };
    if (!startsWith(file, 'node:') || file === FOR_THE_PROGRAM[0] || file === FOR_THE_PROGRAM[1]) {
      channel.queue = {
        fields: this.#counters,
        sent: HEADER.portsSent,
        received: HEADER.portsReceived,
        max: HEADER.portsQueueMax,
      };
      return channel;
    }
    const calls = caller?.name === 'postMessage' && !startsWith(next?.file ?? '', 'node:');
    if (calls && file === 'node:internal/worker') channel.api = 'Worker.postMessage';
    else if (calls && file === 'node:internal/worker/io') {
      channel.api = 'BroadcastChannel.postMessage';
      channel.buckets = this.#broadcasts;
    } else return INTERNAL;
    return channel;
  }

  /**
   * Node asks a port for this function twice for each message that arrives. A getter leaves no frame on the stack of the
   * program's handlers.
   */
  #watchReceived(prototype: object): void {
    const key = Symbol.for('nodejs.internal.kHybridDispatch');
    let owner: object | null = prototype;
    let found: PropertyDescriptor | undefined;
    while (owner !== null && found === undefined) {
      found = getOwnPropertyDescriptor(owner, key);
      owner = getPrototypeOf(owner);
    }
    if (found?.value === undefined) return;
    const dispatch: unknown = found.value;
    const received = (port: object) => this.received(port);
    defineProperty(prototype, key, {
      configurable: true,
      enumerable: false,
      get(this: object) {
        received(this);
        return dispatch;
      },
    });
  }

  /** Half a message: it is asked for twice. */
  received(port: object): void {
    const receiver = this.#receiverOf(port);
    if (receiver.odd && receiver.fields !== null) receiver.fields[receiver.at]!++;
    receiver.odd = !receiver.odd;
  }

  #receiverOf(port: object): Receiver {
    let receiver = weakGet(this.#receivers, port);
    if (receiver !== undefined) return receiver;
    const fields = isBroadcast(port) ? null : this.#counters;
    receiver = { fields, at: HEADER.portsReceived, odd: false };
    weakSet(this.#receivers, port, receiver);
    return receiver;
  }
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

const NOWHERE: Receiver = { fields: null, at: 0, odd: false };

/** Where messages that arrive at a port are counted; nowhere for Node's own. */
export interface Receiver {
  fields: Float64Array | null;
  at: number;
  odd: boolean;
}

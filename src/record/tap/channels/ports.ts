/** Objects that post and receive in a thread: the channels of MessagePorts, workers and parentPort, and functions that post. */
import { WAYS, type Way } from '../../threads/counters.ts';
import type { Posted } from '../messages/recorder.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm/intrinsics.ts';
import { counters, listedIn } from '../realm/platform.ts';
import { bucketsOf, type CountedChannel, channelTo, queueIn } from '../records/bucket.ts';
import { type Around, watch } from './watch.ts';

export interface Receiver {
  /** null for the runtime's own messages, which are not counted. */
  fields: Float64Array | null;
  at: number;
  count: number;
  odd?: boolean;
}

export const receiverIn = (fields: Float64Array | null, way: Way): Receiver => ({
  ...{ fields, at: WAYS[way].received, count: 0 },
});

export const NOWHERE = receiverIn(null, 'ports');

export interface PortOptions {
  /** Channel of a port by who posts the first message on it: `ofProgram`, or null if the runtime itself does. */
  opened?(patch: unknown, ofProgram: CountedChannel): CountedChannel | null;
  isUncounted?(port: object): boolean;
}

class Ports {
  options: PortOptions = {};
  readonly #channels = new kept.Weak<object, CountedChannel | null>();
  readonly #receivers = new kept.Weak<object, Receiver>();

  /** A port or worker whose other end is known. */
  know(port: object, channel: CountedChannel | null, receiver: Receiver | null): void {
    kept.weakSet(this.#channels, port, channel);
    if (receiver !== null) this.receive(port, receiver);
  }

  known(port: object): CountedChannel | null | undefined {
    return kept.weakGet(this.#channels, port);
  }

  /** Channel of a port; null if the runtime itself posts on it. Throws for an object that is not a port. */
  channelOf(port: object, patch: unknown): CountedChannel | null {
    const known = this.known(port);
    if (known !== undefined) return known;
    const queue = queueIn(counters, 'ports');
    // All ports share their classes: many programs open a port for each call.
    const ofProgram = channelTo(null, 'MessagePort.postMessage', queue, bucketsOf('MessagePort.postMessage'));
    const channel = this.options.opened ? this.options.opened(patch, ofProgram) : ofProgram;
    this.know(port, channel, channel === null ? NOWHERE : null);
    return channel;
  }

  /** Messages that were counted for the target before move to its receiver. */
  receive(target: object, receiver: Receiver): void {
    const known = kept.weakGet(this.#receivers, target);
    if (known === receiver) return;
    if (known !== undefined && known.fields !== null) {
      known.fields[known.at]! -= known.count;
      if (receiver.fields !== null) receiver.fields[receiver.at]! += known.count;
      receiver.count += known.count;
    }
    kept.weakSet(this.#receivers, target, receiver);
  }

  receives(target: object): boolean {
    return kept.weakGet(this.#receivers, target) !== undefined;
  }

  arrived(target: object): void {
    const receiver = this.#receiverOf(target);
    receiver.count++;
    if (receiver.fields !== null) receiver.fields[receiver.at]!++;
  }

  /** Called twice for each message. */
  arrivedHalf(target: object): void {
    const receiver = this.#receiverOf(target);
    if (receiver.odd) this.arrived(target);
    receiver.odd = !receiver.odd;
  }

  #receiverOf(target: object): Receiver {
    const known = kept.weakGet(this.#receivers, target);
    if (known !== undefined) return known;
    const isUncounted = this.options.isUncounted?.(target) === true;
    const receiver = receiverIn(isUncounted ? null : counters, 'ports');
    kept.weakSet(this.#receivers, target, receiver);
    return receiver;
  }
}

export const ports = new Ports();

/** Around the function that takes a message of a port without an event. */
export const receiving: Around<object> = {
  before: (_receiver, args) => args[0] as object,
  after(port, result) {
    if (result !== undefined) ports.arrived(port);
  },
};

/** null for messages of the runtime's own. @param patch frames above it are the program's */
type ChannelOf = (receiver: object, patch: unknown, message: unknown) => CountedChannel | null;

/** A function that posts its first argument. */
export interface Post {
  /** Nothing is watched if it is not there. */
  owner: object | undefined;
  key?: 'send' | 'structuredClone';
  to: CountedChannel | ChannelOf;
  /** List, or options with one, in the arguments; the second of them if this is not given. */
  transferOf?(args: readonly unknown[]): unknown;
  callFor?: Around<Posted>['callFor'];
}

const posting = ({ to, transferOf, callFor }: Post): Around<Posted> => ({
  ...(callFor && { callFor }),
  before(receiver, args, patch) {
    if (recorder.isWithin(args[0])) return undefined;
    const value = args[0];
    const channel = typeof to === 'function' ? to(receiver as object, patch, value) : to;
    const transfer = transferOf === undefined ? args[1] : transferOf(args);
    return channel === null
      ? undefined
      : recorder.begin({ channel, value, listed: listedIn(transfer), patch });
  },
  after: (posted) => recorder.end(posted),
  threw: (posted, error) => recorder.threw(posted, error),
});

export function watchPosts(posts: readonly Post[]): void {
  for (const post of posts) watch(post.owner, post.key ?? 'postMessage', posting(post));
}

/** Posting functions that all runtimes have. */
export const usualPosts = (messagePort: object | undefined): Post[] => [
  { owner: globalThis, key: 'structuredClone', to: channelTo(null, 'structuredClone') },
  { owner: messagePort, to: (port, patch) => ports.channelOf(port, patch) },
];

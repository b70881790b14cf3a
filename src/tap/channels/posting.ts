/** Functions that post, replaced by ones that record. */

import type { CountedChannel } from '../messages/channel.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import { apply, defineProperty, getOwnPropertyDescriptor, hasOwn } from '../realm/intrinsics.ts';
import { imitation } from './replace.ts';

export interface PostingFunction {
  /** What a call posts to; null for messages of the runtime's own. @param patch what the program called */
  channelOf(receiver: object, patch: Call, message: unknown): CountedChannel | null;
  /** Told of a call inside that of another function with the same message. */
  onInner?(receiver: object, outer: object): void;
}

type Cleaned = (error: unknown, patch: unknown) => unknown;
type PostRun = (receiver: unknown, args: readonly unknown[]) => unknown;

/** By literal names, which Bun prints. */
const METHODS = {
  postMessage(run: PostRun, cleaned: Cleaned): Call {
    const { postMessage } = {
      postMessage(this: unknown, ...args: unknown[]): unknown {
        try {
          return run(this, args);
        } catch (error) {
          throw cleaned(error, postMessage);
        }
      },
    };
    return postMessage;
  },
  structuredClone(run: PostRun, cleaned: Cleaned): Call {
    const { structuredClone } = {
      structuredClone(this: unknown, ...args: unknown[]): unknown {
        try {
          return run(this, args);
        } catch (error) {
          throw cleaned(error, structuredClone);
        }
      },
    };
    return structuredClone;
  },
  send(run: PostRun, cleaned: Cleaned): Call {
    const { send } = {
      send(this: unknown, ...args: unknown[]): unknown {
        try {
          return run(this, args);
        } catch (error) {
          throw cleaned(error, send);
        }
      },
    };
    return send;
  },
};
type Key = keyof typeof METHODS;

const NO_MESSAGE = {};

/** For runtimes whose functions end in each other: of calls inside each other with one message the outermost counts. */
export class Posting {
  readonly #recorder: Recorder;
  readonly #cleaned: Cleaned;
  #message: unknown = NO_MESSAGE;
  #receiver: unknown = null;

  /** @param cleaned an error without frames of ours on its stack */
  constructor(recorder: Recorder, cleaned: Cleaned) {
    this.#recorder = recorder;
    this.#cleaned = cleaned;
  }

  /** Replaces a method, where there is one that can be replaced. */
  watch(owner: object, key: Key, posting: PostingFunction): void {
    const found = getOwnPropertyDescriptor(owner, key);
    if (typeof found?.value !== 'function' || !(found.configurable || found.writable)) return;
    defineProperty(owner, key, { ...found, value: this.recording(found.value as Call, key, posting) });
  }

  /**
   * A function that calls the original and records; of its name and length. Errors are caught here and not further inside: a
   * call in tail position would take this function off the stack in Bun, and its place would not be found.
   */
  recording(original: Call, key: Key, posting: PostingFunction): Call {
    const run = (receiver: unknown, args: readonly unknown[]) =>
      this.#run(original, receiver, args, posting, patch);
    const patch: Call = hasOwn(original, 'prototype')
      ? imitation(original, (_original, receiver, args) => run(receiver, args))
      : METHODS[key](run, this.#cleaned);
    for (const property of ['name', 'length'] as const)
      defineProperty(patch, property, getOwnPropertyDescriptor(original, property)!);
    return patch;
  }

  #run(
    original: Call,
    receiver: unknown,
    args: readonly unknown[],
    posting: PostingFunction,
    patch: Call,
  ): unknown {
    const message = args[0];
    const channel = this.#channel(message, receiver as object, posting, patch);
    if (channel === null) return apply(original, receiver, args);
    const outerMessage = this.#message;
    const outerReceiver = this.#receiver;
    this.#message = message;
    this.#receiver = receiver;
    try {
      return this.#recorder.post(channel, receiver, args, original, patch);
    } finally {
      this.#message = outerMessage;
      this.#receiver = outerReceiver;
    }
  }

  /** null where the call is not recorded. */
  #channel(
    message: unknown,
    receiver: object,
    { channelOf, onInner }: PostingFunction,
    patch: Call,
  ): CountedChannel | null {
    if (this.#recorder.isLooking) return null;
    try {
      if (this.#message !== message) return channelOf(receiver, patch, message);
      onInner?.(receiver, this.#receiver as object);
    } catch {
      this.#recorder.log.failed();
    }
    return null;
  }
}

/** Functions that post, replaced by ones that record. */

import type { CountedChannel } from '../messages/channel.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import { apply, defineProperty, getOwnPropertyDescriptor, hasOwn } from '../realm/intrinsics.ts';
import type { Clean } from '../records/clean-stack.ts';
import { imitation, withNameOf } from './replace.ts';

/** What a call posts to; null for messages of the runtime's own. @param patch what the program called */
type ChannelOf = (receiver: object, patch: Call, message: unknown) => CountedChannel | null;
type PostRun = (receiver: unknown, args: readonly unknown[]) => unknown;

/** By literal names, which Bun prints. */
function methods(run: PostRun, cleaned: Clean) {
  const made = {
    postMessage(this: unknown, ...args: unknown[]): unknown {
      try {
        return run(this, args);
      } catch (error) {
        throw cleaned(error, made.postMessage);
      }
    },
    structuredClone(this: unknown, ...args: unknown[]): unknown {
      try {
        return run(this, args);
      } catch (error) {
        throw cleaned(error, made.structuredClone);
      }
    },
    send(this: unknown, ...args: unknown[]): unknown {
      try {
        return run(this, args);
      } catch (error) {
        throw cleaned(error, made.send);
      }
    },
  };
  return made;
}
type Key = keyof ReturnType<typeof methods>;

const NO_MESSAGE = {};

/** For runtimes whose functions end in each other: of calls inside each other with one message the outermost counts. */
export class Posting {
  readonly #recorder: Recorder;
  readonly #cleaned: Clean;
  #message: unknown = NO_MESSAGE;

  /** @param cleaned an error without frames of ours on its stack */
  constructor(recorder: Recorder, cleaned: Clean) {
    this.#recorder = recorder;
    this.#cleaned = cleaned;
  }

  /** Replaces a method, where there is one that can be replaced. */
  watch(owner: object, key: Key, channelOf: ChannelOf): void {
    const found = getOwnPropertyDescriptor(owner, key);
    if (typeof found?.value !== 'function' || !(found.configurable || found.writable)) return;
    defineProperty(owner, key, { ...found, value: this.recording(found.value as Call, key, channelOf) });
  }

  /**
   * A function that calls the original and records; of its name and length. Errors are caught here and not further inside: a
   * call in tail position would take this function off the stack in Bun, and its place would not be found.
   */
  recording(original: Call, key: Key, channelOf: ChannelOf): Call {
    const run = (receiver: unknown, args: readonly unknown[]): unknown => {
      const channel = this.#channel(args[0], receiver as object, channelOf, patch);
      if (channel === null) return apply(original, receiver, args);
      const outer = this.#message;
      this.#message = args[0];
      try {
        return this.#recorder.post(channel, receiver, args, original, patch);
      } finally {
        this.#message = outer;
      }
    };
    const patch: Call = hasOwn(original, 'prototype')
      ? imitation(original, (_original, receiver, args) => run(receiver, args))
      : methods(run, this.#cleaned)[key];
    return withNameOf(original, patch);
  }

  /** null where the call is not recorded. */
  #channel(message: unknown, receiver: object, channelOf: ChannelOf, patch: Call): CountedChannel | null {
    if (this.#recorder.isLooking || this.#message === message) return null;
    try {
      return channelOf(receiver, patch, message);
    } catch {
      this.#recorder.log.failed();
      return null;
    }
  }
}

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

export type Posting = ReturnType<typeof postingTo>;

/**
 * For runtimes whose functions end in each other: of calls inside each other with one message the outermost counts.
 *
 * @param cleaned an error without frames of ours on its stack
 */
export function postingTo(recorder: Recorder, cleaned: Clean) {
  let current: unknown = NO_MESSAGE;
  /** null where the call is not recorded. */
  const channel = (message: unknown, receiver: object, channelOf: ChannelOf, patch: Call) => {
    if (recorder.isLooking || current === message) return null;
    try {
      return channelOf(receiver, patch, message);
    } catch {
      recorder.log.failed();
      return null;
    }
  };
  /**
   * A function that calls the original and records; of its name and length. Errors are caught here and not further inside: a
   * call in tail position would take this function off the stack in Bun, and its place would not be found.
   */
  const recording = (original: Call, key: Key, channelOf: ChannelOf): Call => {
    const run = (receiver: unknown, args: readonly unknown[]): unknown => {
      const to = channel(args[0], receiver as object, channelOf, patch);
      if (to === null) return apply(original, receiver, args);
      const outer = current;
      current = args[0];
      try {
        return recorder.post(to, receiver, args, original, patch);
      } finally {
        current = outer;
      }
    };
    const patch: Call = hasOwn(original, 'prototype')
      ? imitation(original, (_original, receiver, args) => run(receiver, args))
      : methods(run, cleaned)[key];
    return withNameOf(original, patch);
  };
  return {
    recording,
    /** Replaces a method, where there is one that can be replaced. */
    watch(owner: object, key: Key, channelOf: ChannelOf): void {
      const found = getOwnPropertyDescriptor(owner, key);
      if (typeof found?.value !== 'function' || !(found.configurable || found.writable)) return;
      defineProperty(owner, key, { ...found, value: recording(found.value as Call, key, channelOf) });
    },
  };
}

/** Messages between processes: process.send and the send of a child. */
import { types } from 'node:util';
import { apply, dataOf, defineProperty, getOwnPropertyDescriptor, startsWith } from '../intrinsics.ts';
import type { Call, Channel, Recorder } from '../recorder.ts';
import { cleaned } from './clean-stack.ts';

/** Node's own, of cluster and of handles that are sent. */
function isInternal(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || types.isProxy(message)) return false;
  const command = dataOf(message, 'cmd');
  return typeof command === 'string' && startsWith(command, 'NODE_');
}

/** @param owner `process`, or a child whose channel is open */
export function patchSend(recorder: Recorder, owner: object, channel: Channel): void {
  const found = getOwnPropertyDescriptor(owner, 'send');
  if (typeof found?.value !== 'function') return;
  const original = found.value as Call;
  function send(this: unknown, ...args: unknown[]): unknown {
    try {
      if (isInternal(args[0])) return apply(original, this, args);
      // What follows the message is no transfer list.
      return recorder.post(channel, this, args, original, send);
    } catch (error) {
      throw cleaned(error, send);
    }
  }
  for (const key of ['name', 'length'] as const)
    defineProperty(send, key, getOwnPropertyDescriptor(original, key)!);
  defineProperty(owner, 'send', { ...found, value: send });
}

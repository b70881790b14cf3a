/** Messages between processes: process.send and the send of a child. */
import { types } from 'node:util';
import { replace } from '../channels/replace.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply, dataOf, startsWith } from '../realm/intrinsics.ts';
import { canBeRead } from '../realm/platform.ts';

/** Node's own, of cluster and of handles that are sent. */
export function isInternal(message: unknown): boolean {
  const command = canBeRead(message, types) ? dataOf(message, 'cmd') : undefined;
  return typeof command === 'string' && startsWith(command, 'NODE_');
}

/** @param owner `process`, or a child whose channel is open */
export function patchSend(recorder: Recorder, owner: object, channel: CountedChannel): void {
  replace(owner, 'send', (original, receiver, args, patch) =>
    isInternal(args[0])
      ? apply(original, receiver, args)
      : recorder.post(channel, receiver, args, original, patch),
  );
}

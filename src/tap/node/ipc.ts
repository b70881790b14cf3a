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

/** Of a call on a channel that is closed: no error is thrown, a callback or an event gets it. */
const CLOSED = { code: 'ERR_IPC_CHANNEL_CLOSED' };

/** @param owner `process`, or a child whose channel is open */
export function patchSend(recorder: Recorder, owner: object, channel: CountedChannel): void {
  replace(owner, 'send', (original, receiver, args, patch) => {
    if (isInternal(args[0])) return apply(original, receiver, args);
    if (!canBeRead(receiver, types) || dataOf(receiver, 'connected') !== false)
      return recorder.post(channel, receiver, args, original, patch);
    recorder.threw({ channel, alike: channel, value: args[0], transfer: undefined, error: CLOSED, patch });
    return apply(original, receiver, args);
  });
}

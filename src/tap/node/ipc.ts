/** Messages between processes: process.send and the send of a child. */
import { types } from 'node:util';
import type { Serialization } from '../../model/names.ts';
import { replace } from '../channels/replace.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply, create, dataOf, ownKeys, startsWith } from '../realm/intrinsics.ts';
import { canBeRead } from '../realm/platform.ts';

/** Node's own, of cluster and of handles that are sent. */
export function isInternal(message: unknown): boolean {
  const command = canBeRead(message, types) ? dataOf(message, 'cmd') : undefined;
  return typeof command === 'string' && startsWith(command, 'NODE_');
}

/** Of a call on a channel that is closed: no error is thrown, a callback or an event gets it. */
const CLOSED = { code: 'ERR_IPC_CHANNEL_CLOSED' };

/** What Node keeps on the handle of a channel, while messages arrive in parts. */
const BUFFERS: Readonly<Record<string, Serialization>> = {
  kJSONBuffer: 'json',
  kMessageBuffer: 'advanced',
};

/** How Node writes messages there; null where it does not tell. @param owner `process`, or a child */
export function serializationOf(owner: object): Serialization | null {
  const handle = symbolsOf(owner).kChannelHandle;
  if (!canBeRead(handle, types)) return null;
  const known = symbolsOf(handle);
  for (const name in BUFFERS) if (name in known) return BUFFERS[name]!;
  return null;
}

/** Values by the descriptions of their symbols. */
function symbolsOf(owner: object): Record<string, unknown> {
  const all = create(null) as Record<string, unknown>;
  const keys = ownKeys(owner);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key === 'symbol' && key.description !== undefined) all[key.description] = dataOf(owner, key);
  }
  return all;
}

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

/** A BroadcastChannel of a thread and its worker. */
import { ALL, type ChannelRows } from '../common/row.ts';

export const broadcast = {
  broadcast: {
    of: ALL,
    toThread: true,
    cloned: 'within',
    words: 'over a BroadcastChannel',
    call: 'channel.postMessage(MESSAGE);',
  },
} as const satisfies ChannelRows;

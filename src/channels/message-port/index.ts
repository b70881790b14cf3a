/** A MessagePort, whose other end a worker has. */
import { type ChannelRows, TO_WORKER } from '../common/row.ts';

export const messagePort = {
  'message-port': {
    ...TO_WORKER,
    words: 'through a MessagePort',
    call: 'port.postMessage(MESSAGE[, LIST]);',
  },
} as const satisfies ChannelRows;

/** The messages of a worker: `worker.postMessage`, and `postMessage` in it. */
import { type ChannelRows, TO_WORKER } from '../common/row.ts';

export const worker = {
  worker: { ...TO_WORKER, words: 'to a worker' },
} as const satisfies ChannelRows;

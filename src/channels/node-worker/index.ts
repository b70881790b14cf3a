/** Workers of node:worker_threads in a runtime that has others too. */
import { type ChannelRows, TO_WORKER } from '../common/row.ts';

export const nodeWorker = {
  'node-worker': {
    ...TO_WORKER,
    of: ['deno'],
    words: 'to a worker of node:worker_threads',
    lacking: 'the workers of node:worker_threads are those of the channel worker here',
  },
} as const satisfies ChannelRows;

/**
 * The messages that popular worker libraries post: the library puts the user's value into an envelope, and the envelope
 * decides the path. Read in each library's source, for the request and for the reply.
 */
import type { LibraryName } from '../../../model/names.ts';
import { formatPath, type PathStep } from '../../paths.ts';

type Keys = readonly (string | number)[];

interface Direction {
  wrap(value: unknown, transferList: readonly unknown[]): unknown;
  /** Where the value is in the message. */
  at: Keys;
  /** The library lets the user name buffers to transfer. */
  transfers: boolean;
}

interface Messages {
  request: Direction;
  reply: Direction;
}

const TASK_ID = '5f0c8c1e-6d0b-4c2f-9a57-3f6f0d1f2b11';
const COMLINK_ID = '8c1d2e3f4a5b6-1c2d3e4f5a6b7-9f8e7d6c5b4a3-1234567890abc';

const ENVELOPES = {
  /** GoogleChromeLabs/comlink 4.4 src/comlink.ts, MessageType.APPLY with one RAW argument; Comlink.transfer. */
  comlink: {
    request: {
      wrap: (value) => ({
        id: COMLINK_ID,
        type: 'APPLY',
        path: ['run'],
        argumentList: [{ type: 'RAW', value }],
      }),
      at: ['argumentList', 0, 'value'],
      transfers: true,
    },
    reply: { wrap: (value) => ({ type: 'RAW', value, id: COMLINK_ID }), at: ['value'], transfers: true },
  },
  /** piscinajs/piscina 5.3 src/worker_pool and src/worker.ts; run's transferList, results that are Transferable. */
  piscina: {
    request: {
      wrap: (task) => ({
        task,
        taskId: 1,
        filename: '/app/worker.js',
        name: 'default',
        histogramEnabled: 1,
      }),
      at: ['task'],
      transfers: true,
    },
    reply: {
      wrap: (result) => ({ taskId: 1, result, error: null, time: 1 }),
      at: ['result'],
      transfers: true,
    },
  },
  /** tinylibs/tinypool 2.2 src/index.ts and src/entry/worker.ts; as piscina. */
  tinypool: {
    request: {
      wrap: (task) => ({ task, taskId: 1, filename: '/app/worker.js', name: 'default' }),
      at: ['task'],
      transfers: true,
    },
    reply: {
      wrap: (result) => ({ taskId: 1, result, error: null, usedMemory: 12_345_678 }),
      at: ['result'],
      transfers: true,
    },
  },
  /** andywer/threads.js 1.7 src/master/invocation-proxy.ts and src/worker/index.ts; Transfer on both sides. */
  threads: {
    request: {
      wrap: (value) => ({ type: 'run', uid: 1, method: 'run', args: [value] }),
      at: ['args', 0],
      transfers: true,
    },
    reply: {
      wrap: (payload) => ({ type: 'result', uid: 1, complete: true, payload }),
      at: ['payload'],
      transfers: true,
    },
  },
  /** josdejong/workerpool 10.0 src/WorkerHandler.js and src/worker.js; exec's transfer, workerpool.Transfer. */
  workerpool: {
    request: {
      wrap: (value) => ({ id: 1, method: 'run', params: [value] }),
      at: ['params', 0],
      transfers: true,
    },
    reply: { wrap: (result) => ({ id: 1, result, error: null }), at: ['result'], transfers: true },
  },
  /** un-ts/synckit 0.12 src/helpers.ts and src/index.ts; its transferList is for starting the worker only. */
  synckit: {
    request: { wrap: (value) => ({ id: 1, args: [value] }), at: ['args', 0], transfers: false },
    reply: { wrap: (result) => ({ id: 1, stdio: [], result }), at: ['result'], transfers: false },
  },
  /** jestjs/jest 30 packages/jest-worker: [CHILD_MESSAGE_CALL, processed, method, args]; [PARENT_MESSAGE_OK, result]. */
  'jest-worker': {
    request: { wrap: (value) => [1, true, 'run', [value]], at: [3, 0], transfers: false },
    reply: { wrap: (result) => [0, result], at: [1], transfers: false },
  },
  /** nolanlawson/promise-worker 2.0: [messageId, userMessage]; [messageId, error, result]. */
  'promise-worker': {
    request: { wrap: (value) => [1, value], at: [1], transfers: false },
    reply: { wrap: (result) => [1, null, result], at: [2], transfers: false },
  },
  /** poolifier/poolifier 5.3: the task object itself is posted, its transfer list included; results are copied. */
  poolifier: {
    request: {
      wrap: (data, transferList) => ({
        abortable: false,
        data,
        name: 'default',
        priority: 0,
        strategy: 'MIN_USED',
        taskId: TASK_ID,
        timestamp: 1234.5,
        transferList: transferList.length === 0 ? undefined : transferList,
        workerId: 1,
      }),
      at: ['data'],
      transfers: true,
    },
    reply: {
      wrap: (data) => ({
        data,
        taskId: TASK_ID,
        taskPerformance: { name: 'default', timestamp: 1234.5 },
        workerId: 1,
      }),
      at: ['data'],
      transfers: false,
    },
  },
} as const satisfies Record<LibraryName, Messages>;

/** How one end puts values into the messages that it posts, and takes them out of those that it receives. */
export interface Envelope {
  wrap(value: unknown, transferList: readonly unknown[]): unknown;
  unwrap(message: unknown): unknown;
  /** What this end posts can have a transfer list. */
  transfers: boolean;
}

/** No library: the value is the message. */
const BARE: Envelope = { wrap: (value) => value, unwrap: (message) => message, transfers: true };

/**
 * - sender: posts requests and receives replies
 * - receiver: receives requests and posts replies
 * - alone: posts and receives requests
 */
export type EnvelopeSide = 'sender' | 'receiver' | 'alone';

export function envelopeFor(library: LibraryName | null | undefined, side: EnvelopeSide): Envelope {
  if (!library) return BARE;
  const { request, reply }: Messages = ENVELOPES[library];
  const { wrap, transfers } = side === 'receiver' ? reply : request;
  const { at } = side === 'sender' ? reply : request;
  return { wrap, unwrap: (message) => valueAt(message, at), transfers };
}

/** The message that `library` posts for `value`. */
export const inEnvelope = (library: LibraryName, value: unknown): unknown =>
  ENVELOPES[library].request.wrap(value, []);

/** Where the value is in a request, as a path: `$.task`. */
export const payloadPath = (library: LibraryName): string => valuePath(library, 'request');

/** Where the value is in a message of either direction. */
export const valuePath = (library: LibraryName, direction: keyof Messages): string =>
  formatPath(ENVELOPES[library][direction].at.map(stepOf));

const stepOf = (key: string | number): PathStep =>
  typeof key === 'number' ? { type: 'index', index: key } : { type: 'key', key };

/** `message` and its containers down to the value are the library's own. */
function valueAt(message: unknown, keys: Keys): unknown {
  let value = message;
  for (const key of keys) value = (value as Record<string | number, unknown>)[key];
  return value;
}

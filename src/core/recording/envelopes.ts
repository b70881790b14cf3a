/**
 * The messages that popular worker libraries post for a value: the library wraps it in an envelope, and the envelope
 * decides the path. Read in each library's source.
 */
import type { LibraryName } from '../../model/names.ts';

const TASK_ID = '5f0c8c1e-6d0b-4c2f-9a57-3f6f0d1f2b11';

const wrappers = {
  /** GoogleChromeLabs/comlink src/comlink.ts, MessageType.APPLY with one RAW argument. */
  comlink: (value: unknown) => ({
    id: '8c1d2e3f4a5b6-1c2d3e4f5a6b7-9f8e7d6c5b4a3-1234567890abc',
    type: 'APPLY',
    path: ['run'],
    argumentList: [{ type: 'RAW', value }],
  }),
  /** piscinajs/piscina src/worker_pool: { task, taskId, filename, name } through a MessagePort. */
  piscina: (value: unknown) => ({ task: value, taskId: 1, filename: '/app/worker.js', name: 'default' }),
  /** tinylibs/tinypool: as piscina. */
  tinypool: (value: unknown) => ({ task: value, taskId: 1, filename: '/app/worker.js', name: 'default' }),
  /** andywer/threads.js: MasterMessageType.run. */
  threads: (value: unknown) => ({ type: 'run', uid: 1, method: 'run', args: [value] }),
  /** josdejong/workerpool src/WorkerHandler.js. */
  workerpool: (value: unknown) => ({ id: 1, method: 'run', params: [value] }),
  /** un-ts/synckit. */
  synckit: (value: unknown) => ({ id: 1, args: [value] }),
  /** jest-worker: [CHILD_MESSAGE_CALL, processed, method, args]. */
  'jest-worker': (value: unknown) => [1, true, 'run', [value]],
  /** nolanlawson/promise-worker: [messageId, userMessage]. */
  'promise-worker': (value: unknown) => [1, value],
  /** poolifier: the task object itself is posted. */
  poolifier: (value: unknown) => ({
    abortable: false,
    data: value,
    name: 'default',
    priority: 0,
    strategy: 'least_used',
    taskId: TASK_ID,
    timestamp: 1234.5,
    transferList: undefined,
  }),
} as const satisfies Record<LibraryName, (value: unknown) => unknown>;

export function isLibrary(name: string): name is LibraryName {
  return Object.hasOwn(wrappers, name);
}

/** The message that `library` posts for `value`. */
export function inEnvelope(library: LibraryName, value: unknown): unknown {
  return wrappers[library](value);
}

/** Messages of worker libraries, read in their sources: the envelope around the user's value decides the path. */

import type { Site } from '../../model/documents/recorded/recording.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { LibraryName } from '../../model/names.ts';
import type { PostingApi } from '../../model/recording/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { filter, map } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { formatPath, isAtOrBelow, parsePath, patternOf } from '../../value/read/paths.ts';

type Keys = readonly (string | number)[];
type Wrap<Message = unknown> = (value: unknown, transferList: readonly unknown[]) => Message;

/** A message with a value that a library posts, or answers with. Other messages of the library do not have a row. */
export interface Direction {
  wrap: Wrap<object>;
  at: Keys;
  transfers: boolean;
  /** Keys of the same message in other versions or in child processes, or with a different type of value. */
  others: readonly (readonly string[])[];
}

type Messages = Record<'request' | 'reply', Direction>;

const transferring = (at: Keys, wrap: Wrap<object>, ...others: (readonly string[])[]): Direction => ({
  ...{ at, wrap, others, transfers: true },
});
const copying = (at: Keys, wrap: Wrap<object>, ...others: (readonly string[])[]): Direction => ({
  ...{ at, wrap, others, transfers: false },
});

const TASK_ID = '5f0c8c1e-6d0b-4c2f-9a57-3f6f0d1f2b11';
const COMLINK_ID = '8c1d2e3f4a5b6-1c2d3e4f5a6b7-9f8e7d6c5b4a3-1234567890abc';

/** src/runtime/process-worker.ts adds them. */
const TINYPOOL_PROCESS = ['source', '__tinypool_worker_message__'];

export const ENVELOPES: Readonly<Record<LibraryName, Messages>> = {
  /** GoogleChromeLabs/comlink 4.4 src/comlink.ts: APPLY with one RAW argument; Comlink.transfer; any handler's value */
  comlink: {
    request: transferring(['argumentList', 0, 'value'], (value) => ({
      id: COMLINK_ID,
      type: 'APPLY',
      path: ['run'],
      argumentList: [{ type: 'RAW', value }],
    })),
    reply: transferring(['value'], (value) => ({ type: 'RAW', value, id: COMLINK_ID }), [
      ...['id', 'type', 'name', 'value'],
    ]),
  },
  /** piscinajs/piscina 5.3 src/worker_pool, src/worker.ts; transferList, Transferable results. The others: 3.2 to 4 */
  piscina: {
    request: transferring(
      ['task'],
      (task) => ({ task, taskId: 1, filename: '/app/worker.js', name: 'default', histogramEnabled: 1 }),
      ['filename', 'name', 'task', 'taskId'],
    ),
    reply: transferring(['result'], (result) => ({ taskId: 1, result, error: null, time: 1 }), [
      ...['taskId', 'result', 'error'],
    ]),
  },
  /** tinylibs/tinypool 2.2 src/index.ts and src/entry/worker.ts; like piscina. */
  tinypool: {
    request: transferring(
      ['task'],
      (task) => ({ task, taskId: 1, filename: '/app/worker.js', name: 'default' }),
      ['task', 'taskId', 'filename', 'name', ...TINYPOOL_PROCESS],
    ),
    reply: transferring(
      ['result'],
      (result) => ({ taskId: 1, result, error: null, usedMemory: 12_345_678 }),
      ['taskId', 'result', 'error', 'usedMemory', ...TINYPOOL_PROCESS],
    ),
  },
  /** andywer/threads.js 1.7 src/master/invocation-proxy.ts and src/worker/index.ts; Transfer on both sides. */
  threads: {
    request: transferring(['args', 0], (value) => ({ type: 'run', uid: 1, method: 'run', args: [value] })),
    reply: transferring(['payload'], (payload) => ({ type: 'result', uid: 1, complete: true, payload })),
  },
  /** josdejong/workerpool 10.0 src/WorkerHandler.js and src/worker.js; exec's transfer, workerpool.Transfer. */
  workerpool: {
    request: transferring(['params', 0], (value) => ({ id: 1, method: 'run', params: [value] })),
    reply: transferring(['result'], (result) => ({ id: 1, result, error: null })),
  },
  /** un-ts/synckit 0.12 src/helpers.ts and src/index.ts; its transferList is for starting the worker only. The others: 0.8 */
  synckit: {
    request: copying(['args', 0], (value) => ({ id: 1, args: [value] }), ['sharedBuffer', 'id', 'args']),
    reply: copying(['result'], (result) => ({ id: 1, stdio: [], result }), ['id', 'result']),
  },
  /** jestjs/jest 30 packages/jest-worker: [CHILD_MESSAGE_CALL, processed, method, args], [PARENT_MESSAGE_OK, result] */
  'jest-worker': {
    request: copying([3, 0], (value) => [1, true, 'run', [value]]),
    reply: copying([1], (result) => [0, result]),
  },
  /** nolanlawson/promise-worker 2.0: [messageId, userMessage]; [messageId, error, result]. Version 1 posts JSON. */
  'promise-worker': {
    request: copying([1], (value) => [1, value]),
    reply: copying([2], (result) => [1, null, result]),
  },
  /** poolifier/poolifier 5.3: the task object itself is posted, its transfer list included; results are copied. */
  poolifier: {
    // Version 4 is not abortable.
    request: transferring(['data'], poolifierTask, Object.keys(poolifierTask(0, [])).slice(1)),
    reply: copying(['data'], (data) => ({
      data,
      taskId: TASK_ID,
      taskPerformance: { name: 'default', timestamp: 1234.5 },
      workerId: 1,
    })),
  },
};

function poolifierTask(data: unknown, transferList: readonly unknown[]): object {
  return {
    abortable: false,
    data,
    name: 'default',
    priority: 0,
    strategy: 'MIN_USED',
    taskId: TASK_ID,
    timestamp: 1234.5,
    transferList: transferList.length === 0 ? undefined : transferList,
    workerId: 1,
  };
}

export interface Envelope {
  wrap: Wrap;
  unwrap(message: unknown): unknown;
  transfers: boolean;
}

const BARE: Envelope = { wrap: (value) => value, unwrap: (message) => message, transfers: true };

/** `sender` posts requests and receives replies, `receiver` the other way round, `alone` posts and receives requests. */
export type EnvelopeSide = 'sender' | 'receiver' | 'alone';

export function envelopeFor(library: LibraryName | null | undefined, side: EnvelopeSide): Envelope {
  if (!library) return BARE;
  const { request, reply } = ENVELOPES[library];
  const { wrap, transfers } = side === 'receiver' ? reply : request;
  const { at } = side === 'sender' ? reply : request;
  // The message and its containers down to the value are the library's own.
  const unwrap = (message: unknown) =>
    at.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], message);
  return { wrap, unwrap, transfers };
}

export const inEnvelope = (library: LibraryName, value: unknown): unknown =>
  ENVELOPES[library].request.wrap(value, []);

export const valuePath = (library: LibraryName, direction: keyof Messages = 'request'): string =>
  formatPath(
    ENVELOPES[library][direction].at.map((key) =>
      typeof key === 'number' ? { type: 'index', index: key } : { type: 'key', key },
    ),
  );

/** Shape of the value at a path; null if facts of the envelope stand in its rows: `$[*]` holds both. */
export function shapeBelow(shape: Shape, path: string): Shape | null {
  const root = patternOf(path);
  if (root === null) return null;
  const at = filter(shape.patterns, ({ pattern }) => pattern === root);
  if (at.length !== 1 || at[0]!.count !== 1) return null;
  const depth = parsePath(root)?.length ?? 0;
  const rows = filter(shape.patterns, ({ pattern }) => isAtOrBelow(pattern, root));
  const patterns = map(rows, (row): Facts => {
    const pattern = `$${row.pattern.slice(root.length)}`;
    const example = row.example.startsWith(path) ? `$${row.example.slice(path.length)}` : pattern;
    const below = row.depth - depth;
    return { ...row, pattern, example, depth: below, parent: below === 0 ? null : row.parent };
  });
  return {
    ...shape,
    nodes: sumOf(patterns, ({ count }) => count),
    depth: Math.max(0, shape.depth - depth),
    jsonBytes: null,
    patterns,
  };
}

export function inside(message: ValueTree, library: LibraryName): ValueTree | undefined {
  let at: ValueTree | undefined = message;
  for (const key of ENVELOPES[library].request.at) {
    if (!isObject(at)) return undefined;
    if (typeof key === 'number') at = at.is === 'array' && at.of === undefined ? at.items[key] : undefined;
    else at = at.is === 'object' ? at.entries.find(([name]) => name === key)?.[1] : undefined;
  }
  return at;
}

// Which library's envelope a recorded message is, by its keys and the package that posted it.

/** Functions that post from a thread or process to the thread or process that it started. */
const DOWN: readonly PostingApi[] = ['Worker.postMessage', 'ServiceWorker.postMessage', 'ChildProcess.send'];

const isLibrary = (name: string): name is LibraryName => Object.hasOwn(ENVELOPES, name);

/** Returns null if no library posted it, or for a message between parts of the library, without a value of the user. */
export function recognise(sample: ValueTree, library: Site['library'], api: PostingApi) {
  const { name = '' } = library ?? {};
  if (!isLibrary(name)) return null;
  const direction = (['request', 'reply'] as const).find((one) => {
    const { wrap, others } = ENVELOPES[name][one];
    const made = wrap(null, []);
    // Arrays have no names, and the message that ends a worker looks like a reply.
    if (Array.isArray(made)) return (one === 'request') === DOWN.includes(api) && isList(sample, made.length);
    return [Object.keys(made), ...others].some((keys) => hasKeys(sample, keys));
  });
  return direction === undefined ? null : { library: name, direction };
}

function hasKeys(tree: ValueTree, keys: readonly string[]): boolean {
  if (!isObject(tree) || tree.is !== 'object' || tree.of !== undefined) return false;
  return tree.entries.length === keys.length && tree.entries.every(([key]) => keys.includes(key));
}

function isList(tree: ValueTree, length: number): boolean {
  if (!isObject(tree) || tree.is !== 'array' || tree.of !== undefined) return false;
  return tree.items.length === length;
}

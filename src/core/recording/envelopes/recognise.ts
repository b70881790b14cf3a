/** Which worker library's envelope a message is, by its keys and the package that posted it. */

import type { Site } from '../../../model/documents/recorded/call-site.ts';
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { LibraryName } from '../../../model/names.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { isObject } from '../../value/own-data.ts';
import { inRange } from '../../versions.ts';

/** A message with a value that a library posts, or answers with. Its other messages do not have a row. */
interface EnvelopeRow {
  library: LibraryName;
  /** Versions whose source was read. */
  versions: string;
  direction: 'request' | 'reply';
  /** All keys of the object, and those that it has in child processes only; or the elements of the array, null for any. */
  form: { keys: readonly string[]; inChildren?: readonly string[] } | { elements: readonly (Kind | null)[] };
}

const TASK = ['filename', 'name', 'task', 'taskId'];
const POOLIFIER_TASK = [
  ...['data', 'name', 'priority', 'strategy', 'taskId', 'timestamp', 'transferList', 'workerId'],
];
const TINYPOOL_CHILD = ['source', '__tinypool_worker_message__'];

const ROWS: readonly EnvelopeRow[] = [
  // comlink src/comlink.ts: APPLY and CONSTRUCT; wire values of any handler.
  row('comlink', '>=4.3', 'request', ['id', 'type', 'path', 'argumentList']),
  row('comlink', '>=4.3', 'reply', ['id', 'type', 'value']),
  row('comlink', '>=4.3', 'reply', ['id', 'type', 'name', 'value']),
  // piscina src/worker_pool, src/worker.ts
  row('piscina', '>=3.2 <5', 'request', TASK),
  row('piscina', '>=3.2 <5', 'reply', ['taskId', 'result', 'error']),
  row('piscina', '>=5', 'request', [...TASK, 'histogramEnabled']),
  row('piscina', '>=5', 'reply', ['taskId', 'result', 'error', 'time']),
  // tinypool src/index.ts, src/entry/worker.ts; src/runtime/process-worker.ts adds two keys
  row('tinypool', '>=0.8', 'request', TASK, TINYPOOL_CHILD),
  row('tinypool', '>=0.8', 'reply', ['taskId', 'result', 'error', 'usedMemory'], TINYPOOL_CHILD),
  // threads.js src/master/invocation-proxy.ts, src/worker/index.ts
  row('threads', '>=1.2', 'request', ['type', 'uid', 'method', 'args']),
  row('threads', '>=1.2', 'reply', ['type', 'uid', 'complete', 'payload']),
  // workerpool src/WorkerHandler.js, src/worker.js
  row('workerpool', '>=6.5', 'request', ['id', 'method', 'params']),
  row('workerpool', '>=6.5', 'reply', ['id', 'result', 'error']),
  // synckit src/helpers.ts, src/index.ts
  row('synckit', '>=0.8 <0.9', 'request', ['sharedBuffer', 'id', 'args']),
  row('synckit', '>=0.9', 'request', ['id', 'args']),
  row('synckit', '>=0.8 <0.10', 'reply', ['id', 'result']),
  row('synckit', '>=0.10', 'reply', ['id', 'stdio', 'result']),
  // jest packages/jest-worker/src/types.ts: CHILD_MESSAGE_CALL, PARENT_MESSAGE_OK
  elements('jest-worker', '>=27', 'request', ['number', 'boolean', 'string', 'array']),
  elements('jest-worker', '>=27', 'reply', ['number', null]),
  // promise-worker index.js, register.js; version 1 posts JSON texts
  elements('promise-worker', '>=2', 'request', ['number', null]),
  elements('promise-worker', '>=2', 'reply', ['number', 'null', null]),
  // poolifier src/pools/abstract-pool.ts, src/worker/abstract-worker.ts
  row('poolifier', '>=4.4 <5', 'request', POOLIFIER_TASK),
  row('poolifier', '>=5', 'request', ['abortable', ...POOLIFIER_TASK]),
  row('poolifier', '>=2.7', 'reply', ['data', 'taskId', 'taskPerformance', 'workerId']),
];

type Version = [library: LibraryName, versions: string, direction: EnvelopeRow['direction']];

function row(...[library, versions, direction, keys, inChildren]: [...Version, string[], string[]?]) {
  return { library, versions, direction, form: { keys, inChildren: inChildren ?? [] } };
}

function elements(...[library, versions, direction, kinds]: [...Version, (Kind | null)[]]) {
  return { library, versions, direction, form: { elements: kinds } };
}

/** By what a thread or process is posted to by the one that started it. */
const DOWN: ReadonlySet<PostingApi> = new Set(['Worker.postMessage', 'ChildProcess.send']);

/** null: no library posted it, or it is a message of the library's own that holds no value of the user's. */
export function recognise(
  sample: ValueTree,
  library: Site['library'],
  api: PostingApi,
): RecordedMessages['envelope'] {
  const found = ROWS.find(
    ({ library: name, versions, direction, form }) =>
      name === library?.name &&
      isOf(library.version, versions) &&
      hasForm(sample, form) &&
      // Arrays have no names: what ends a worker looks like a reply.
      ('keys' in form || (direction === 'request') === DOWN.has(api)),
  );
  return found ? { library: found.library, direction: found.direction } : null;
}

/** A version that is not known, or not written as one, may be any. */
function isOf(version: string | null, versions: string): boolean {
  try {
    return version === null || inRange(version, versions);
  } catch {
    return true;
  }
}

function hasForm(tree: ValueTree, form: EnvelopeRow['form']): boolean {
  if (!isObject(tree)) return false;
  if ('elements' in form)
    return tree.is === 'array' && tree.of === undefined && hasElements(tree.items, form.elements);
  if (tree.is !== 'object' || tree.of !== undefined) return false;
  const found = tree.entries.map(([key]) => key);
  return (
    form.keys.every((key) => found.includes(key)) &&
    found.every((key) => form.keys.includes(key) || (form.inChildren ?? []).includes(key))
  );
}

/** In any order. */
function hasElements(items: readonly ValueTree[], wanted: readonly (Kind | null)[]): boolean {
  if (items.length !== wanted.length) return false;
  const held = (kind: Kind) => items.filter((item) => kindOf(item) === kind).length;
  return wanted.every((kind) => kind === null || held(kind) >= wanted.filter((one) => one === kind).length);
}

function kindOf(tree: ValueTree): string {
  if (tree === null) return 'null';
  if (typeof tree !== 'object') return typeof tree;
  return tree.is === 'text' ? 'string' : tree.is;
}

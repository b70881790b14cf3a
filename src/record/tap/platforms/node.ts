/** The recorder in a thread of Node: `tap.cjs` calls `start` with the folder of the recording, and what it has loaded. */
import { Script } from 'node:vm';
import type { Frame } from '../../../model/documents/recorded/recording.ts';
import { attempt, orElse } from '../../../model/or-else.ts';
import { HEADER } from '../../threads/counters.ts';
import { type CountedChannel, channelTo, queueIn } from '../messages/buckets.ts';
import { onRead, ports, receiverIn } from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import { intoOptions, sendsToParent, watchChildren, watchWorkers } from '../process/started.ts';
import type { Compiled, Loaded } from '../process/thread.ts';
import * as thread from '../process/thread.ts';
import * as kept from '../realm.ts';

const { isMainThread, threadId, parentPort, MessagePort } = thread.workerThreads;

const { alone, frames } = log.stacks();

export const start = (folder: string, loaded: Loaded): void => attempt(() => begin(folder, loaded));

function begin(folder: string, loaded: Loaded): void {
  const given = isMainThread ? null : thread.handedOver();
  const parent = given?.parent ?? null;
  const memory = new thread.ThreadMemory(threadId, parent, given);
  const { own } = memory;
  const runtime = { name: 'node', version: process.versions.node } as const;
  ports.opened = opened;
  thread.startTap({
    ...{ folder, thread: threadId, counters: own, alone, frames, originalPlace },
    started: thread.threadStarted(runtime, threadId, parent, given?.file ?? null),
    engine: () => (require('../look/v8.ts') as typeof import('../look/v8.ts')).nodeEngine,
    writeCounters: () => memory.write(folder),
    // Worker and BroadcastChannel end in ports.
    messagePort: MessagePort.prototype,
    posts: isMainThread ? [sendsToParent()] : [],
  });
  watchReceived();
  if (parentPort !== null) {
    const up = channelTo('parent', 'parentPort.postMessage', queueIn(own, 'up'));
    ports.know(parentPort, up, receiverIn(own, 'down'));
  }
  const compiled = compilingFor(loaded, given?.compiled);
  watchWorkers({
    owner: thread.workerThreads,
    starting(args, file) {
      if (args.length > 1) args[1] = intoOptions(args[1]);
      return memory.handOver(file, compiled());
    },
    started(fields, worker, know) {
      memory.handedTo(fields);
      const { threadId: number } = worker as { threadId: number };
      log.add({ record: 'child', pid: process.pid, thread: number, program: 'worker' });
      const keys = kept.ownKeys(worker);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i]!;
        const port = kept.dataOf(worker, key);
        if (typeof key !== 'symbol' || !kept.canBeRead(port)) continue;
        if (key.description === 'kPort') ports.know(port, null, null);
        if (key.description === 'kPublicPort') know(port, fields);
      }
    },
    failed: () => memory.handedTo(null),
  });
  watchChildren(countArrivals);
  if (isMainThread && typeof process.send === 'function') countArrivals(process, 0);
  thread.module.syncBuiltinESMExports();
  thread.watchEnd();
}

/** Node's own code that posts what the program gives it. */
const FOR_THE_PROGRAM = ['node:internal/webstreams/transfer', 'node:internal/worker/messaging'];

/** The code that first posts on a port shows whether it is the program's. */
function opened(patch: unknown, ofProgram: CountedChannel): CountedChannel | null {
  const callers = frames(patch);
  const caller = callers[0];
  const file = caller?.file ?? '';
  if (!kept.startsWith(file, 'node:') || file === FOR_THE_PROGRAM[0] || file === FOR_THE_PROGRAM[1])
    return ofProgram;
  if (caller?.name !== 'postMessage' || kept.startsWith(callers[1]?.file ?? '', 'node:')) return null;
  if (file === 'node:internal/worker') return { ...ofProgram, api: 'Worker.postMessage' };
  if (file !== 'node:internal/worker/io') return null;
  return channelTo(null, 'BroadcastChannel.postMessage', null, 'BroadcastChannel');
}

/** Node asks a port for this function twice for each message that arrives. */
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch');

function watchReceived(): void {
  const heard = new kept.Weak<object, true>();
  const unread = () => void kept.counters[HEADER.unread]!++;
  onRead(MessagePort.prototype, DISPATCH, (port) => {
    ports.arrivedHalf(port);
    // Nothing else shows which event it is. Here the port has an event, and is not asked for its listeners yet.
    if (kept.isNew(heard, port)) kept.listen(port, 'messageerror', unread);
  });
}

/** Counts messages of a different process: Node reads the listeners once for each; other readers are left out. */
function countArrivals(target: object, pid: number): void {
  const arrived = log.tally((count) => ({ record: 'arrived', pid, count }));
  onRead(target, 'listenerCount', function asked() {
    // Above the getter.
    const caller = frames(asked)[1];
    if (caller?.file === 'node:internal/child_process' && caller.name === 'emit') arrived.count++;
  });
}

const { findSourceMap } = thread.module;

/** Files that are compiled while they load: only the process has the map. The host finds maps in or next to files. */
const COMPILED_HERE = /\.(?:[mc]?ts|[tj]sx)$/;

function originalPlace(frame: Frame): Frame {
  if (!kept.matches(COMPILED_HERE, frame.file)) return frame;
  const found = findSourceMap(frame.file)?.findEntry(frame.line - 1, frame.column - 1);
  if (found === undefined || !('originalLine' in found)) return frame;
  const { originalSource: source, originalLine, originalColumn } = found;
  const isFile = kept.startsWith(source, '/') || kept.startsWith(source, 'file://');
  const file = isFile ? log.sitePath(source) : frame.file;
  return { file, line: originalLine + 1, column: originalColumn + 1, name: frame.name };
}

const Shared = SharedArrayBuffer;
const fill = kept.unbound(kept.Bytes.prototype.set) as (to: Uint8Array, from: Uint8Array) => void;
const cacheOf = kept.unbound(Script.prototype.createCachedData) as (script: Script) => Uint8Array;

function compiledBy({ text, script }: Loaded): Compiled {
  const made = cacheOf(script);
  const cache = new kept.Bytes(new Shared(made.byteLength));
  fill(cache, made);
  return { text, cache };
}

/** Making it takes milliseconds: a thread with one worker does not. With the later one, the functions that post have run. */
const SECOND = 2;
const LATER = 9;

/**
 * Returns a function that is called for each worker, which gets the recorder as V8 has compiled it: a worker that answers
 * once takes 18 ms more than without the recorder if it compiles the text and each function, 10 if it gets them.
 *
 * @param given text and code that this thread was compiled from
 */
function compilingFor(loaded: Loaded, given: Compiled | undefined): () => Compiled | undefined {
  let compiled = given;
  let workers = 0;
  return () => {
    workers++;
    if (workers === SECOND || workers === LATER) compiled = orElse(() => compiledBy(loaded), compiled);
    return compiled;
  };
}

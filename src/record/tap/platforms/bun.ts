/** The recorder in a thread of Bun: `tap.cjs` calls `start` with the folder of the recording, and with its own path. */
import * as fs from 'node:fs';
import { type BunJsc, bunStorage } from '../../../engines/probe/bun-storage.ts';
import { directBytes } from '../../../engines/probe/message-cost.ts';
import { serialized } from '../../../engines/probe/process-serializer.ts';
import { attempt } from '../../../model/or-else.ts';
import { STORED } from '../../../value/describe/inspect/flags.ts';
import { HEADER, MAPPED, THREAD_FIELDS } from '../../threads/counters.ts';
import { channelTo, queueIn } from '../messages/buckets.ts';
import * as channels from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import * as starts from '../process/started.ts';
import * as threads from '../process/thread.ts';
import * as kept from '../realm.ts';

declare const Bun: { mmap?: (path: string, options: { shared: boolean }) => Uint8Array };

const RUNTIME = { name: 'bun', version: process.versions.bun! } as const;
const { linkSync, unlinkSync, writeFileSync } = fs;
const { mmap } = Bun;
const { pid } = process;
const { WebWorker, workerThreads } = threads;
const { isMainThread, threadId: thread, parentPort } = workerThreads;
const messagePort = MessagePort.prototype as object;

export const start = (folder: string, preload: string): void => attempt(() => begin(folder, preload));

function begin(folder: string, preload: string): void {
  const counters =
    mappedCounters(folder, thread, thread) ??
    threads.withHeader(new Float64Array(THREAD_FIELDS), thread, 0, null);
  const isOfRuntime = (patch: unknown) => kept.startsWith(frames(patch)[0]?.file ?? '', 'node:');
  const toWorker = (worker: object) => channels.ports.known(worker) ?? null;
  channels.ports.opened = (patch, ofProgram) => (isOfRuntime(patch) ? null : ofProgram);
  threads.startTap({
    ...{ folder, thread, counters, frames, alone, messagePort, endsUnseen: true },
    // A worker is recorded by the thread that starts it.
    started: isMainThread ? threads.threadStarted(RUNTIME, 0, null, null) : null,
    engine: bunEngine,
    writeCounters() {
      if (counters[HEADER.shared] === 0) threads.writeCounters(folder, counters);
    },
    posts: [
      { owner: BroadcastChannel.prototype, to: channelTo(null, 'BroadcastChannel.postMessage') },
      { owner: WebWorker!.prototype, to: toWorker },
      { owner: workerThreads.Worker.prototype, to: toWorker },
      ...(isMainThread ? [starts.sendsToParent()] : postsToParent(counters)),
    ],
  });
  watchReceived(isMainThread ? null : channels.receiverIn(counters, 'down'));
  watchAllWorkers(folder, preload);
  watchChildren();
  // Children get them too.
  process.execArgv = process.execArgv.filter((word) => word !== `--preload=${preload}`);
}

/** It loads what takes milliseconds. */
export function bunEngine(): kept.LookEngine {
  const specifier = 'bun:jsc';
  const jsc = require(specifier) as BunJsc;
  return {
    withStorage(run) {
      const storage = bunStorage(jsc, false);
      // All else that tells about a rope would flatten it before it is posted.
      const string: typeof storage.string = (text, depth) =>
        jsc.isRope(text) ? STORED.rope : storage.string(text, depth);
      return run({ ...storage, string });
    },
    // A message that a fast path may hand over is not written. A text that occurs twice in memory is written once.
    bytes: (value, isApart) =>
      isApart || directBytes(value).length === 0 ? (serialized(value, isApart)?.byteLength ?? null) : null,
  };
}

function postsToParent(fields: Float64Array): channels.Post[] {
  const queue = queueIn(fields, 'up');
  const fromPort = channelTo('parent', 'parentPort.postMessage', queue);
  const own = parentPort && kept.getOwnPropertyDescriptor(parentPort, 'postMessage');
  if (parentPort !== null) channels.ports.know(parentPort, fromPort, channels.receiverIn(fields, 'down'));
  // Up to Bun 1.3 it cannot be replaced, but the port can.
  if (own && !own.writable && !own.configurable) {
    const value: unknown = own.value;
    const port = kept.create(parentPort, { postMessage: { value, writable: true } }) as object;
    channels.watchPosts([{ owner: port, to: fromPort }]);
    (workerThreads as { parentPort: unknown }).parentPort = port;
  }
  return [{ owner: globalThis, to: channelTo('parent', 'self.postMessage', queue) }];
}

const globalPrototype = kept.getPrototypeOf(globalThis);

/**
 * Counts a message when the data of its event is read for the first time: Bun's own code reads it for listeners in the
 * manner of Node, other listeners of the program do. @param fromParent for the global object of a worker
 */
function watchReceived(fromParent: channels.Receiver | null): void {
  const targetOf = kept.getter<object | null>(Event.prototype, 'target');
  const seen = new kept.Weak<object, true>();
  channels.onRead(MessageEvent.prototype, 'data', (event) => {
    const target = targetOf(event);
    if (target === null || !kept.isNew(seen, event)) return;
    // The target is the global object itself, which `self` and `globalThis` stand for.
    if (fromParent !== null && kept.getPrototypeOf(target) === globalPrototype)
      channels.ports.receive(target, fromParent);
    channels.ports.arrived(target);
  });
}

/** Workers of both kinds: each gets the tap as its first preload, and is known by its thread id. */
function watchAllWorkers(folder: string, preload: string): void {
  const { prototype: webWorker } = WebWorker!;
  for (const owner of [globalThis, workerThreads]) {
    starts.watchWorkers({
      owner,
      starting(args, file) {
        if (args.length > 0) args[1] = withPreload(args[1], preload);
        const inner: Partial<Record<'worker' | 'port', object>> = {};
        // The constructor of a worker of node:worker_threads asks a web worker for this, and from Bun 1.4 on ports, of
        // which the last is that of the program's messages.
        const asked = channels.onRead(EventTarget.prototype, 'addEventListener', (target) => {
          const own = kept.getPrototypeOf(target);
          if (own === webWorker) inner.worker = target;
          if (own === messagePort) inner.port = target;
        });
        return { file, inner, asked };
      },
      started({ file, inner, asked }, worker, know) {
        asked();
        const { threadId: started } = worker as { threadId: number };
        const told = kept.recordText(threads.threadStarted(RUNTIME, started, thread, file));
        threads.appendTo(folder, started, `${told}\n`);
        const fields = mappedCounters(folder, started, thread);
        if (fields !== null) fields[HEADER.parentThread] = thread;
        const fromWorker = know(worker, fields);
        for (const target of [inner.port, inner.worker])
          if (target) channels.ports.receive(target, fromWorker);
      },
      failed: ({ asked }) => asked(),
    });
    channels.nameConstructor(owner, 'Worker');
  }
}

function withPreload(options: unknown, tap: string): unknown {
  if (options != null && !kept.canBeRead(options)) {
    log.gap('a worker whose options cannot be read');
    return options;
  }
  const own = kept.fieldOf(options, 'preload');
  const preload: unknown[] = [tap];
  if (kept.isArray(own)) for (let i = 0; i < own.length; i++) preload[i + 1] = kept.dataOf(own, `${i}`);
  else if (typeof own === 'string') preload[1] = own;
  return starts.withProperty(options ?? {}, 'preload', preload);
}

/** All ways to start a child end in Bun.spawn and Bun.spawnSync, which have the tap put into their environment. */
function watchChildren(): void {
  const watched = new kept.Weak<object, true>();
  const before = (_receiver: unknown, args: unknown[]) => {
    const at = kept.isArray(args[0]) ? 1 : 0;
    args[at] = starts.intoOptions(args[at]);
    return { options: args[at] };
  };
  channels.watch(Bun, 'spawnSync', { before });
  channels.watch(Bun, 'spawn', {
    before,
    after({ options }, child) {
      if (!kept.canBeRead(child)) return;
      const prototype = kept.getPrototypeOf(child)!;
      if (kept.isNew(watched, prototype))
        channels.watchPosts([starts.sends(prototype, (one) => channels.ports.known(one) ?? null)]);
      if (typeof kept.fieldOf(options, 'ipc') !== 'function') return;
      const serialization = kept.fieldOf(options, 'serialization') === 'json' ? 'json' : 'advanced';
      const { pid: started } = child as { pid: number };
      log.add({ record: 'child', pid: started, thread: 0, program: 'bun', serialization });
      channels.ports.know(child, starts.channelToChild(started, serialization, null), null);
    },
  });
}

/**
 * Counters of a thread of this process, made by the first caller, as memory that is the file: all threads of a process
 * map the files of threads that they post to, and counts stay when a thread or its process is killed. The file's blocks
 * are written before it is mapped: on a full disk, writing to memory without blocks ends the program.
 *
 * @returns null if files cannot be mapped (Windows) @throws if the folder cannot be written
 */
function mappedCounters(folder: string, of: number, self: number): Float64Array | null {
  if (mmap === undefined) return null;
  const path = `${folder}/${pid}-${of}.cnt`;
  const own = `${path}.${self}`;
  const empty = threads.withHeader(new kept.Doubles(THREAD_FIELDS), of, MAPPED, null);
  threads.withRoom(folder, () => writeFileSync(own, empty, { mode: 0o600 }));
  // It may be there.
  attempt(() => linkSync(own, path));
  unlinkSync(own);
  const bytes = mmap(path, { shared: true });
  return new kept.Doubles(bytes.buffer, bytes.byteOffset, THREAD_FIELDS);
}

/** This file, which all of the tap is bundled into. */
const OWN = __filename;
const NATIVE = '[native code]';
const INTERNAL = /^(?:internal:|bun:|native:|\[unknown\]|\[native code\])/;

/** A function that was called in tail position has taken the place of its caller. */
const { alone, frames } = log.stacks({
  // Up to Bun 1.3 the limit in force is not the limit that can be read.
  isLimited: false,
  fileOf(file, name) {
    // A Proxy is called by a frame of the engine's own.
    if (file === OWN || (file === NATIVE && name === null)) return null;
    return kept.matches(INTERNAL, file) ? `node:${file}` : file;
  },
});

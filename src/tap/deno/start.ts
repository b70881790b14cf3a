/**
 * Starts the recorder in a thread of Deno, before the program's own code: the main thread by `tap.cjs` in the folder of the
 * recording, workers by the code that they are started with.
 */

import { HEADER } from '../../core/recording/threads/counters.ts';
import { attempt } from '../../model/or-else.ts';
import { Ports, receiverIn } from '../channels/ports.ts';
import { postingTo } from '../channels/posting.ts';
import { cleaned } from '../channels/replace.ts';
import { channelToProcess } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { hideModules, module } from '../node/builtins.ts';
import { patchChildren } from '../node/children.ts';
import { TapOptions } from '../node/environment.ts';
import { atExit } from '../node/exit.ts';
import { writeCounters } from '../node/files.ts';
import { patchSend } from '../node/ipc.ts';
import { flushRegularly, named, threadRecorder, threadStarted, tryToStart } from '../node/thread.ts';
import { handedOver, ThreadMemory } from '../node/thread-memory.ts';
import { create, defineProperty, getPrototypeOf, now, startsWith } from '../realm/intrinsics.ts';
import { framesAbove, withStructured } from '../records/frames.ts';
import { recordParent, recordPosting, watchReceived } from './functions.ts';
import { patchWorkers } from './workers.ts';
import type { WorkerStart } from './wrapper.ts';

declare const Deno: { version: { deno: string } };

const { version } = Deno;

export const start = (folder: string, preload: string): void =>
  tryToStart(() => begin(folder, preload, null));

export const startWorker = (folder: string, preload: string, start: WorkerStart): void =>
  tryToStart(() => {
    if (start.address !== null) repairLocation(start.address);
    const { argv } = process;
    // A worker's file is the second argument of its process.
    if (start.kind === 'node' && start.address !== null && argv.length > 1)
      argv[1] = start.file ?? start.address;
    begin(folder, preload, start);
  });

function begin(folder: string, preload: string, worker: WorkerStart | null): void {
  const thread = worker?.thread ?? 0;
  const parent = worker?.parent ?? null;
  // Workers of node:worker_threads share the memory of the thread that starts them.
  const given = worker?.kind === 'node' ? handedOver() : null;
  const memory = new ThreadMemory(given?.memory);
  const seat = given?.seat ?? memory.reserve();
  const counters = named(memory.counters(seat), thread, worker === null || given !== null ? 1 : 0, parent);
  const write = () => {
    const changed = memory.changed();
    for (let i = 0; i < changed.length; i++) writeCounters(folder, changed[i]!);
  };
  const recorder = threadRecorder({
    ...{ folder, thread, counters },
    engine: () => (require('../look/v8.ts') as typeof import('../look/v8.ts')).denoEngine,
    alone: withStructured,
    own: {
      endsUnseen: worker !== null,
      frames: denoFrames,
      writeCounters: write,
      // The memory of a web worker goes with it.
      ...(worker?.kind === 'web' && { onCounted: withinShare(write) }),
    },
  });
  recorder.log.add(
    threadStarted({ name: 'deno', version: version.deno }, thread, parent, worker?.file ?? null),
  );
  recorder.log.flush();
  const ports = new Ports(counters);
  const posting = postingTo(recorder, cleaned);
  if (worker !== null) recordParent(worker, posting, counters);
  watchReceived(ports, worker === null ? null : receiverIn(counters, HEADER.downReceived));
  recordPosting(recorder, posting, ports);
  patchWorkers({ recorder, ports, memory, folder, preload, thread, address: worker?.address ?? null });
  patchChildren(recorder, new TapOptions(preload));
  // The process that started it knows more.
  if (worker === null) patchSend(recorder, process, channelToProcess('parent', 'process.send', null));
  // Not there before Deno 2.9.
  attempt(() => module.syncBuiltinESMExports());
  flushRegularly(recorder);
  flushAtEnd(recorder, () => memory.end(seat));
  hideModules(preload);
}

/** Those of Deno's own code are named as those of Node. */
const denoFrames = (caller: unknown) =>
  framesAbove(caller, (file) => (startsWith(file, 'ext:') ? `node:${file}` : file));

/** Does it as often as takes 2 % of the time. */
function withinShare(run: () => void): () => void {
  let next = 0;
  return () => {
    const from = now();
    if (from < next) return;
    run();
    const to = now();
    next = to + 50 * (to - from);
  };
}

/** The end of the program, of Deno.exit and of workers is an event of its own. */
function flushAtEnd({ log }: Recorder, ended: () => void): void {
  let isOver = false;
  const end = () => {
    if (!isOver) log.add({ record: 'end' });
    isOver = true;
    log.flush();
    ended();
  };
  atExit(end);
  (globalThis as typeof globalThis & EventTarget).addEventListener('unload', end);
}

/** Fields of an address. */
const FIELDS = [
  'href',
  'origin',
  'protocol',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** What a worker is told about its own address: that of the program's code, not of the code that starts it. */
function repairLocation(address: string): void {
  const { location: own } = globalThis as typeof globalThis & { location?: object };
  if (own === undefined || own === null) return;
  const url = new URL(address);
  const repaired = create(getPrototypeOf(own)) as object;
  const define = (key: string, value: unknown, enumerable: boolean) =>
    defineProperty(repaired, key, { value, enumerable, configurable: false, writable: false });
  for (let i = 0; i < FIELDS.length; i++) define(FIELDS[i]!, url[FIELDS[i]!], true);
  define('toString', () => url.href, false);
  defineProperty(globalThis, 'location', { configurable: true, enumerable: true, get: () => repaired });
}

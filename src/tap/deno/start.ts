/**
 * Starts the recorder in a thread of Deno, before the program's own code: the main thread by `tap.cjs` in the folder of the
 * recording, workers by the code that they are started with.
 */
import { types } from 'node:util';
import { COUNTERS_MAGIC, HEADER } from '../../core/recording/threads/counters.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { cleaned } from '../channels/clean-stack.ts';
import { PortChannels } from '../channels/port-channels.ts';
import { Posting } from '../channels/posting.ts';
import { Receipts } from '../channels/receipts.ts';
import { looking } from '../messages/looking.ts';
import { Recorder } from '../messages/recorder.ts';
import { hideModules, module } from '../node/builtins.ts';
import { patchChildren } from '../node/children.ts';
import { TapOptions } from '../node/environment.ts';
import { atExit } from '../node/exit.ts';
import { appendTo, packageVersion, readText, writeCounters } from '../node/files.ts';
import { patchSend } from '../node/ipc.ts';
import { handedOver, ThreadMemory } from '../node/thread-memory.ts';
import { unbound } from '../realm/intrinsics.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { withStructured } from '../records/frames.ts';
import { denoFrames } from './frames.ts';
import { recordParent, recordPosting } from './functions.ts';
import { repairArguments, repairLocation } from './location.ts';
import { watchReceived } from './receipts.ts';
import { type Seat, Workers } from './workers.ts';
import type { WorkerStart } from './wrapper.ts';

const FLUSH_MS = 100;

declare const Deno: { version: { deno: string } };

const { parse } = JSON;
const { pid } = process;
const { setInterval } = require('node:timers') as typeof import('node:timers');
const { version } = Deno;
const now = unbound(performance.now) as (self: unknown) => number;
const clock = performance;

export function start(folder: string, preload: string): void {
  try {
    begin(folder, preload, null);
  } catch {
    // The program runs without a recorder.
  }
}

export function startWorker(folder: string, preload: string, start: WorkerStart): void {
  try {
    if (start.address !== null) repairLocation(start.address);
    if (start.kind === 'node' && start.address !== null) repairArguments(start.file ?? start.address);
    begin(folder, preload, start);
  } catch {
    // The program runs without a recorder.
  }
}

function denoPlatform(
  folder: string,
  settings: TapSettings,
  worker: WorkerStart | null,
  write: () => void,
): TapPlatform {
  return {
    types,
    endsUnseen: worker !== null,
    now: () => now(clock),
    frames: denoFrames,
    originalPlace: (frame) => frame,
    packageVersion,
    ...looking({
      ...{ settings, types },
      engine: () => (require('../look/deno.ts') as typeof import('../look/deno.ts')).denoEngine,
      alone: withStructured,
    }),
    append: (lines) => appendTo(`${folder}/${pid}-${worker?.thread ?? 0}.ndjson`, lines),
    writeCounters: write,
    // The memory of a web worker goes with it.
    onCounted: worker?.kind === 'web' ? withinShare(write) : null,
  };
}

function begin(folder: string, preload: string, worker: WorkerStart | null): void {
  const settings = parse(readText(`${folder}/settings.json`)) as TapSettings;
  const { salt, startedAt } = settings;
  const thread = worker?.thread ?? 0;
  const { memory, seat, counters } = memoryOf(worker);
  const platform = denoPlatform(folder, settings, worker, () => {
    const changed = memory.changed();
    for (let i = 0; i < changed.length; i++) writeCounters(folder, changed[i]!);
  });
  const recorder = new Recorder({ platform, counters, salt, startedAt, threadAt: Date.now() });
  recorder.log.add({
    record: 'thread',
    ...{ pid, thread },
    parent: worker === null ? { pid: process.ppid, thread: 0 } : { pid, thread: worker.parent },
    runtime: { name: 'deno', version: version.deno },
    file: worker === null ? (process.argv[1] ?? null) : worker.file,
    at: Date.now(),
  });
  recorder.log.flush();
  const receipts = new Receipts(counters);
  const channels = new PortChannels(counters, receipts, null);
  const posting = new Posting(recorder, cleaned);
  if (worker !== null) recordParent(worker, posting, counters);
  watchReceived(receipts, worker === null ? null : { fields: counters, at: HEADER.downReceived, count: 0 });
  recordPosting({ recorder, posting, channels, receipts });
  const address = worker?.address ?? null;
  new Workers({ recorder, receipts, channels, memory, folder, preload, thread, address }).patch();
  patchChildren(recorder, new TapOptions(preload));
  if (worker === null)
    patchSend(recorder, process, { api: 'process.send', to: 'parent', queue: null, buckets: [] });
  syncExports();
  flushing(recorder, () => memory.end(seat));
  hideModules(preload);
}

/** Does it as often as takes 2 % of the time. */
function withinShare(run: () => void): () => void {
  let next = 0;
  return () => {
    const from = now(clock);
    if (from < next) return;
    run();
    const to = now(clock);
    next = to + 50 * (to - from);
  };
}

/** Workers of node:worker_threads share that of the thread that starts them. */
function memoryOf(worker: WorkerStart | null): {
  memory: ThreadMemory;
  seat: number;
  counters: Float64Array;
} {
  const given = worker?.kind === 'node' ? handedOver<Seat>() : null;
  const memory = new ThreadMemory(given?.memory);
  const seat = given?.seat ?? memory.reserve();
  const counters = memory.counters(seat);
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = pid;
  counters[HEADER.thread] = worker?.thread ?? 0;
  counters[HEADER.shared] = worker === null || given !== null ? 1 : 0;
  counters[HEADER.parentThread] = worker?.parent ?? -1;
  return { memory, seat, counters };
}

function syncExports(): void {
  try {
    module.syncBuiltinESMExports();
  } catch {
    // Not there before Deno 2.9.
  }
}

/** The end of the program, of Deno.exit and of workers is an event of its own. */
function flushing(recorder: Recorder, ended: () => void): void {
  setInterval(() => recorder.log.flush(), FLUSH_MS).unref();
  let isOver = false;
  const end = () => {
    if (!isOver) recorder.log.add({ record: 'end' });
    isOver = true;
    recorder.log.flush();
    ended();
  };
  atExit(end);
  (globalThis as typeof globalThis & EventTarget).addEventListener('unload', end);
}

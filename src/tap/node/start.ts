/**
 * Starts the recorder in a thread of Node, before the program's own code. `tap.cjs` in the folder of the recording calls
 * it with that folder, where also the settings are.
 */

import { types } from 'node:util';
import { isMainThread, threadId } from 'node:worker_threads';
import { COUNTERS_MAGIC, HEADER, progressOf } from '../../core/recording/threads/counters.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { looking } from '../messages/looking.ts';
import { Recorder } from '../messages/recorder.ts';
import { unbound } from '../realm/intrinsics.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { framesAbove, withStructured } from '../records/frames.ts';
import { hideModules, module } from './builtins.ts';
import { patchChildren } from './children.ts';
import { TapOptions } from './environment.ts';
import { atExit } from './exit.ts';
import { appendTo, packageVersion, readText, writeCounters } from './files.ts';
import { patchSend } from './ipc.ts';
import { originalPlace } from './original-place.ts';
import { Ports } from './ports.ts';
import { patchStructuredClone } from './structured-clone.ts';
import { type Handover, handedOver, ThreadMemory } from './thread-memory.ts';
import { knowParentPort, patchWorker } from './workers.ts';

const FLUSH_MS = 100;

const { parse } = JSON;
const now = unbound(performance.now) as (self: unknown) => number;
const clock = performance;

/** @param preload the file that NODE_OPTIONS names */
export function start(folder: string, preload: string): void {
  try {
    begin(folder, preload);
  } catch {
    // The program runs without a recorder.
  }
}

/** The counters of this thread, in the memory that all threads share where it has room. */
function countersFor(memory: ThreadMemory, handover: Handover | null) {
  const seat = handover === null ? memory.reserve() : handover.seat;
  const counters = seat < 0 ? new Float64Array(memory.counters(0).length) : memory.counters(seat);
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = process.pid;
  counters[HEADER.thread] = threadId;
  counters[HEADER.shared] = seat < 0 ? 0 : 1;
  counters[HEADER.parentThread] = handover?.parent ?? -1;
  return { seat, counters };
}

function nodePlatform(folder: string, settings: TapSettings, writeChanged: () => void): TapPlatform {
  const records = `${folder}/${process.pid}-${threadId}.ndjson`;
  return {
    types,
    endsUnseen: false,
    onCounted: null,
    now: () => now(clock),
    frames: framesAbove,
    originalPlace,
    packageVersion,
    ...looking({
      ...{ settings, types },
      engine: () => (require('../look/v8.ts') as typeof import('../look/v8.ts')).nodeEngine,
      alone: withStructured,
    }),
    append: (lines) => appendTo(records, lines),
    writeCounters: writeChanged,
  };
}

function begin(folder: string, preload: string): void {
  const settings = parse(readText(`${folder}/settings.json`)) as TapSettings;
  const handover = isMainThread ? null : handedOver<Handover>();
  const memory = new ThreadMemory(handover?.memory ?? undefined);
  const { seat, counters } = countersFor(memory, handover);
  const platform = nodePlatform(folder, settings, () => {
    const changed = memory.changed();
    if (seat < 0 && progressOf(counters) !== counters[HEADER.written]) changed[changed.length] = counters;
    for (let i = 0; i < changed.length; i++) writeCounters(folder, changed[i]!);
  });
  const { salt, startedAt } = settings;
  const recorder = new Recorder({ platform, counters, salt, startedAt, threadAt: Date.now() });
  const ports = new Ports(recorder, counters);
  recorder.log.add({
    record: 'thread',
    pid: process.pid,
    thread: threadId,
    parent:
      handover === null ? { pid: process.ppid, thread: 0 } : { pid: process.pid, thread: handover.parent },
    runtime: { name: 'node', version: process.versions.node },
    file: handover === null ? (process.argv[1] ?? null) : handover.file,
    at: Date.now(),
  });
  recorder.log.flush();
  const tapOptions = new TapOptions(preload);
  const tap = { recorder, ports, memory, counters, tapOptions };
  knowParentPort(tap);
  ports.patch();
  patchWorker(tap);
  patchStructuredClone(recorder);
  patchChildren(recorder, tapOptions);
  if (isMainThread)
    patchSend(recorder, process, { api: 'process.send', to: 'parent', queue: null, buckets: [] });
  module.syncBuiltinESMExports();
  setInterval(() => recorder.log.flush(), FLUSH_MS).unref();
  atExit(() => {
    recorder.log.end();
    memory.end(seat);
  });
  hideModules(preload);
}

/**
 * Starts the recorder in a thread of Bun, before the program's own code. `tap-bun.cjs` in the folder of the recording calls it
 * with that folder, where also the settings are.
 */

import { createRequire } from 'node:module';
import { types } from 'node:util';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { PortChannels } from '../channels/port-channels.ts';
import { Posting } from '../channels/posting.ts';
import { Receipts } from '../channels/receipts.ts';
import type { CountedChannel } from '../messages/channel.ts';
import { looking } from '../messages/looking.ts';
import { type Call, Recorder } from '../messages/recorder.ts';
import { TapOptions } from '../node/environment.ts';
import { appendTo, packageVersion, readText, writeCounters } from '../node/files.ts';
import { isInternal } from '../node/ipc.ts';
import { apply, unbound } from '../realm/intrinsics.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { WebWorker } from '../realm/web-globals.ts';
import { patchChildren } from './children.ts';
import { cleaned } from './clean-stack.ts';
import { bunFrames, withoutFormatter } from './frames.ts';
import { watchReceived } from './receipts.ts';
import { mappedCounters } from './thread-files.ts';
import { recordParentPort, workerThreads } from './worker-threads.ts';
import { Workers } from './workers.ts';

const FLUSH_MS = 100;

const { parse } = JSON;
const now = unbound(performance.now) as (self: unknown) => number;
const clock = performance;
const { pid } = process;

export function start(folder: string, preload: string): void {
  try {
    begin(folder, preload);
  } catch {
    // The program runs without a recorder.
  }
}

function begin(folder: string, preload: string): void {
  const { isMainThread, threadId: thread } = workerThreads;
  const settings = parse(readText(`${folder}/settings.json`)) as TapSettings;
  const { salt, startedAt } = settings;
  const counters = mappedCounters(folder, thread, thread) ?? countersOf(thread);
  const platform: TapPlatform = {
    types,
    endsUnseen: true,
    onCounted: null,
    now: () => now(clock),
    frames: bunFrames,
    originalPlace: (frame) => frame,
    packageVersion,
    ...looking({
      ...{ settings, types },
      engine: () => (require('../look/bun.ts') as typeof import('../look/bun.ts')).bunEngine,
      alone: withoutFormatter,
    }),
    append: (lines) => appendTo(`${folder}/${pid}-${thread}.ndjson`, lines),
    writeCounters() {
      if (counters[HEADER.shared] === 0) writeCounters(folder, counters);
    },
  };
  const recorder = new Recorder({ platform, counters, salt, startedAt, threadAt: Date.now() });
  const receipts = new Receipts(counters);
  const channels = new PortChannels(counters, receipts, bunFrames);
  const posting = new Posting(recorder, cleaned);
  if (isMainThread) recordMain(recorder, posting);
  else recordWorker(posting, channels, receipts, counters);
  watchReceived(receipts, isMainThread ? null : { fields: counters, at: HEADER.downReceived, count: 0 });
  recordPosting({ posting, channels, receipts });
  new Workers({ recorder, receipts, channels, folder, preload, thread }).patch();
  patchChildren(posting, new TapOptions(preload));
  recorder.log.flush();
  setInterval(() => recorder.log.flush(), FLUSH_MS).unref();
  hideTap(preload);
}

/** Where files cannot be mapped. */
function countersOf(thread: number): Float64Array {
  const counters = new Float64Array(THREAD_FIELDS);
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = pid;
  counters[HEADER.thread] = thread;
  counters[HEADER.parentThread] = -1;
  return counters;
}

/** Records the main thread. A worker is told the same by the thread that starts it. */
function recordMain(recorder: Recorder, posting: Posting): void {
  recorder.log.add({
    record: 'thread',
    ...{ pid, thread: 0, parent: { pid: process.ppid, thread: 0 } },
    runtime: { name: 'bun', version: process.versions.bun! },
    file: process.argv[1] ?? null,
    at: Date.now(),
  });
  const toParent: CountedChannel = { api: 'process.send', to: 'parent', queue: null, buckets: [] };
  posting.watch(process, 'send', {
    channelOf: (_process, _patch, message) => (isInternal(message) ? null : toParent),
  });
}

function recordWorker(
  posting: Posting,
  channels: PortChannels,
  receipts: Receipts,
  fields: Float64Array,
): void {
  const { parentPort } = workerThreads;
  const { upSent: sent, upReceived: received, upQueueMax: max } = HEADER;
  const queue = { fields, sent, received, max };
  const fromPort: CountedChannel = { api: 'parentPort.postMessage', to: 'parent', queue, buckets: [] };
  const fromSelf: CountedChannel = { api: 'self.postMessage', to: 'parent', queue, buckets: [] };
  recordParentPort((original) => posting.recording(original, 'postMessage', { channelOf: () => fromPort }));
  if (parentPort !== null) {
    channels.know(parentPort, fromPort);
    receipts.know(parentPort, { fields, at: HEADER.downReceived, count: 0 });
  }
  posting.watch(globalThis, 'postMessage', { channelOf: () => fromSelf });
}

interface Patches {
  posting: Posting;
  channels: PortChannels;
  receipts: Receipts;
}

function recordPosting({ posting, channels, receipts }: Patches): void {
  const clone: CountedChannel = { api: 'structuredClone', to: null, queue: null, buckets: [] };
  const news: CountedChannel = { api: 'BroadcastChannel.postMessage', to: null, queue: null, buckets: [] };
  const toWorker = (worker: object) => channels.known(worker) ?? null;
  posting.watch(globalThis, 'structuredClone', { channelOf: () => clone });
  posting.watch(BroadcastChannel.prototype, 'postMessage', { channelOf: () => news });
  posting.watch(MessagePort.prototype, 'postMessage', {
    channelOf: (port, patch) => channels.of(port, patch),
  });
  posting.watch(WebWorker.prototype, 'postMessage', { channelOf: toWorker });
  posting.watch(workerThreads.Worker.prototype, 'postMessage', { channelOf: toWorker });
  const { receiveMessageOnPort: original } = workerThreads;
  const { receiveMessageOnPort } = {
    receiveMessageOnPort(this: unknown, ...args: unknown[]): unknown {
      try {
        const result = apply(original as Call, this, args);
        if (result !== undefined) receipts.arrived(args[0] as object);
        return result;
      } catch (error) {
        throw cleaned(error);
      }
    },
  };
  (workerThreads as { receiveMessageOnPort: unknown }).receiveMessageOnPort = receiveMessageOnPort;
}

/** What the program can see of how it was started. */
function hideTap(tap: string): void {
  // Not the preload itself: Bun 1.2 does not start without it.
  delete createRequire(__filename).cache[__filename];
  const { execArgv } = process;
  for (let i = 0; i < execArgv.length; i++)
    if (execArgv[i] === `--preload=${tap}`) {
      execArgv.splice(i, 1);
      return;
    }
}

/**
 * Starts the recorder in a thread of Bun, before the program's own code. `tap-bun.cjs` in the folder of the recording calls it
 * with that folder, where also the settings are.
 */

import { createRequire } from 'node:module';
import { HEADER, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { Ports, receiverIn } from '../channels/ports.ts';
import { type Posting, postingTo } from '../channels/posting.ts';
import { WebWorker } from '../channels/workers.ts';
import { channelTo, channelToProcess, queueIn } from '../messages/channel.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import { TapOptions } from '../node/environment.ts';
import { writeCounters } from '../node/files.ts';
import { isInternal } from '../node/ipc.ts';
import { flushRegularly, named, threadRecorder, threadStarted, tryToStart } from '../node/thread.ts';
import { apply, startsWith } from '../realm/intrinsics.ts';
import { patchChildren } from './children.ts';
import { watchReceived } from './receipts.ts';
import { bunFrames, cleaned, withoutFormatter } from './stacks.ts';
import { mappedCounters } from './thread-files.ts';
import { recordParentPort, workerThreads } from './worker-threads.ts';
import { patchWorkers, RUNTIME } from './workers.ts';

export const start = (folder: string, preload: string): void => tryToStart(() => begin(folder, preload));

function begin(folder: string, preload: string): void {
  const { isMainThread, threadId: thread } = workerThreads;
  const counters =
    mappedCounters(folder, thread, thread) ?? named(new Float64Array(THREAD_FIELDS), thread, 0, null);
  const recorder = threadRecorder({
    ...{ folder, thread, counters },
    engine: () => (require('../look/bun.ts') as typeof import('../look/bun.ts')).bunEngine,
    alone: withoutFormatter,
    own: {
      endsUnseen: true,
      frames: bunFrames,
      writeCounters() {
        if (counters[HEADER.shared] === 0) writeCounters(folder, counters);
      },
    },
  });
  const ports = new Ports(counters, {
    opened: (patch, ofProgram) => (startsWith(bunFrames(patch)[0]?.file ?? '', 'node:') ? null : ofProgram),
  });
  const posting = postingTo(recorder, cleaned);
  if (isMainThread) recordMain(recorder, posting);
  else recordWorker(posting, ports, counters);
  watchReceived(ports, isMainThread ? null : receiverIn(counters, HEADER.downReceived));
  recordPosting(posting, ports);
  patchWorkers({ recorder, ports, folder, preload, thread });
  patchChildren(recorder, posting, new TapOptions(preload));
  recorder.log.flush();
  flushRegularly(recorder);
  hideTap(preload);
}

/** Records the main thread. A worker is told the same by the thread that starts it. */
function recordMain(recorder: Recorder, posting: Posting): void {
  recorder.log.add(threadStarted(RUNTIME, 0, null, null));
  // The process that started it knows more.
  const toParent = channelToProcess('parent', 'process.send', null);
  posting.watch(process, 'send', (_process, _patch, message) => (isInternal(message) ? null : toParent));
}

function recordWorker(posting: Posting, ports: Ports, counters: Float64Array): void {
  const { parentPort } = workerThreads;
  const queue = queueIn(counters, 'up');
  const fromPort = channelTo('parent', 'parentPort.postMessage', queue);
  const fromSelf = channelTo('parent', 'self.postMessage', queue);
  recordParentPort((original) => posting.recording(original, 'postMessage', () => fromPort));
  if (parentPort !== null) ports.know(parentPort, fromPort, receiverIn(counters, HEADER.downReceived));
  posting.watch(globalThis, 'postMessage', () => fromSelf);
}

function recordPosting(posting: Posting, ports: Ports): void {
  const clone = channelTo(null, 'structuredClone');
  const news = channelTo(null, 'BroadcastChannel.postMessage');
  const toWorker = (worker: object) => ports.known(worker) ?? null;
  posting.watch(globalThis, 'structuredClone', () => clone);
  posting.watch(BroadcastChannel.prototype, 'postMessage', () => news);
  posting.watch(MessagePort.prototype, 'postMessage', (port, patch) => ports.channelOf(port, patch));
  posting.watch(WebWorker.prototype, 'postMessage', toWorker);
  posting.watch(workerThreads.Worker.prototype, 'postMessage', toWorker);
  const { receiveMessageOnPort: original } = workerThreads;
  // By a literal name, which Bun prints.
  const { receiveMessageOnPort } = {
    receiveMessageOnPort(this: unknown, ...args: unknown[]): unknown {
      try {
        const result = apply(original as Call, this, args);
        if (result !== undefined) ports.arrived(args[0] as object);
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

/**
 * Starts the recorder in a thread of Node, before the program's own code. `tap.cjs` in the folder of the recording calls
 * it with that folder, where also the settings are.
 */

import { isMainThread, threadId } from 'node:worker_threads';
import { HEADER, progressOf, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { replace } from '../channels/replace.ts';
import { channelTo, channelToProcess } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply } from '../realm/intrinsics.ts';
import { framesAbove, withStructured } from '../records/frames.ts';
import { hideModules, module } from './builtins.ts';
import { patchChildren } from './children.ts';
import { TapOptions } from './environment.ts';
import { atExit } from './exit.ts';
import { writeCounters } from './files.ts';
import { patchSend, serializationOf } from './ipc.ts';
import { originalPlace } from './original-place.ts';
import { nodePorts, patchPorts } from './ports.ts';
import { flushRegularly, named, threadRecorder, threadStarted, tryToStart } from './thread.ts';
import { handedOver, ThreadMemory } from './thread-memory.ts';
import { knowParentPort, patchWorker } from './workers.ts';

/** @param preload the file that NODE_OPTIONS names */
export const start = (folder: string, preload: string): void => tryToStart(() => begin(folder, preload));

function begin(folder: string, preload: string): void {
  const handover = isMainThread ? null : handedOver();
  const parent = handover?.parent ?? null;
  const memory = new ThreadMemory(handover?.memory);
  const seat = handover === null ? memory.reserve() : handover.seat;
  // In the memory that all threads share where it has room.
  const own = seat < 0 ? new Float64Array(THREAD_FIELDS) : memory.counters(seat);
  const counters = named(own, threadId, seat < 0 ? 0 : 1, parent);
  const recorder = threadRecorder({
    ...{ folder, thread: threadId, counters },
    engine: () => (require('../look/v8.ts') as typeof import('../look/v8.ts')).nodeEngine,
    alone: withStructured,
    own: {
      frames: framesAbove,
      originalPlace,
      writeCounters() {
        const changed = memory.changed();
        if (seat < 0 && progressOf(counters) !== counters[HEADER.written]) changed[changed.length] = counters;
        for (let i = 0; i < changed.length; i++) writeCounters(folder, changed[i]!);
      },
    },
  });
  const runtime = { name: 'node', version: process.versions.node } as const;
  recorder.log.add(threadStarted(runtime, threadId, parent, handover?.file ?? null));
  recorder.log.flush();
  const ports = nodePorts(counters);
  const tapOptions = new TapOptions(preload);
  knowParentPort(ports, counters);
  patchPorts(ports, recorder, counters);
  patchWorker(recorder, ports, memory, tapOptions);
  patchStructuredClone(recorder);
  patchChildren(recorder, tapOptions);
  if (isMainThread)
    patchSend(recorder, process, channelToProcess('parent', 'process.send', serializationOf(process)));
  module.syncBuiltinESMExports();
  flushRegularly(recorder);
  atExit(() => {
    recorder.log.end();
    memory.end(seat);
  });
  hideModules(preload);
}

function patchStructuredClone(recorder: Recorder): void {
  const channel = channelTo(null, 'structuredClone');
  replace(globalThis, 'structuredClone', (original, receiver, args, patch) =>
    recorder.isLooking
      ? apply(original, receiver, args)
      : recorder.post(channel, receiver, args, original, patch),
  );
}

/** Workers: each gets a seat in the memory of counters, and the tap where it has an environment of its own. */
import type { Worker as WorkerThread } from 'node:worker_threads';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { NOWHERE, type Ports, receiverIn } from '../channels/ports.ts';
import { cleaned } from '../channels/replace.ts';
import { fileOf, replaceWorker, workerChannels } from '../channels/workers.ts';
import { channelTo, queueIn } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { construct, dataOf, ownKeys } from '../realm/intrinsics.ts';
import { workerThreads } from './builtins.ts';
import type { TapOptions } from './environment.ts';
import { type ThreadMemory, withSeat } from './thread-memory.ts';

const { threadId, parentPort, Worker } = workerThreads;

/** The end of the channel to the thread that started this one. */
export function knowParentPort(ports: Ports, counters: Float64Array): void {
  if (parentPort === null) return;
  const channel = channelTo('parent', 'parentPort.postMessage', queueIn(counters, 'up'));
  ports.know(parentPort, channel, receiverIn(counters, HEADER.downReceived));
}

export function patchWorker(
  recorder: Recorder,
  ports: Ports,
  memory: ThreadMemory,
  tapOptions: TapOptions,
): void {
  const channels = workerChannels(recorder, ports);
  const know = (worker: WorkerThread, file: string | null, seat: number): void => {
    recorder.log.add({ record: 'child', pid: process.pid, thread: worker.threadId, program: 'worker' });
    const keys = ownKeys(worker);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const port = typeof key === 'symbol' ? dataOf(worker, key) : null;
      if (typeof key !== 'symbol' || typeof port !== 'object' || port === null) continue;
      if (key.description === 'kPort') ports.know(port, null, NOWHERE);
      if (key.description !== 'kPublicPort') continue;
      channels.know(port, file, seat < 0 ? null : memory.counters(seat));
    }
  };
  replaceWorker(workerThreads, Worker, cleaned, (given, newTarget, patch) => {
    const file = fileOf(given[0], given[1]);
    const args: unknown[] = [];
    for (let i = 0; i < given.length; i++) args[i] = i === 1 ? tapOptions.intoOptions(given[i]) : given[i];
    const handover = (seat: number) => ({ memory: memory.memory, seat, parent: threadId, file });
    return withSeat(memory, handover, (seat) => {
      const worker = channels.started(file, given[1], patch, () =>
        construct(Worker, args as never, newTarget as typeof Worker),
      );
      know(worker, file, seat);
      channels.recordData(file, given[1], patch);
      return worker;
    });
  });
}

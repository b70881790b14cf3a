/** Workers: each gets a seat in the memory of counters, and the tap where it has an environment of its own. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import type { Worker as WorkerThread } from 'node:worker_threads';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { cleaned } from '../channels/clean-stack.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { construct, create, dataOf, getPrototypeOf, ownKeys, startsWith } from '../realm/intrinsics.ts';
import type { Bucket } from '../records/bucket.ts';
import { workerThreads } from './builtins.ts';
import type { TapOptions } from './environment.ts';
import type { Ports } from './ports.ts';
import { type Handover, handOver, type ThreadMemory } from './thread-memory.ts';

const { threadId, parentPort } = workerThreads;

const urlPrototype = URL.prototype;

/** File of a worker; null for code given as text. */
function workerFile(args: ArrayLike<unknown>): string | null {
  const given = args[0];
  const options = args[1];
  const isUrl = typeof given === 'object' && given !== null && !types.isProxy(given);
  if (isUrl && getPrototypeOf(given) === urlPrototype) return fileOfUrl(given as URL);
  if (typeof given !== 'string' || startsWith(given, 'data:')) return null;
  const readable = typeof options === 'object' && options !== null && !types.isProxy(options);
  return readable && dataOf(options, 'eval') === true ? null : resolve(given);
}

function fileOfUrl(url: URL): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

interface Tap {
  recorder: Recorder;
  ports: Ports;
  memory: ThreadMemory;
  counters: Float64Array;
  tapOptions: TapOptions;
}

/** The ends of the channel between a worker and the thread that started it. */
export function knowParentPort({ ports, counters }: Tap): void {
  if (parentPort === null) return;
  const queue = {
    fields: counters,
    sent: HEADER.upSent,
    received: HEADER.upReceived,
    max: HEADER.upQueueMax,
  };
  ports.know(
    parentPort,
    { api: 'parentPort.postMessage', to: 'parent', queue, buckets: [] },
    { fields: counters, at: HEADER.downReceived, odd: false },
  );
}

/** Workers of one file share their classes of messages. */
const classesOf = create(null) as Record<string, Bucket[]>;

function knowWorker({ ports, memory, recorder }: Tap, worker: WorkerThread, seat: number, to: string): void {
  recorder.log.add({ record: 'child', pid: process.pid, thread: worker.threadId, program: 'worker' });
  const keys = ownKeys(worker);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key !== 'symbol') continue;
    const port = dataOf(worker, key);
    if (typeof port !== 'object' || port === null) continue;
    if (key.description === 'kPort') ports.know(port, null, { fields: null, at: 0, odd: false });
    if (key.description !== 'kPublicPort') continue;
    const fields = seat < 0 ? null : memory.counters(seat);
    const { downSent: sent, downReceived: received, downQueueMax: max } = HEADER;
    classesOf[to] ??= [];
    ports.know(
      port,
      {
        api: 'Worker.postMessage',
        to,
        queue: fields && { fields, sent, received, max },
        buckets: classesOf[to],
      },
      { fields, at: HEADER.upReceived, odd: false },
    );
  }
}

export function patchWorker(tap: Tap): void {
  const { Worker } = workerThreads;
  const workerData = create(null) as Record<string, Bucket[]>;
  const handler = {
    construct(target: typeof Worker, given: unknown[], newTarget: typeof Worker): object {
      const file = workerFile(given);
      const args: unknown[] = [];
      for (let i = 0; i < given.length; i++)
        args[i] = i === 1 ? tap.tapOptions.intoOptions(given[i]) : given[i];
      const seat = tap.memory.reserve();
      const data: Handover = { memory: tap.memory.memory, seat, parent: threadId, file };
      handOver(data);
      try {
        // With the Proxy as new.target the engine would call it an EventEmitter in stacks.
        const worker = construct(target, args, newTarget === watched ? target : newTarget) as WorkerThread;
        const to = `worker ${file ?? ''}`;
        knowWorker(tap, worker, seat, to);
        workerData[to] ??= [];
        recordData(
          tap,
          given[1],
          { api: 'workerData', to, queue: null, buckets: workerData[to] },
          handler.construct,
        );
        return worker;
      } catch (error) {
        tap.memory.end(seat);
        throw cleaned(error, handler.construct);
      } finally {
        handOver(null);
      }
    },
  };
  // Its prototype keeps its constructor: stacks name the class of a receiver by it, and know no Proxy.
  const watched = new Proxy(Worker, handler as ProxyHandler<typeof Worker>);
  (workerThreads as { Worker: typeof Worker }).Worker = watched;
}

/** Node posts it to the worker while that is constructed. */
function recordData({ recorder }: Tap, options: unknown, channel: CountedChannel, patch: unknown): void {
  if (typeof options !== 'object' || options === null || types.isProxy(options)) return;
  const data = dataOf(options, 'workerData');
  if (data !== undefined) recorder.tell(channel, data, dataOf(options, 'transferList'), patch);
}

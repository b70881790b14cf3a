/** Workers: each gets a seat in the memory of counters, and the tap where it has an environment of its own. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import type { Worker as WorkerThread } from 'node:worker_threads';
import { HEADER } from '../../core/recording/counters.ts';
import { construct, dataOf, getPrototypeOf, ownKeys, startsWith } from '../intrinsics.ts';
import type { Recorder } from '../recorder.ts';
import { workerThreads } from './builtins.ts';
import { cleaned } from './clean-stack.ts';
import type { Ports } from './ports.ts';
import type { Handover, ThreadMemory } from './thread-memory.ts';

const { getEnvironmentData, setEnvironmentData, threadId, parentPort } = workerThreads;

/** Present only while a worker is being started, and in it before its own code runs. */
const HANDOVER = 'clone-prof: thread';

export function handedOver(): Handover | null {
  const given = getEnvironmentData(HANDOVER) as unknown as Handover | undefined;
  setEnvironmentData(HANDOVER, undefined as never);
  return given ?? null;
}

const urlPrototype = URL.prototype;

/** Of a worker; null for code given as text. */
function fileOf(args: ArrayLike<unknown>): string | null {
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

function knowWorker({ ports, memory }: Tap, worker: WorkerThread, seat: number): void {
  const keys = ownKeys(worker);
  const to = `thread ${worker.threadId}`;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key !== 'symbol') continue;
    const port = dataOf(worker, key);
    if (key.description === 'kPort') ports.know(port as object, null, { fields: null, at: 0, odd: false });
    if (key.description !== 'kPublicPort') continue;
    const fields = seat < 0 ? null : memory.counters(seat);
    const queue = fields && {
      fields,
      sent: HEADER.downSent,
      received: HEADER.downReceived,
      max: HEADER.downQueueMax,
    };
    ports.know(
      port as object,
      { api: 'Worker.postMessage', to, queue, buckets: [] },
      { fields, at: HEADER.upReceived, odd: false },
    );
  }
}

export function patchWorker(tap: Tap): void {
  const { Worker } = workerThreads;
  const handler: ProxyHandler<typeof Worker> = {
    construct(target, args, newTarget) {
      const seat = tap.memory.reserve();
      const given: Handover = { memory: tap.memory.memory, seat, parent: threadId, file: fileOf(args) };
      setEnvironmentData(HANDOVER, given as never);
      try {
        const worker = construct(target, args, newTarget) as WorkerThread;
        knowWorker(tap, worker, seat);
        return worker;
      } catch (error) {
        tap.memory.end(seat);
        throw cleaned(error, handler.construct);
      } finally {
        setEnvironmentData(HANDOVER, undefined as never);
      }
    },
  };
  const watched = new Proxy(Worker, handler);
  Worker.prototype.constructor = watched;
  (workerThreads as { Worker: typeof Worker }).Worker = watched;
}

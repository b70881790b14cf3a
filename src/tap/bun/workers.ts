/** Workers of both kinds: each gets the tap as its first preload, and is known by its thread id. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { NOWHERE, type Ports } from '../channels/ports.ts';
import {
  fileOf,
  isReadable,
  replaceWorker,
  WebWorker,
  type WorkerChannels,
  type WorkerClass,
  workerChannels,
} from '../channels/workers.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import { withProperty } from '../node/environment.ts';
import { appendTo } from '../node/files.ts';
import { threadStarted } from '../node/thread.ts';
import {
  apply,
  construct,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
} from '../realm/intrinsics.ts';
import { recordText } from '../records/record-text.ts';
import { cleaned } from './stacks.ts';
import { mappedCounters } from './thread-files.ts';
import { workerThreads } from './worker-threads.ts';

interface WorkersOptions {
  recorder: Recorder;
  ports: Ports;
  folder: string;
  preload: string;
  /** Number of this thread. */
  thread: number;
}

interface AnyWorker {
  threadId: number;
}

export const RUNTIME = { name: 'bun', version: process.versions.bun! } as const;

const webWorker = WebWorker.prototype;
const messagePort = MessagePort.prototype as object;

export function patchWorkers(options: WorkersOptions): void {
  const channels = workerChannels(options.recorder, options.ports);
  for (const [owner, Class] of [
    [globalThis, WebWorker],
    [workerThreads, workerThreads.Worker],
  ] as const) {
    const start = (given: readonly unknown[], newTarget: WorkerClass, patch: unknown): object => {
      const args: unknown[] = [];
      for (let i = 0; i < given.length; i++) args[i] = given[i];
      if (args.length > 0) args[1] = withTap(given[1], options);
      const make = () => construct(Class, args as never, newTarget) as AnyWorker;
      const { worker, inner } = listenedTo(() =>
        channels.started(fileOf(given[0], given[1]), given[1], patch, make),
      );
      try {
        started(worker, inner, given, patch, options, channels);
      } catch {
        options.recorder.log.failed();
      }
      return worker;
    };
    const watched = replaceWorker(owner, Class, cleaned, start, {
      apply(target: WorkerClass, self: unknown, given: unknown[]): unknown {
        try {
          return apply(target as WorkerClass & Call, self, given);
        } catch (error) {
          throw cleaned(error);
        }
      },
    });
    const { prototype } = Class as { prototype: object };
    const found = getOwnPropertyDescriptor(prototype, 'constructor')!;
    defineProperty(prototype, 'constructor', { ...found, value: watched });
  }
}

/** Options with the tap before the program's own preloads. */
function withTap(options: unknown, { preload: tap, recorder }: WorkersOptions): unknown {
  if (options === undefined || options === null) return { preload: [tap] };
  if (!isReadable(options)) {
    recorder.log.gap('a worker whose options cannot be read');
    return options;
  }
  const own = dataOf(options, 'preload');
  const preload: unknown[] = [tap];
  if (isArray(own)) for (let i = 0; i < own.length; i++) preload[i + 1] = dataOf(own, `${i}`);
  else if (typeof own === 'string') preload[1] = own;
  return withProperty(options, 'preload', preload);
}

/** @param inner what Bun's own code posts on and listens to for this worker */
function started(
  worker: AnyWorker,
  inner: Inner,
  given: readonly unknown[],
  patch: unknown,
  { ports, folder, thread }: WorkersOptions,
  channels: WorkerChannels,
): void {
  const { threadId } = worker;
  const file = fileOf(given[0], given[1]);
  const record = recordText(threadStarted(RUNTIME, threadId, thread, file));
  appendTo(folder, threadId, `${record}\n`);
  const fields = mappedCounters(folder, threadId, thread);
  if (fields !== null) fields[HEADER.parentThread] = thread;
  const fromWorker = channels.know(worker, file, fields);
  for (let i = 0; i < inner.ports.length; i++)
    ports.receive(inner.ports[i]!, i === inner.ports.length - 1 ? fromWorker : NOWHERE);
  if (inner.worker !== null) ports.receive(inner.worker, fromWorker);
  channels.recordData(file, given[1], patch);
}

interface Inner {
  worker: object | null;
  /** The last is that of the program's messages. */
  ports: object[];
}

/**
 * What the constructor of a worker of node:worker_threads listens to: a web worker, and from Bun 1.4 on ports. It asks each for
 * addEventListener.
 */
function listenedTo(start: () => AnyWorker): { worker: AnyWorker; inner: Inner } {
  const inner: Inner = { worker: null, ports: [] };
  const { prototype } = EventTarget;
  const found = getOwnPropertyDescriptor(prototype, 'addEventListener');
  if (found === undefined || !found.configurable || typeof found.value !== 'function')
    return { worker: start(), inner };
  const { value } = found;
  defineProperty(prototype, 'addEventListener', {
    configurable: true,
    enumerable: true,
    get(this: object) {
      const own = getPrototypeOf(this);
      if (own === webWorker) inner.worker = this;
      else if (own === messagePort && inner.ports[inner.ports.length - 1] !== this)
        inner.ports[inner.ports.length] = this;
      return value as unknown;
    },
  });
  try {
    return { worker: start(), inner };
  } finally {
    defineProperty(prototype, 'addEventListener', found);
  }
}

/** Workers of both kinds: each gets the tap as its first preload, and is known by its thread id. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import type { PortChannels } from '../channels/port-channels.ts';
import { NOWHERE, type Receipts } from '../channels/receipts.ts';
import { fileOf, isReadable } from '../channels/worker-file.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Call, Recorder } from '../messages/recorder.ts';
import { withProperty } from '../node/environment.ts';
import { appendTo } from '../node/files.ts';
import {
  apply,
  construct,
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
} from '../realm/intrinsics.ts';
import { WebWorker, type WorkerClass } from '../realm/web-globals.ts';
import type { Bucket } from '../records/bucket.ts';
import { recordText } from '../records/record-text.ts';
import { cleaned } from './clean-stack.ts';
import { mappedCounters } from './thread-files.ts';
import { workerThreads } from './worker-threads.ts';

export interface WorkersOptions {
  recorder: Recorder;
  receipts: Receipts;
  /** Channels of workers and ports. */
  channels: PortChannels;
  folder: string;
  preload: string;
  /** Number of this thread. */
  thread: number;
}

interface AnyWorker {
  threadId: number;
}

const { pid } = process;
const { now } = Date;
const webWorker = WebWorker.prototype;
const messagePort = MessagePort.prototype as object;

export class Workers {
  readonly #options: WorkersOptions;
  /** Workers of one file share their classes of messages. */
  readonly #classes = create(null) as Record<string, Bucket[]>;
  readonly #dataClasses = create(null) as Record<string, Bucket[]>;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  patch(): void {
    this.#patch(globalThis, WebWorker);
    this.#patch(workerThreads, workerThreads.Worker);
  }

  #patch(owner: object, Class: WorkerClass): void {
    const run = (given: readonly unknown[], newTarget: WorkerClass) =>
      this.#construct(Class, given, newTarget, handler.construct);
    const handler = {
      construct(_target: WorkerClass, given: unknown[], newTarget: WorkerClass): object {
        try {
          // An object of the class itself: by a Proxy the engine names its objects after the class below.
          return run(given, newTarget === watched ? Class : newTarget);
        } catch (error) {
          throw cleaned(error);
        }
      },
      apply(target: WorkerClass, self: unknown, given: unknown[]): unknown {
        try {
          return apply(target as WorkerClass & Call, self, given);
        } catch (error) {
          throw cleaned(error);
        }
      },
    };
    const watched = new Proxy(Class, handler as ProxyHandler<WorkerClass>);
    defineProperty(owner, 'Worker', { ...getOwnPropertyDescriptor(owner, 'Worker')!, value: watched });
    const { prototype } = Class as { prototype: object };
    defineProperty(prototype, 'constructor', {
      ...getOwnPropertyDescriptor(prototype, 'constructor')!,
      value: watched,
    });
  }

  #construct(Class: WorkerClass, given: readonly unknown[], newTarget: WorkerClass, patch: unknown): object {
    const args: unknown[] = [];
    for (let i = 0; i < given.length; i++) args[i] = given[i];
    if (args.length > 0) args[1] = this.#withTap(given[1]);
    const { worker, inner } = listenedTo(() => construct(Class, args, newTarget) as AnyWorker);
    try {
      this.#started(worker, inner, given, patch);
    } catch {
      this.#options.recorder.log.failed();
    }
    return worker;
  }

  /** Options with the tap before the program's own preloads. */
  #withTap(options: unknown): unknown {
    if (options === undefined || options === null) return { preload: [this.#options.preload] };
    if (!isReadable(options)) {
      this.#options.recorder.log.add({ record: 'gap', what: 'a worker whose options cannot be read' });
      return options;
    }
    const own = dataOf(options, 'preload');
    const preload: unknown[] = [this.#options.preload];
    if (isArray(own)) for (let i = 0; i < own.length; i++) preload[i + 1] = dataOf(own, `${i}`);
    else if (typeof own === 'string') preload[1] = own;
    return withProperty(options, 'preload', preload);
  }

  /** @param inner what Bun's own code posts on and listens to for this worker */
  #started(worker: AnyWorker, inner: Inner, given: readonly unknown[], patch: unknown): void {
    const { receipts, channels, folder, thread } = this.#options;
    const { threadId } = worker;
    const file = fileOf(given[0], given[1]);
    const to = `worker ${file ?? ''}`;
    appendTo(
      `${folder}/${pid}-${threadId}.ndjson`,
      `${recordText({
        record: 'thread',
        pid,
        thread: threadId,
        parent: { pid, thread },
        runtime: { name: 'bun', version: process.versions.bun },
        file,
        at: now(),
      })}\n`,
    );
    const fields = mappedCounters(folder, threadId, thread);
    if (fields !== null) fields[HEADER.parentThread] = thread;
    const { downSent: sent, downReceived: received, downQueueMax: max } = HEADER;
    this.#classes[to] ??= [];
    const queue = fields && { fields, sent, received, max };
    channels.know(worker, { api: 'Worker.postMessage', to, queue, buckets: this.#classes[to] });
    const fromWorker = { fields, at: HEADER.upReceived, count: 0 };
    receipts.know(worker, fromWorker);
    const { ports, worker: innerWorker } = inner;
    for (let i = 0; i < ports.length; i++)
      receipts.know(ports[i]!, i === ports.length - 1 ? fromWorker : NOWHERE);
    if (innerWorker !== null) receipts.know(innerWorker, fromWorker);
    this.#dataClasses[to] ??= [];
    this.#recordData(given[1], { api: 'workerData', to, queue: null, buckets: this.#dataClasses[to] }, patch);
  }

  /** Bun posts it to the worker while that is constructed. */
  #recordData(options: unknown, channel: CountedChannel, patch: unknown): void {
    if (!isReadable(options)) return;
    const data = dataOf(options, 'workerData');
    if (data === undefined) return;
    this.#options.recorder.tell(channel, data, dataOf(options, 'transferList'), patch);
  }
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

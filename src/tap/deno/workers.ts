/** Workers of both kinds: each is started by code that starts its tap first. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { cleaned } from '../channels/clean-stack.ts';
import type { PortChannels } from '../channels/port-channels.ts';
import type { Receipts } from '../channels/receipts.ts';
import { addressOf, fileOf, isReadable } from '../channels/worker-file.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { workerThreads } from '../node/builtins.ts';
import { handOver, type ThreadMemory } from '../node/thread-memory.ts';
import {
  construct,
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  startsWith,
} from '../realm/intrinsics.ts';
import { WebWorker, type WorkerClass } from '../realm/web-globals.ts';
import type { Bucket } from '../records/bucket.ts';
import { isAbsolute, moduleWith, scriptWith, textWith, type WorkerStart } from './wrapper.ts';

export interface WorkersOptions {
  recorder: Recorder;
  receipts: Receipts;
  channels: PortChannels;
  memory: ThreadMemory;
  folder: string;
  preload: string;
  thread: number;
  /** Address of this worker; relative addresses of its own workers are resolved by it. */
  address: string | null;
}

/** What a worker of node:worker_threads gets beside its text. */
export interface Seat {
  memory: SharedArrayBuffer;
  seat: number;
}

/** Numbers of threads: each has room for those that it starts. */
const CHILDREN = 65_536;
const Url = URL;

type WorkerKind = WorkerStart['kind'];

export class Workers {
  readonly #options: WorkersOptions;
  readonly #classes = create(null) as Record<string, Bucket[]>;
  readonly #dataClasses = create(null) as Record<string, Bucket[]>;
  #started = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  patch(): void {
    this.#patch(globalThis, WebWorker, 'web');
    this.#patch(workerThreads, workerThreads.Worker, 'node');
  }

  #patch(owner: object, Class: WorkerClass, kind: WorkerKind): void {
    const run = (given: readonly unknown[], newTarget: WorkerClass) =>
      this.#construct(Class, kind, given, newTarget, handler.construct);
    const handler = {
      construct(_target: WorkerClass, given: unknown[], newTarget: WorkerClass): object {
        try {
          // An object of the class itself: by a Proxy the engine names its objects after the class below.
          return run(given, newTarget === watched ? Class : newTarget);
        } catch (error) {
          throw cleaned(error, handler.construct);
        }
      },
    };
    // The prototype keeps its constructor: stacks name the class of a receiver by it, and know no Proxy.
    const watched = new Proxy(Class, handler as ProxyHandler<WorkerClass>);
    defineProperty(owner, 'Worker', { ...getOwnPropertyDescriptor(owner, 'Worker')!, value: watched });
  }

  #construct(
    Class: WorkerClass,
    kind: WorkerKind,
    given: readonly unknown[],
    newTarget: WorkerClass,
    patch: unknown,
  ): object {
    const { memory } = this.#options;
    const start = this.#start(kind, given);
    const args = start === null ? null : this.#wrapped(start, given);
    if (start === null || args === null) {
      const worker = construct(Class, given as never, newTarget);
      this.#options.recorder.log.add({
        record: 'gap',
        what: 'a worker that the recorder could not be put into',
      });
      this.#know(worker, null, -1);
      return worker;
    }
    const seat = kind === 'node' ? memory.reserve() : -1;
    if (seat >= 0) handOver({ memory: memory.memory, seat });
    try {
      const worker = construct(Class, args as never, newTarget);
      this.#know(worker, start.file, seat);
      this.#recordData(start.file, given[1], patch);
      return worker;
    } catch (error) {
      memory.end(seat);
      throw error;
    } finally {
      if (seat >= 0) handOver(null);
    }
  }

  #start(kind: WorkerKind, given: readonly unknown[]): WorkerStart | null {
    const { thread: parent, address: base } = this.#options;
    const thread = (parent + 1) * CHILDREN + ++this.#started;
    const options = given[1];
    const readable = options === undefined || options === null || isReadable(options);
    if (!readable || this.#started >= CHILDREN || !Number.isSafeInteger(thread)) return null;
    const isText = kind === 'node' && isReadable(options) && dataOf(options, 'eval') === true;
    const address = isText ? null : absolute(kind, given[0], base);
    if (!isText && address === null) return null;
    return { thread, parent, kind, address, file: fileOf(address ?? '', isText ? options : undefined) };
  }

  /** The program's arguments with our start; null where that cannot be. */
  #wrapped(start: WorkerStart, given: readonly unknown[]): unknown[] | null {
    const { folder, preload } = this.#options;
    const taps = { folder, preload };
    const { kind, address } = start;
    const options = given[1];
    const args: unknown[] = [];
    for (let i = 0; i < given.length; i++) args[i] = given[i];
    if (address === null) {
      if (typeof given[0] !== 'string') return null;
      args[0] = textWith(taps, start, given[0]);
    } else if (kind === 'node') args[0] = new Url(moduleWith(taps, start, address));
    else {
      // A worker with permissions of its own may neither read nor write.
      if (isReadable(options) && dataOf(options, 'deno') !== undefined) return null;
      const type = isReadable(options) ? (dataOf(options, 'type') ?? 'classic') : 'classic';
      if (type !== 'classic' && type !== 'module') return null;
      args[0] = type === 'module' ? moduleWith(taps, start, address) : scriptWith(taps, start, address);
    }
    return args;
  }

  #know(worker: object, file: string | null, seat: number): void {
    try {
      const { receipts, channels, memory } = this.#options;
      const to = `worker ${file ?? ''}`;
      const fields = seat < 0 ? null : memory.counters(seat);
      const { downSent: sent, downReceived: received, downQueueMax: max } = HEADER;
      this.#classes[to] ??= [];
      const queue = fields && { fields, sent, received, max };
      channels.know(worker, { api: 'Worker.postMessage', to, queue, buckets: this.#classes[to] });
      receipts.know(worker, { fields, at: HEADER.upReceived, count: 0 });
    } catch {
      this.#options.recorder.log.failed();
    }
  }

  #recordData(file: string | null, options: unknown, patch: unknown): void {
    if (!isReadable(options)) return;
    const data = dataOf(options, 'workerData');
    if (data === undefined) return;
    const to = `worker ${file ?? ''}`;
    this.#dataClasses[to] ??= [];
    const channel: CountedChannel = { api: 'workerData', to, queue: null, buckets: this.#dataClasses[to] };
    this.#options.recorder.tell(channel, data, dataOf(options, 'transferList'), patch);
  }
}

/** The address that Deno would load; null where the tap cannot tell, or Deno refuses it. */
function absolute(kind: WorkerKind, given: unknown, base: string | null): string | null {
  const address = addressOf(given);
  if (address === null) return null;
  if (kind === 'node' && typeof given === 'string') {
    const isPath = startsWith(given, '/') || startsWith(given, './') || startsWith(given, '../');
    return isPath ? pathToFileURL(resolve(given)).href : null;
  }
  if (kind === 'node') return startsWith(address, 'file:') || startsWith(address, 'data:') ? address : null;
  if (isAbsolute(address)) return address;
  return base === null ? null : new Url(address, base).href;
}

/** Workers of both kinds: each is started by code that starts its tap first. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ports } from '../channels/ports.ts';
import { cleaned } from '../channels/replace.ts';
import {
  addressOf,
  fileOf,
  isReadable,
  replaceWorker,
  WebWorker,
  type WorkerClass,
  workerChannels,
} from '../channels/workers.ts';
import type { Recorder } from '../messages/recorder.ts';
import { workerThreads } from '../node/builtins.ts';
import { type ThreadMemory, withSeat } from '../node/thread-memory.ts';
import { construct, dataOf, startsWith } from '../realm/intrinsics.ts';
import { isAbsolute, moduleWith, scriptWith, textWith, type WorkerStart } from './wrapper.ts';

interface WorkersOptions {
  recorder: Recorder;
  ports: Ports;
  memory: ThreadMemory;
  folder: string;
  preload: string;
  thread: number;
  /** Address of this worker; relative addresses of its own workers are resolved by it. */
  address: string | null;
}

/** Numbers of threads: each has room for those that it starts. */
const CHILDREN = 65_536;
const Url = URL;

type WorkerKind = WorkerStart['kind'];
type Given = readonly unknown[];

export function patchWorkers(options: WorkersOptions): void {
  const { recorder, ports, memory } = options;
  const channels = workerChannels(recorder, ports);
  const know = (worker: object, file: string | null, seat: number): void => {
    try {
      channels.know(worker, file, seat < 0 ? null : memory.counters(seat));
    } catch {
      recorder.log.failed();
    }
  };
  let started = 0;
  const make = (
    Class: WorkerClass,
    kind: WorkerKind,
    given: Given,
    newTarget: WorkerClass,
    patch: unknown,
  ) => {
    const start = workerStart(kind, given, options, ++started);
    const args = start && wrapped(start, given, options);
    if (start === null || args === null) {
      const worker = construct(Class, given as never, newTarget);
      recorder.log.gap('a worker that the recorder could not be put into');
      know(worker, null, -1);
      return worker;
    }
    const { parent, file } = start;
    const run = (seat: number) => {
      const worker = channels.started(file, given[1], patch, () =>
        construct(Class, args as never, newTarget),
      );
      know(worker, file, seat);
      channels.recordData(file, given[1], patch);
      return worker;
    };
    if (kind === 'web') return run(-1);
    return withSeat(memory, (seat) => (seat < 0 ? null : { memory: memory.memory, seat, parent, file }), run);
  };
  for (const [owner, Class, kind] of [
    [globalThis, WebWorker, 'web'],
    [workerThreads, workerThreads.Worker, 'node'],
  ] as const)
    replaceWorker(owner, Class, cleaned, (given, newTarget, patch) =>
      make(Class, kind, given, newTarget, patch),
    );
}

/** What its tap is told; null where it cannot be started in the worker. @param nth of this thread's workers */
function workerStart(
  kind: WorkerKind,
  given: Given,
  { thread: parent, address: base }: WorkersOptions,
  nth: number,
): WorkerStart | null {
  const thread = (parent + 1) * CHILDREN + nth;
  const options = given[1];
  const readable = options === undefined || options === null || isReadable(options);
  if (!readable || nth >= CHILDREN || !Number.isSafeInteger(thread)) return null;
  const isText = kind === 'node' && isReadable(options) && dataOf(options, 'eval') === true;
  const address = isText ? null : absolute(kind, given[0], base);
  if (!isText && address === null) return null;
  return { thread, parent, kind, address, file: fileOf(address ?? '', isText ? options : undefined) };
}

/** The program's arguments with our start; null where that cannot be. */
function wrapped(start: WorkerStart, given: Given, taps: WorkersOptions): unknown[] | null {
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

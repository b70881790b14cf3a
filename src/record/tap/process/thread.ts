/** A thread of a process, in all runtimes: its start, its memory and its files. */
import * as fs from 'node:fs';
import type { Script } from 'node:vm';
import { processTypes } from '../../../engines/probe/process.ts';
import type { ThreadRecordOf } from '../../../model/documents/recorded/recording.ts';
import { orElse } from '../../../model/or-else.ts';
import { HANDOVER, type ProcessTapSettings, ROOM_FILE } from '../../../model/recording/recording.ts';
import { COUNTERS_MAGIC, HEADER, progressOf, THREAD_FIELDS } from '../../threads/counters.ts';
import { onRead, type Post, ports, usualPosts, watch, watchPosts } from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm.ts';

/** Modules whose exports are replaced: the objects themselves, which an `import` would hide. */
export const workerThreads = require('node:worker_threads') as typeof import('node:worker_threads');
export const module = require('node:module') as typeof import('node:module');
export const childProcess = require('node:child_process') as typeof import('node:child_process');

export const { Worker: WebWorker } = globalThis as { Worker?: { prototype: object } };

const { setInterval } = require('node:timers') as typeof import('node:timers');
const { openSync, writeSync, closeSync, readFileSync, fstatSync, ftruncateSync, unlinkSync } = fs;
const { O_CREAT, O_WRONLY } = fs.constants;
const { byteLength } = Buffer;
const { pid, ppid, argv } = process;
const today = Date.now;

const FLUSH_MS = 100;

interface ProcessThread extends Omit<kept.TapPlatform, 'packageVersion' | 'append'> {
  folder: string;
  thread: number;
  /** Its first record; null if the thread that started it has written it. */
  started: ThreadRecordOf<'thread'> | null;
  counters: Float64Array;
  messagePort: object;
  posts: readonly Post[];
}

export function startTap(given: ProcessThread): void {
  const { folder, thread, started, counters, messagePort, posts, ...own } = given;
  kept.giveEngineTypes(processTypes);
  const settings = kept.parsed(readText(`${folder}/settings.json`)) as ProcessTapSettings;
  const append = (lines: string) => appendTo(folder, thread, lines);
  kept.giveThread({ packageVersion, append, ...own }, settings, counters);
  recorder.startedAt(today());
  if (started !== null) log.add(started);
  log.flush();
  setInterval(() => log.flush(), FLUSH_MS).unref();
  watch(workerThreads, 'receiveMessageOnPort', {
    before: (_receiver, args) => args[0] as object,
    after: (port, result) => void (result !== undefined && ports.arrived(port)),
  });
  watchPosts([...usualPosts(messagePort), ...posts]);
}

/** @param parent the thread of this process that started it; null for the main thread */
export const threadStarted = (
  runtime: ThreadRecordOf<'thread'>['runtime'],
  thread: number,
  parent: number | null,
  file: string | null,
): ThreadRecordOf<'thread'> => ({
  record: 'thread',
  ...{ pid, thread },
  parent: parent === null ? { pid: ppid, thread: 0 } : { pid, thread: parent },
  runtime,
  file: parent === null ? (argv[1] ?? null) : file,
  at: today(),
});

export function withHeader(counters: Float64Array, thread: number, shared: number, parent: number | null) {
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = pid;
  counters[HEADER.thread] = thread;
  counters[HEADER.shared] = shared;
  counters[HEADER.parentThread] = parent ?? -1;
  return counters;
}

/** Writes all when the process ends: Node and Deno read `emit` then. The program could count a listener. */
export const watchEnd = (): void =>
  void onRead(process, 'emit', () => {
    if ((process as { _exiting?: boolean })._exiting === true) log.end();
  });

// Nothing is kept open: a program may close what it did not open, and use its number.

const OWN = 0o600;

export const readText = (file: string): string => readFileSync(file, 'utf8');

/** Tries once more if the disk is full, in the room that is kept for it. */
export function withRoom(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    unlinkSync(`${folder}/${ROOM_FILE}`);
    write();
  }
}

/** @param write returns the number of bytes that it could not write: an almost full disk takes a part, and says nothing */
function into(folder: string, file: string, flags: string | number, write: (fd: number) => number): void {
  withRoom(folder, () => {
    const fd = openSync(`${folder}/${file}`, flags, OWN);
    try {
      if (write(fd) > 0) throw { code: 'ENOSPC' };
    } finally {
      closeSync(fd);
    }
  });
}

export const appendTo = (folder: string, thread: number, text: string): void =>
  into(folder, `${pid}-${thread}.ndjson`, 'a', (fd) => {
    const { size } = fstatSync(fd);
    const missing = byteLength(text) - writeSync(fd, text);
    if (missing > 0) ftruncateSync(fd, size);
    return missing;
  });

/** Written over from its start, in one call: a reader never gets half of it. */
export function writeCounters(folder: string, counters: Float64Array): void {
  const progress = progressOf(counters);
  const file = `${counters[HEADER.pid]}-${counters[HEADER.thread]}.cnt`;
  const { byteLength: bytes } = counters;
  into(folder, file, O_WRONLY | O_CREAT, (fd) => bytes - writeSync(fd, counters, 0, bytes, 0));
  counters[HEADER.written] = progress;
}

export function packageVersion(folder: string): string | null {
  const found = orElse(() => kept.parsed(readText(`${folder}/package.json`)) as { version?: unknown }, null);
  return typeof found?.version === 'string' ? found.version : null;
}

const WORKERS = 64;

const { getEnvironmentData, setEnvironmentData } = workerThreads;

/** The recorder of Node in this thread. */
export interface Loaded {
  text: string;
  script: Script;
}

/** In memory that threads share, never in a file: V8 checks no more than the head of the code. */
export interface Compiled {
  text: string;
  cache: Uint8Array;
}

export interface Handover {
  counters: Float64Array;
  ofParent: Float64Array;
  parent: number;
  file: string | null;
  compiled: Compiled | undefined;
}

export function handedOver(): Handover | null {
  const given = getEnvironmentData(HANDOVER) as Handover | undefined;
  setEnvironmentData(HANDOVER);
  return given ?? null;
}

const Shared = SharedArrayBuffer;
const fresh = (): Float64Array => new kept.Doubles(new Shared(THREAD_FIELDS * 8));

/** Each thread writes counters of the other too: one may be terminated, or busy when the process is killed. */
export class ThreadMemory {
  readonly own: Float64Array;
  readonly #all: Float64Array[];
  #started = 0;

  /** @param parent number that `threadStarted` takes too @param given null: no thread writes its counters too */
  constructor(thread: number, parent: number | null, given: Handover | null) {
    const isShared = parent === null || given !== null;
    this.own = withHeader(given?.counters ?? fresh(), thread, isShared ? 1 : 0, parent);
    this.#all = [this.own, given?.ofParent ?? this.own];
  }

  handOver(file: string | null, compiled?: Compiled): Float64Array {
    const counters = fresh();
    const parent = this.own[HEADER.thread];
    setEnvironmentData(HANDOVER, { counters, ofParent: this.own, parent, file, compiled });
    return counters;
  }

  /** @param counters null: the worker could not be made */
  handedTo(counters: Float64Array | null): void {
    setEnvironmentData(HANDOVER);
    if (counters !== null) this.#all[2 + (this.#started++ % WORKERS)] = counters;
  }

  write(folder: string): void {
    for (let i = 0; i < this.#all.length; i++) {
      const counters = this.#all[i]!;
      // A thread that has not started does not have a name yet.
      const isNamed = counters[HEADER.magic] === COUNTERS_MAGIC;
      if (isNamed && progressOf(counters) !== counters[HEADER.written]) writeCounters(folder, counters);
    }
  }
}

/** Common start of the recorders in processes of all runtimes. */

import { processTypes } from '../../../engines/probe/process.ts';
import type { ThreadRecordOf } from '../../../model/documents/recorded/thread-file.ts';
import type { ProcessTapSettings } from '../../../model/recording/settings.ts';
import { COUNTERS_MAGIC, HEADER } from '../../threads/counters.ts';
import { type PortOptions, type Post, ports, receiving, usualPosts, watchPosts } from '../channels/ports.ts';
import { onRead, watch } from '../channels/watch.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm/intrinsics.ts';
import { giveEngineTypes, giveThread, type TapPlatform } from '../realm/platform.ts';
import * as log from '../records/thread-log.ts';
import { workerThreads } from './builtins.ts';
import { appendTo, packageVersion, readText } from './files.ts';

const FLUSH_MS = 100;

const { pid, ppid, argv } = process;
const { setInterval } = require('node:timers') as typeof import('node:timers');
const today = Date.now;

interface ProcessThread extends Omit<TapPlatform, 'packageVersion' | 'append'> {
  folder: string;
  thread: number;
  /** Its first record; null if the thread that started it has written it. */
  started: ThreadRecordOf<'thread'> | null;
  counters: Float64Array;
  messagePort: object;
  portOptions: PortOptions;
  posts: readonly Post[];
}

export function startTap(given: ProcessThread): void {
  const { folder, thread, started, counters, messagePort, posts, portOptions, ...own } = given;
  giveEngineTypes(processTypes);
  const settings = kept.parsed(readText(`${folder}/settings.json`)) as ProcessTapSettings;
  const append = (lines: string) => appendTo(folder, thread, lines);
  giveThread({ packageVersion, append, ...own }, settings, counters);
  recorder.startedAt(today());
  ports.options = portOptions;
  if (started !== null) log.add(started);
  log.flush();
  setInterval(() => log.flush(), FLUSH_MS).unref();
  watch(workerThreads, 'receiveMessageOnPort', receiving);
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

/** Writes the numbers of the thread into the header. @param parent number that `threadStarted` takes too */
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

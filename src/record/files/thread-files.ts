/** Reads files that the program can write too: no link is followed, sizes are limited, malformed parts counted. */
import { constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTooDeep } from '../../app/store/documents.ts';
import { AT_ONCE, startIn } from '../../machine/given-file.ts';
import type { Gap } from '../../model/documents/recorded/recording.ts';
import { type ThreadRecord, threadRecordSchema } from '../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../model/or-else.ts';
import { parse } from '../../model/schema.ts';
import { sumOf } from '../../model/sums.ts';
import { HEADER, readCounters, THREAD_FIELDS } from '../threads/counters.ts';
import { emptyThread, Gaps, type RecordedThread, type WrittenThread } from '../threads/recorded-thread.ts';

/** Maximum sizes: the rest is a gap. All threads together are held in memory at once. */
const LIMITS = { files: 4000, fileBytes: 32 * 2 ** 20, allBytes: 256 * 2 ** 20 };
const MAX_LINE = 8 * 2 ** 20;

/** One byte more than a file of counters has: a longer file is not read as counters. */
const COUNTERS_BYTES = 8 * THREAD_FIELDS + 1;

const NAME = /^(\d{1,10})-(\d{1,10})\.ndjson$/;

export function readThreadFiles(folder: string, limits = LIMITS): { threads: WrittenThread[]; gaps: Gap[] } {
  const gaps = new Gaps();
  const found = orElse(() => readdirSync(folder), []).flatMap((name) => {
    const [, pid, thread] = NAME.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), thread: Number(thread) }];
  });
  found.sort((a, b) => a.pid - b.pid || a.thread - b.thread);
  gaps.miss('A thread beyond the most that are read.', found.length - limits.files);
  let left = limits.allBytes;
  const threads: WrittenThread[] = [];
  for (const { name, pid, thread } of found.slice(0, limits.files)) {
    const bytes = readStart(join(folder, name), Math.min(left, limits.fileBytes), gaps);
    if (bytes === null) continue;
    left -= bytes.length;
    const counters = readStart(join(folder, name.replace(/ndjson$/, 'cnt')), COUNTERS_BYTES, gaps);
    // The last line may have been cut off.
    const lines = bytes.toString('utf8', 0, Math.max(0, bytes.lastIndexOf('\n')));
    threads.push({ pid, thread, lines, counters });
  }
  return { threads, gaps: gaps.list };
}

const UNREADABLE = 'A file of a thread could not be read.';

/** Reads up to `most` bytes; null if it is not a regular file. It never waits for a link or a pipe. */
function readStart(path: string, most: number, gaps: Gaps): Buffer | null {
  try {
    const found = startIn(path, most, AT_ONCE | (constants.O_NOFOLLOW ?? 0));
    if (found === null) gaps.miss(UNREADABLE);
    else if (found.size > most) gaps.miss('The end of a file of a thread was left out: it is too large.');
    return found?.bytes ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') gaps.miss(UNREADABLE);
    return null;
  }
}

export function postedSoFar(folder: string): number {
  const names = orElse(() => readdirSync(folder), []).filter((name) => name.endsWith('.cnt'));
  return sumOf(names.slice(0, LIMITS.files), (name) => {
    const bytes = readStart(join(folder, name), COUNTERS_BYTES, new Gaps());
    return Math.max(0, (bytes && readCounters(bytes))?.[HEADER.total] ?? 0);
  });
}

export function readThreads(folder: string): { threads: RecordedThread[]; gaps: Gap[] } {
  const { threads, gaps } = readThreadFiles(folder);
  return { threads: threads.map(readThread), gaps };
}

export function readThread({ pid, thread, lines, counters }: WrittenThread): RecordedThread {
  const read = { ...emptyThread(pid, thread), counters: counters && readCounters(counters) };
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const isRead = line.length <= MAX_LINE && !isTooDeep(line);
    const one = !isRead ? null : orElse(() => parse(threadRecordSchema, JSON.parse(line)), null);
    if (one === null || !take(read, one)) read.unreadable++;
  }
  read.messages.sort((a, b) => a.nth - b.nth);
  return read;
}

function take(thread: RecordedThread, one: ThreadRecord): boolean {
  if (one.record === 'message' && !thread.groups.has(one.group)) return false;
  if (one.record === 'throws' && !thread.thrown.has(one.id)) return false;
  if (one.record === 'thread') thread.started ??= one;
  else if (one.record === 'group') thread.groups.set(one.id, one);
  else if (one.record === 'message') {
    // More is known of an error once it was posted: its message is written again.
    const last = thread.messages.at(-1);
    if (last?.group === one.group && last.nth === one.nth) thread.messages.pop();
    thread.messages.push(one);
  } else if (one.record === 'cancelled') {
    const last = thread.messages.findLastIndex(({ group }) => group === one.group);
    if (last >= 0) thread.messages.splice(last, 1);
  } else if (one.record === 'thrown') thread.thrown.set(one.id, { ...one, count: 1 });
  else if (one.record === 'throws') thread.thrown.get(one.id)!.count = one.count;
  else if (one.record === 'child') thread.children.push(one);
  else if (one.record === 'arrived') thread.arrived.set(one.pid, one.count);
  else if (one.record === 'gap') thread.gaps.push(one.what);
  else thread.ended = true;
  return true;
}

/** Reads what recorded threads have written. The text is untrusted input: what is not as it should be is left out and counted. */
import { readCounters } from '../core/recording/threads/counters.ts';
import type { RecordedThread } from '../core/recording/threads/recorded-thread.ts';
import type { Gap } from '../model/documents/recording.ts';
import type { ThreadRecord } from '../model/documents/thread-file.ts';
import { threadRecordSchema } from '../model/documents/thread-file.ts';
import { readThreadFiles, type ThreadFile } from './thread-files.ts';

/** All of a folder, ordered by process and thread. */
export function readThreads(folder: string): { threads: RecordedThread[]; gaps: Gap[] } {
  const { threads, gaps } = readThreadFiles(folder);
  return { threads: threads.map(readThread), gaps };
}

export function readThread({ pid, thread, lines, counters }: ThreadFile): RecordedThread {
  const read: RecordedThread = {
    ...{ pid, thread, started: null, ended: false, unreadable: 0 },
    ...{ sites: new Map(), groups: new Map(), messages: [], children: [], gaps: [] },
    counters: counters === null ? null : readCounters(counters),
  };
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const one = recordIn(line);
    if (one === null || !take(read, one)) read.unreadable++;
  }
  read.messages.sort((a, b) => a.nth - b.nth);
  return read;
}

/** null for what is none. */
function recordIn(line: string): ThreadRecord | null {
  try {
    return threadRecordSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** false for a record about one that is missing. */
function take(thread: RecordedThread, one: ThreadRecord): boolean {
  switch (one.record) {
    case 'thread':
      thread.started ??= one;
      return true;
    case 'site':
      thread.sites.set(one.id, one);
      return true;
    case 'group':
      if (!thread.sites.has(one.site)) return false;
      thread.groups.set(one.id, one);
      return true;
    case 'message':
      if (!thread.groups.has(one.group)) return false;
      thread.messages.push(one);
      return true;
    case 'child':
      thread.children.push(one);
      return true;
    case 'gap':
      thread.gaps.push(one);
      return true;
    case 'end':
      thread.ended = true;
      return true;
  }
}

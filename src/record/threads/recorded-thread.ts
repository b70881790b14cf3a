import type { Gap } from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/thread-file.ts';
import type { Serialization } from '../../model/names.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { GROUP, groupStart, HEADER, MAPPED, MAX_GROUPS, WAYS } from './counters.ts';

export interface RecordedThread {
  pid: number;
  thread: number;
  started: ThreadRecordOf<'thread'> | null;
  groups: Map<number, ThreadRecordOf<'group'>>;
  messages: ThreadRecordOf<'message'>[];
  thrown: Map<number, ThreadRecordOf<'thrown'> & { count: number }>;
  children: ThreadRecordOf<'child'>[];
  /** Number of messages that came from each child; 0 is the key of the parent process. */
  arrived: Map<number, number>;
  gaps: ThreadRecordOf<'gap'>[];
  ended: boolean;
  /** null if they could not be read. */
  counters: Float64Array | null;
  unreadable: number;
}

export type Threads = readonly RecordedThread[];

export class Gaps {
  readonly #counts = new Map<string, number>();

  miss(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  get list(): Gap[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }));
  }
}

export function missedBy(threads: Threads, all: Gaps): void {
  for (const { gaps, unreadable, counters, messages } of threads) {
    for (const { what } of gaps) all.miss(what);
    all.miss('an unreadable line of a recorded thread', unreadable);
    const isLost = counters === null && messages.length > 0;
    all.miss('a thread whose counters could not be read', isLost ? 1 : 0);
    all.miss('a failure of the recorder itself', counters?.[HEADER.failures] ?? 0);
  }
  const recorded = new Set(threads.map(({ pid, thread }) => `${pid}-${thread}`));
  // A shell that has started a recorded process.
  const passed = new Set(threads.map(({ started }) => `${started?.parent?.pid}-0`));
  for (const { pid, thread, program } of threads.flatMap(({ children }) => children))
    if (!recorded.has(`${pid}-${thread}`) && !passed.has(`${pid}-${thread}`))
      all.miss(`not recorded, or not JavaScript: ${program}`);
}

/** Format of the messages of a group, by either end: null if it is not known, nothing if they stay in their process. */
export function serializations(threads: Threads) {
  const started = new Map<number, Serialization>();
  for (const { pid, serialization } of threads.flatMap(({ children }) => children))
    if (serialization !== undefined) started.set(pid, serialization);
  type Written = { serialization?: Serialization | null };
  return ({ pid }: RecordedThread, { api, serialization }: ThreadRecordOf<'group'>): Written => {
    if (!isToProcess(api)) return {};
    const ofStart = api === 'process.send' ? started.get(pid) : undefined;
    return { serialization: serialization ?? ofStart ?? null };
  };
}

/**
 * Counts messages that a page's worker could not tell before it was terminated (each end counts for itself) as others of
 * its largest class. True if the counts of its posts are right: it has one class, or reported all.
 */
export function countLate(thread: RecordedThread): boolean {
  const { counters, groups } = thread;
  if (counters === null || thread.ended) return false;
  const missing = counters[WAYS.up.received]! - counters[WAYS.up.sent]!;
  const posts = [...groups.values()].filter(({ api }) => api === 'self.postMessage');
  if (posts.length === 0 || missing < 0) return false;
  // On Deno neither end of a web worker counts what arrives.
  if (counters[WAYS.up.sent] === 0 && missing === 0) return false;
  const classes = [...new Set(posts.map(({ counter }) => Math.min(counter, MAX_GROUPS - 1)))];
  const countOf = (counter: number) => counters[groupStart(counter) + GROUP.count]!;
  const largest = classes.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
  const at = groupStart(largest);
  counters[at + GROUP.extent]! *= 1 + missing / Math.max(1, countOf(largest));
  counters[at + GROUP.count]! += missing;
  counters[WAYS.up.sent]! += missing;
  return posts.length === groups.size && (missing === 0 || classes.length === 1);
}

/** Threads with their last counters: written at their end or their parents', in memory that is the file, or `countLate`. */
export function completeThreads(threads: Threads): ReadonlySet<RecordedThread> {
  const late = threads.filter(countLate);
  const over = new Set(threads.filter(({ ended }) => ended).map(({ pid, thread }) => `${pid}-${thread}`));
  const complete = threads.filter(({ pid, counters, ended }) => {
    if (counters === null || ended || counters[HEADER.shared] === MAPPED) return counters !== null;
    return counters[HEADER.shared] === 1 && over.has(`${pid}-${counters[HEADER.parentThread]}`);
  });
  return new Set([...complete, ...late]);
}

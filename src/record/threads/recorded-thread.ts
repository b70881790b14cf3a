import type { Gap } from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/thread-file.ts';
import type { Serialization } from '../../model/names.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { HEADER } from './counters.ts';

/** Records of a thread, as far as they could be read. */
export interface RecordedThread {
  pid: number;
  thread: number;
  started: ThreadRecordOf<'thread'> | null;
  groups: Map<number, ThreadRecordOf<'group'>>;
  /** Messages in posting order. */
  messages: ThreadRecordOf<'message'>[];
  /** Posts that threw, and how often. */
  thrown: Map<number, ThreadRecordOf<'thrown'> & { count: number }>;
  children: ThreadRecordOf<'child'>[];
  /** Number of messages that came from each child; 0 is the key of the parent process. */
  arrived: Map<number, number>;
  gaps: ThreadRecordOf<'gap'>[];
  /** It ended as it should. */
  ended: boolean;
  /** Layout: see `counters.ts`; null if they could not be read. */
  counters: Float64Array | null;
  unreadable: number;
}

export class Gaps {
  readonly #counts = new Map<string, number>();

  miss(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  get list(): Gap[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }));
  }
}

/** Adds what could not be seen of the threads. */
export function missedBy(threads: readonly RecordedThread[], all: Gaps): void {
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

/**
 * Format of the messages of a group, by the posting end, or else by the process that started it; null if it is not
 * known, nothing if they stay in their process.
 */
export function serializations(threads: readonly RecordedThread[]) {
  const started = new Map<number, Serialization>();
  for (const { pid, serialization } of threads.flatMap(({ children }) => children))
    if (serialization !== undefined) started.set(pid, serialization);
  return (
    from: RecordedThread,
    { api, serialization }: ThreadRecordOf<'group'>,
  ): { serialization?: Serialization | null } => {
    if (!isToProcess(api)) return {};
    const ofStart = api === 'process.send' ? started.get(from.pid) : undefined;
    return { serialization: serialization ?? ofStart ?? null };
  };
}

/** Threads of a recorded program: their names as people know them, and what is missing of them. */
import type { Frame, Gap, Site, ThreadRecordOf } from '../../model/documents/recorded/recording.ts';
import type { Serialization } from '../../model/names.ts';
import { isToProcess, PAGE_KINDS } from '../../model/recording/recording.ts';
import { GROUP, groupStart, HEADER, MAPPED, MAX_GROUPS, WAYS } from './counters.ts';

export interface WrittenThread {
  pid: number;
  thread: number;
  lines: string;
  counters: Uint8Array | null;
}

export const emptyThread = (pid: number, thread: number) => ({
  ...{ pid, thread, started: null as ThreadRecordOf<'thread'> | null, ended: false, unreadable: 0 },
  groups: new Map<number, ThreadRecordOf<'group'>>(),
  messages: [] as ThreadRecordOf<'message'>[],
  thrown: new Map<number, ThreadRecordOf<'thrown'> & { count: number }>(),
  children: [] as ThreadRecordOf<'child'>[],
  /** Number of messages that came from each child; 0 is the key of the parent process. */
  arrived: new Map<number, number>(),
  gaps: [] as string[],
  /** null if they could not be read. */
  counters: null as Float64Array | null,
});
export type RecordedThread = ReturnType<typeof emptyThread>;
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
    for (const what of gaps) all.miss(what);
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

/** Adds what a terminated worker of a page could not tell to its largest class. True if the counts are right then. */
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

export const WORKER = 'worker ';
/** A document that records what others post to it: their function is its own. */
export const SELF = 'self';

const ROOT = '/';

/** "service worker sw.js"; "page" for the address that is the origin. */
const inPage = (kind: string, file: string | null): string =>
  `${kind} ${file === ROOT ? '' : (file ?? '')}`.trimEnd();

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//s;

export type MapFrame = (frame: Frame) => Frame;

export type ThreadNames = ReturnType<typeof threadNames>;

/** @param root folder of the command, or address of the page: files are given relative to it */
export function threadNames(threads: Threads, root: string, mapFrame: MapFrame) {
  const startOf = ({ started }: RecordedThread) => started?.at ?? Number.POSITIVE_INFINITY;
  // A shell may stand between a process and its parent: every process but the first is a child.
  const [first] = [...threads].sort((a, b) => startOf(a) - startOf(b));
  const below = root.endsWith('/') ? root : `${root}/`;
  const relative = (file: string) => (file.startsWith(below) ? file.slice(below.length) || ROOT : file);
  const worker = (file: string) => WORKER + (file === '' ? '(text)' : relative(file));
  const frame = (one: Frame) => mapFrame({ ...one, file: relative(one.file) });
  function of({ pid, thread, started }: RecordedThread): string {
    const file = started?.file == null ? null : relative(started.file);
    if (started?.kind) return inPage(started.kind, file);
    if (thread > 0) return worker(started?.file ?? '');
    return pid === first?.pid ? 'main' : `child ${file ?? '(text)'}`;
  }
  return {
    of,
    frame,
    /** Name of the receiver of messages: "worker" and its file, "parent", "self", "process 812"; else the text itself. */
    receiver(from: RecordedThread, to: string | null): string | null {
      if (to === null) return null;
      if (to === SELF) return of(from);
      const kind = PAGE_KINDS.find((one) => to.startsWith(`${one} `));
      if (kind) return inPage(kind, relative(to.slice(kind.length + 1)));
      if (to.startsWith(WORKER)) return worker(to.slice(WORKER.length));
      const [, pid] = /^process (\d+)$/.exec(to) ?? [];
      if (pid === undefined && to !== 'parent') return to;
      const parent = pid === undefined ? from.started?.parent : { pid: Number(pid), thread: 0 };
      const found = threads.find((one) => one.pid === parent?.pid && one.thread === parent.thread);
      if (found) return of(found);
      return pid === undefined ? null : 'child';
    },
    /** A bundle contains code of packages: after mapping by the source map, the user's frame may be a library's. */
    site({ user, library }: Site): Site {
      const mapped = user && frame(user);
      const [, name] = (library === null && mapped && PACKAGE.exec(mapped.file)) || [];
      if (mapped && name !== undefined)
        return { user: null, library: { name, version: null, frame: mapped } };
      return { user: mapped, library: library && { ...library, frame: frame(library.frame) } };
    },
  };
}

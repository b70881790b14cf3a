/** Threads of a recorded program: their names as people know them, and what is missing of them. */
import type { Frame, Gap, Site } from '../../model/documents/recorded/recording.ts';
import {
  type PageState,
  pageStateSchema,
  type ThreadRecord,
  type ThreadRecordOf,
} from '../../model/documents/recorded/thread-file.ts';
import type { Serialization } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { isToProcess, PAGE_KINDS, PAGE_RECORDS } from '../../model/recording/recording.ts';
import { parse } from '../../model/schema.ts';
import {
  COUNTERS_MAGIC,
  GROUP,
  groupStart,
  HEADER,
  MAPPED,
  MAX_GROUPS,
  THREAD_FIELDS,
  WAYS,
} from './counters.ts';

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

// Threads of a page, from messages of its documents and workers, which are untrusted: checked and limited.

type PageTarget = Record<'id' | 'type' | 'parent', string>;

const PID = 1;

const NONE = new Float64Array(0);
const LIMITS = { threads: 4000, bytes: 128 * 2 ** 20 };

const UNTOLD =
  'A worker that sent no records: it did not start, ended at once, or was not reached. What it posted is not recorded.';

interface Thread {
  number: number;
  target: PageTarget;
  realm: number;
  state: PageState;
  records: string[];
  counters: Float64Array;
}

export class PageThreads {
  readonly #runtime: ThreadRecordOf<'thread'>['runtime'];
  readonly #limits: typeof LIMITS;
  readonly #threads = new Map<string, Thread>();
  readonly gaps = new Gaps();
  #bytes = 0;
  heard = 0;

  constructor({ name, version }: ThreadRecordOf<'thread'>['runtime'], limits = LIMITS) {
    this.#runtime = { name, version };
    this.#limits = limits;
  }

  /** A message of the recorder in a target, which may be gone by now; the first one says what it is. */
  receive(session: string, realm: number, message: string, target: PageTarget | undefined): void {
    this.heard++;
    const key = `${session} ${realm}`;
    const thread = this.#threads.get(key);
    const isRecords = message.startsWith(PAGE_RECORDS);
    const parsed = () => parse(pageStateSchema, JSON.parse(message));
    const state = isRecords ? null : orElse(parsed, null);
    if (thread !== undefined && state !== null) thread.state = state;
    else if (thread !== undefined && isRecords) this.#keep(thread, message);
    else if (thread !== undefined || state === null || target === undefined)
      this.gaps.miss('A message that the recorder in a page does not send.');
    else if (this.#threads.size >= this.#limits.threads)
      this.gaps.miss('A thread beyond the most that are read.');
    else
      this.#threads.set(key, {
        number: this.#threads.size + 1,
        target,
        realm,
        state,
        records: [],
        counters: NONE,
      });
  }

  realmsOf(session: string): number[] {
    return [...this.#threads.values()].flatMap(({ target, realm }) => (target.id === session ? realm : []));
  }

  #keep(thread: Thread, text: string): void {
    const lines = text.endsWith('\n') ? text : `${text}\n`;
    this.#bytes += lines.length;
    if (this.#bytes > this.#limits.bytes) this.gaps.miss('Records beyond the most that are kept.');
    else thread.records.push(lines);
  }

  /** Called at the end, because the parent of a thread and its counters are not known before. */
  finish(): WrittenThread[] {
    const all = [...this.#threads.values()];
    for (const thread of all) thread.counters = countersOf(thread.state);
    for (const thread of all) this.#countTraffic(thread, all);
    return all.flatMap(({ number: thread, target, state, records, counters }) => {
      const { file, at } = state;
      // A tab or a frame shows about:blank before its page.
      if (file === 'about:blank' && counters[HEADER.total] === 0) return [];
      const parent = target.type === 'worker' ? this.#parentOf(target, file) : undefined;
      const kind = target.type === 'worker' ? undefined : (KINDS[target.type] ?? state.kind ?? 'page');
      const line: ThreadRecord = {
        ...{ record: 'thread', pid: PID, thread, file, at, runtime: this.#runtime },
        ...(kind && { kind }),
        parent: parent ? { pid: PID, thread: parent.number } : null,
      };
      counters[HEADER.magic] = COUNTERS_MAGIC;
      counters[HEADER.parentThread] = parent?.number ?? -1;
      const lines = `${JSON.stringify(line)}\n${records.join('')}`;
      return { pid: PID, thread, lines, counters: new Uint8Array(counters.buffer) };
    });
  }

  #parentOf({ parent }: PageTarget, file: string | null): Thread | undefined {
    const inParent = [...this.#threads.values()].filter(({ target }) => target.id === parent);
    const hasStarted = ({ state }: Thread) => state.workers.some(([address]) => address === file);
    return inParent.find(hasStarted) ?? inParent[0];
  }

  #countTraffic(parent: Thread, all: readonly Thread[]): void {
    for (const [address, sent, received] of parent.state.workers) {
      const isOne = ({ target, state: { file } }: Thread) =>
        target.type === 'worker' && file === address && this.#parentOf(target, file) === parent;
      const workers = all.filter(isOne);
      let [sentLeft, receivedLeft] = [sent, received];
      for (const { counters } of workers) {
        counters[WAYS.down.sent] = Math.min(sentLeft, counters[WAYS.down.received]!);
        sentLeft -= counters[WAYS.down.sent]!;
        counters[WAYS.up.received] = Math.min(receivedLeft, counters[WAYS.up.sent]!);
        receivedLeft -= counters[WAYS.up.received]!;
      }
      const first = workers[0]?.counters;
      if (first === undefined) {
        if (sent + received > 0) this.gaps.miss(UNTOLD);
        continue;
      }
      first[WAYS.down.sent]! += sentLeft;
      // More arrived than a worker could tell before it was terminated.
      first[WAYS.up.received]! += receivedLeft;
    }
  }
}

const KINDS: Readonly<Record<string, (typeof PAGE_KINDS)[number]>> = {
  shared_worker: 'shared worker',
  service_worker: 'service worker',
};

/** An index that no counter has sets nothing. */
function countersOf({ counters }: PageState): Float64Array {
  const fields = new Float64Array(THREAD_FIELDS);
  for (const [index, value] of counters) fields[index] = value;
  return fields;
}

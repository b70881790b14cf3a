/**
 * Writes the messages of a page's documents and workers as thread files: one representation for all that is recorded.
 * The messages are untrusted input: they are checked and limited.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS, WAYS } from '../../../core/recording/threads/counters.ts';
import type { Gap } from '../../../model/documents/recorded/recording.ts';
import type { ThreadRecord, ThreadStarted } from '../../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../../model/or-else.ts';
import { PAGE_MESSAGES, type PageStarted, type WorkerTraffic } from '../../../model/recording/page-tap.ts';

/** Document or worker, as the browser describes it before it says anything. */
interface PageTarget {
  kind: 'document' | 'worker' | 'shared worker' | 'service worker';
  /** Target that started it; null if no single document owns it. */
  parent: string | null;
}

/** All documents and workers of a recording are written as threads of one process. */
const PID = 1;

const OWN_ONLY = 0o600;

/** Limits of a recording: number of threads, and bytes of all their records. */
const LIMITS = { threads: 4000, bytes: 128 * 2 ** 20 };

const UNTOLD =
  'A worker that sent no records: it did not start, ended at once, or was not reached. What it posted is not recorded.';

interface Thread {
  number: number;
  target: PageTarget;
  session: string;
  file: string | null;
  counters: Float64Array;
  workers: WorkerTraffic[];
  records: string[];
  started: Omit<ThreadStarted, 'parent'>;
}

export class PageThreads {
  readonly #folder: string;
  readonly #runtime: ThreadStarted['runtime'];
  readonly #limits: typeof LIMITS;
  readonly #targets = new Map<string, PageTarget>();
  readonly #threads = new Map<string, Thread>();
  readonly #gaps = new Map<string, number>();
  #bytes = 0;
  /** Number of messages that came. */
  heard = 0;

  /** @param folder that the recording is written to */
  constructor(folder: string, { name, version }: ThreadStarted['runtime'], limits = LIMITS) {
    this.#folder = folder;
    this.#runtime = { name, version };
    this.#limits = limits;
  }

  get gaps(): Gap[] {
    return [...this.#gaps].map(([what, count]) => ({ what, count }));
  }

  miss(what: string): void {
    this.#gaps.set(what, (this.#gaps.get(what) ?? 0) + 1);
  }

  target(session: string, target: PageTarget): void {
    this.#targets.set(session, target);
  }

  /** A message of the recorder in a target. @param realm each document of a target has its own */
  receive(session: string, realm: number, message: string): void {
    this.heard++;
    const key = `${session} ${realm}`;
    const [kind, text] = [message[0], message.slice(1)];
    const thread = this.#threads.get(key);
    const isTaken =
      thread === undefined
        ? kind === PAGE_MESSAGES.started && this.#start(key, session, text)
        : this.#take(thread, kind, text);
    if (!isTaken) this.miss('A message that the recorder in a page does not send.');
  }

  /** Documents of a target that have said something, by their execution contexts. */
  realmsOf(session: string): number[] {
    return [...this.#threads.keys()].flatMap((key) => {
      const [owner, realm] = key.split(' ');
      return owner === session ? [Number(realm)] : [];
    });
  }

  #take(thread: Thread, kind: string | undefined, text: string): boolean {
    if (kind === PAGE_MESSAGES.records) {
      const lines = text.endsWith('\n') ? text : `${text}\n`;
      this.#bytes += lines.length;
      if (this.#bytes > this.#limits.bytes) this.miss('Records beyond the most that are kept.');
      else thread.records.push(lines);
      return true;
    }
    const list = parsed(text);
    if (kind === PAGE_MESSAGES.started) {
      // A document that was blank has an address now.
      const { file } = (list ?? {}) as Partial<PageStarted>;
      if (typeof file !== 'string') return false;
      thread.file = thread.started.file = file;
      return true;
    }
    if (!Array.isArray(list)) return false;
    if (kind === PAGE_MESSAGES.counters) return setCounters(thread.counters, list);
    if (kind !== PAGE_MESSAGES.workers || !list.every(isTraffic)) return false;
    thread.workers = list;
    return true;
  }

  #start(key: string, session: string, text: string): boolean {
    const target = this.#targets.get(session);
    const said = parsed(text) as Partial<PageStarted> | null;
    if (target === undefined || typeof said !== 'object' || said === null) return false;
    if (this.#threads.size >= this.#limits.threads) {
      this.miss('A thread beyond the most that are read.');
      return true;
    }
    const number = this.#threads.size + 1;
    const file = typeof said.file === 'string' ? said.file : null;
    const kind = kindOf(target, said);
    const started = {
      record: 'thread' as const,
      ...(kind && { kind }),
      ...{ pid: PID, thread: number, file },
      runtime: this.#runtime,
      at: Number.isFinite(said.at) ? Number(said.at) : 0,
    };
    const counters = new Float64Array(THREAD_FIELDS);
    this.#threads.set(key, { number, target, session, file, counters, workers: [], records: [], started });
    return true;
  }

  /** Writes the files at the end, because the parent of a thread and its counters are not known before. */
  finish(): void {
    for (const thread of this.#threads.values()) this.#countTraffic(thread);
    for (const { number, target, file, counters, records, started } of this.#threads.values()) {
      // A tab or a frame shows about:blank before its page.
      if (target.kind === 'document' && file === 'about:blank' && counters[HEADER.total] === 0) continue;
      const parent = target.kind === 'worker' ? this.#parentOf(target, file) : undefined;
      const line: ThreadRecord = { ...started, parent: parent ? { pid: PID, thread: parent.number } : null };
      const name = join(this.#folder, `${PID}-${number}`);
      writeFileSync(`${name}.ndjson`, `${JSON.stringify(line)}\n${records.join('')}`, { mode: OWN_ONLY });
      counters[HEADER.magic] = COUNTERS_MAGIC;
      counters[HEADER.pid] = PID;
      counters[HEADER.thread] = number;
      counters[HEADER.parentThread] = parent?.number ?? -1;
      writeFileSync(`${name}.cnt`, counters, { mode: OWN_ONLY });
    }
  }

  /** The document of the parent's target that has started a worker of this address. */
  #parentOf({ parent }: PageTarget, file: string | null): Thread | undefined {
    const inParent = [...this.#threads.values()].filter(({ session }) => session === parent);
    return inParent.find(({ workers }) => workers.some(([address]) => address === file)) ?? inParent[0];
  }

  /** Shares out what a thread counted of all its workers of one address. */
  #countTraffic(parent: Thread): void {
    for (const [address, sent, received] of parent.workers) {
      const workers = [...this.#threads.values()].filter(
        ({ target, file }) =>
          target.kind === 'worker' && file === address && this.#parentOf(target, file) === parent,
      );
      let [sentLeft, receivedLeft] = [sent, received];
      for (const { counters } of workers) {
        counters[WAYS.down.sent] = Math.min(sentLeft, counters[WAYS.down.received]!);
        sentLeft -= counters[WAYS.down.sent]!;
        counters[WAYS.up.received] = Math.min(receivedLeft, counters[WAYS.up.sent]!);
        receivedLeft -= counters[WAYS.up.received]!;
      }
      const [first] = workers;
      if (first === undefined) {
        if (sent + received > 0) this.miss(UNTOLD);
        continue;
      }
      first.counters[WAYS.down.sent]! += sentLeft;
      // More arrived than a worker could tell before it was terminated.
      first.counters[WAYS.up.received]! += receivedLeft;
    }
  }
}

function kindOf({ kind }: PageTarget, said: Partial<PageStarted>): ThreadStarted['kind'] {
  if (kind === 'worker') return undefined;
  return kind === 'document' ? (said.kind === 'iframe' ? 'iframe' : 'page') : kind;
}

function parsed(text: string): unknown {
  return orElse(() => JSON.parse(text), null);
}

const isSize = (value: unknown): value is number =>
  Number.isFinite(value) && (value as number) >= -1 && (value as number) <= Number.MAX_SAFE_INTEGER;

const isTraffic = (one: unknown): one is WorkerTraffic =>
  Array.isArray(one) && typeof one[0] === 'string' && isSize(one[1]) && isSize(one[2]);

/** Sets counters from pairs of index and value; false if a pair is impossible. */
function setCounters(counters: Float64Array, pairs: readonly unknown[]): boolean {
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [index, value] = [pairs[i], pairs[i + 1]];
    if (!Number.isSafeInteger(index) || Number(index) < 0 || Number(index) >= THREAD_FIELDS) return false;
    if (!isSize(value)) return false;
    counters[index as number] = value;
  }
  return true;
}

/** Makes threads of messages from documents and workers of a page, which are untrusted: checked and limited. */
import {
  type PageState,
  pageStateSchema,
  type ThreadRecord,
  type ThreadRecordOf,
} from '../../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../../model/or-else.ts';
import { type PAGE_KINDS, PAGE_RECORDS } from '../../../model/recording/recording.ts';
import { parse } from '../../../model/schema.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS, WAYS } from '../../threads/counters.ts';
import { Gaps, type WrittenThread } from '../../threads/recorded-thread.ts';

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

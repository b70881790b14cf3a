/**
 * Documents and workers of a page, through the commands of its browser: the recorder is put into each, and what it sends
 * becomes threads. That is untrusted: checked and limited.
 */
import {
  type PageState,
  pageStateSchema,
  type ThreadRecord,
  type ThreadRecordOf,
} from '../../model/documents/recorded/recording.ts';
import { orElse } from '../../model/or-else.ts';
import { type PAGE_KINDS, PAGE_RECORDS, type PageTapSettings } from '../../model/recording/recording.ts';
import { parse } from '../../model/schema.ts';
import type { DevTools, JsonFields } from '../../runtimes/browser/browser.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS, WAYS } from '../threads/counters.ts';
import { Gaps, type WrittenThread } from '../threads/recorded-thread.ts';

const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

const BEFORE_SCRIPT = 'beforeScriptExecution';

const DOCUMENTS: readonly string[] = ['page', 'iframe'];
const WORKERS: readonly string[] = ['worker', 'shared_worker', 'service_worker'];

export type PageGone = 'closed' | 'crashed';

interface Session {
  id: string;
  target: string;
  type: string;
  /** Session of the target that leads to it; '' is the browser. */
  parent: string;
  url: string;
  end: string | null;
  /** Times that a service worker was started again: the sessions that lead to it stay. */
  restarts: number;
}

interface TargetOptions {
  devtools: DevTools;
  threads: PageThreads;
  script: string;
  settings: Omit<PageTapSettings, 'worker'>;
}

export class Targets {
  readonly #options: TargetOptions;
  readonly #send: DevTools['send'];
  readonly #sessions = new Map<string, Session>();
  readonly #inWorkers = new Map<string, Promise<void>>();
  isEnding = false;
  onPage: (session: string) => void = () => undefined;
  onGone: (session: string, how: PageGone) => void = () => undefined;

  constructor(options: TargetOptions) {
    this.#options = options;
    this.#send = options.devtools.send.bind(options.devtools);
    options.devtools.onEvent = (method, params, session) => this.#events[method]?.(params, session);
  }

  watch(): void {
    void this.#send('Target.setAutoAttach', ATTACH);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    const sessions = [...this.#sessions.values()];
    await Promise.all([
      ...sessions.map(({ id, end }) => this.#callEnd(id, end)),
      ...sessions
        .filter(({ type }) => DOCUMENTS.includes(type))
        .flatMap(({ id }) => this.#options.threads.realmsOf(id).map((realm) => this.#endDocument(id, realm))),
    ]);
  }

  async #callEnd(session: string, end: unknown): Promise<void> {
    if (typeof end !== 'string') return;
    const call = { objectId: end, functionDeclaration: 'function () { this(); }' };
    await this.#send('Runtime.callFunctionOn', call, session);
  }

  /** Ends the recorder through a listener for an event that never happens, so that no code of the page runs. */
  async #endDocument(session: string, contextId: number): Promise<void> {
    // Objects without a group come without the functions that listen.
    const ask = { expression: 'globalThis', contextId, objectGroup: 'recorder' };
    const found = await this.#send('Runtime.evaluate', ask, session);
    const { objectId } = (found?.result ?? {}) as JsonFields;
    const listening = await this.#send('DOMDebugger.getEventListeners', { objectId }, session);
    for (const { type, handler } of (listening?.listeners ?? []) as { type: string; handler?: JsonFields }[])
      if (type === this.#options.settings.binding) await this.#callEnd(session, handler?.objectId);
  }

  readonly #events: Readonly<Record<string, (params: JsonFields, session: string) => void>> = {
    'Target.attachedToTarget': (params, parent) => void this.#attached(params, parent),
    'Target.detachedFromTarget': ({ sessionId }) => this.#detached(String(sessionId)),
    'Debugger.paused': (_, session) => void this.#paused(session),
    'Inspector.targetCrashed': (_, session) => this.onGone(session, 'crashed'),
    'Inspector.targetReloadedAfterCrash': (_, session) => this.#restarted(session),
    'Runtime.bindingCalled': ({ name, payload, executionContextId }, id) => {
      const { settings, threads } = this.#options;
      const session = this.#sessions.get(id);
      // The realms of each start have the same numbers.
      const start = session?.restarts ? `${id} ${session.restarts}` : id;
      if (name === settings.binding)
        threads.receive(start, Number(executionContextId), String(payload), session);
    },
    // It would hold what the page logged until the page is left.
    'Runtime.consoleAPICalled': (_, session) => {
      void this.#send('Runtime.releaseObjectGroup', { objectGroup: 'console' }, session);
    },
    // alert(), confirm() and the like stop a page without a window.
    'Page.javascriptDialogOpening': ({ hasBrowserHandler }, session) => {
      if (hasBrowserHandler === true && !this.isEnding) return;
      void this.#send('Page.handleJavaScriptDialog', { accept: this.isEnding }, session);
    },
  };

  #detached(id: string): void {
    this.#sessions.delete(id);
    this.onGone(id, 'closed');
  }

  /** A service worker that was stopped or that crashed: it waits for each session again. */
  #restarted(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined || !WORKERS.includes(session.type)) return;
    const again = { ...session, end: null, restarts: session.restarts + 1 };
    this.#sessions.set(id, again);
    this.#stopAtScript(id);
    void this.#send('Runtime.runIfWaitingForDebugger', {}, id);
  }

  async #attached({ sessionId, targetInfo }: JsonFields, parent: string): Promise<void> {
    const { targetId, type, url } = targetInfo as Record<'targetId' | 'type' | 'url', string>;
    const id = String(sessionId);
    const session: Session = { id, target: targetId, type, parent, url, end: null, restarts: 0 };
    const isFirst = ![...this.#sessions.values()].some(({ target }) => target === targetId);
    this.#sessions.set(id, session);
    if (isFirst && DOCUMENTS.includes(type)) await this.#intoDocuments(session);
    else if (WORKERS.includes(type)) this.#stopAtScript(id);
    await this.#send('Runtime.runIfWaitingForDebugger', {}, id);
    if (isFirst && type === 'page') this.onPage(id);
  }

  /**
   * The worker is stopped at its first script: before that it does not have an address and lacks functions; Chromium 143
   * crashes when they are requested. Several sessions lead to a service worker, and each must let it run before any is
   * answered. It is not known which session the browser heeds first, so each stops it.
   */
  #stopAtScript(id: string): void {
    void this.#send('Debugger.enable', {}, id);
    void this.#send('Debugger.setInstrumentationBreakpoint', { instrumentation: BEFORE_SCRIPT }, id);
    void this.#send('Target.setAutoAttach', ATTACH, id);
  }

  async #intoDocuments({ id }: Session): Promise<void> {
    const source = this.#source(null);
    await Promise.all([
      this.#send('Page.enable', {}, id),
      // New documents do not get the function unless this is enabled.
      this.#send('Runtime.enable', {}, id),
      this.#send('Runtime.addBinding', { name: this.#options.settings.binding }, id),
      this.#send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }, id),
      this.#send('Target.setAutoAttach', ATTACH, id),
    ]);
  }

  async #paused(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    const start = `${session.target} ${session.restarts}`;
    const known = this.#inWorkers.get(start);
    const isIn = known ?? this.#intoWorker(session);
    if (known === undefined) this.#inWorkers.set(start, isIn);
    else await known;
    await Promise.all([
      this.#send('Debugger.removeBreakpoint', { breakpointId: `instrumentation:${BEFORE_SCRIPT}` }, id),
      this.#send('Debugger.disable', {}, id),
    ]);
  }

  async #intoWorker(session: Session): Promise<void> {
    const { id, url } = session;
    const [, started] = await Promise.all([
      this.#send('Runtime.addBinding', { name: this.#options.settings.binding }, id),
      this.#send('Runtime.evaluate', { expression: this.#source(url) }, id),
    ]);
    const end = (started?.result as JsonFields | undefined)?.objectId;
    if (typeof end === 'string') session.end = end;
  }

  #source(worker: string | null): string {
    const { script, settings } = this.#options;
    const given: PageTapSettings = { ...settings, worker };
    return `(() => { ${script}\nreturn recorder.start(${JSON.stringify(given)}); })()\n//# sourceURL=clone-prof:recorder`;
  }
}

type PageTarget = Pick<Session, 'id' | 'type' | 'parent'>;

const PID = 1;

const LIMITS = { threads: 4000, bytes: 128 * 2 ** 20 };

const UNTOLD =
  'A worker that sent no records: it did not start, ended at once, or was not reached. What it posted is not recorded.';

interface Thread {
  number: number;
  target: PageTarget;
  realm: number;
  state: PageState;
  records: string[];
}

type CountedThread = Thread & { counters: Float64Array };

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
    else this.#threads.set(key, { number: this.#threads.size + 1, target, realm, state, records: [] });
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
    const all = [...this.#threads.values()].map((one) => ({ ...one, counters: countersOf(one.state) }));
    for (const thread of all) this.#countTraffic(thread, all);
    return all.flatMap(({ number: thread, target, state, records, counters }) => {
      const { file, at } = state;
      // A tab or a frame shows about:blank before its page.
      if (file === 'about:blank' && counters[HEADER.total] === 0) return [];
      const parent = target.type === 'worker' ? parentOf(target, file, all) : undefined;
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

  #countTraffic(parent: CountedThread, all: readonly CountedThread[]): void {
    for (const [address, sent, received] of parent.state.workers) {
      const workers = all.filter(
        ({ target, state: { file } }) =>
          target.type === 'worker' && file === address && parentOf(target, file, all) === parent,
      );
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

function parentOf({ parent }: PageTarget, file: string | null, all: readonly CountedThread[]) {
  const inParent = all.filter(({ target }) => target.id === parent);
  const hasStarted = ({ state }: Thread) => state.workers.some(([address]) => address === file);
  return inParent.find(hasStarted) ?? inParent[0];
}

/** An index that no counter has sets nothing. */
function countersOf({ counters }: PageState): Float64Array {
  const fields = new Float64Array(THREAD_FIELDS);
  for (const [index, value] of counters) fields[index] = value;
  return fields;
}

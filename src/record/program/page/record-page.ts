/** Records a page: opens it in Chromium with the recorder in it, and waits until its tab is closed. */

import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { packageFile } from '../../../machine/folders.ts';
import { noSpaceLeft } from '../../../machine/machine.ts';
import { deferred, onSignals, type Signals, timerMs } from '../../../machine/waiting.ts';
import { ToolError } from '../../../model/errors.ts';
import { orElse } from '../../../model/or-else.ts';
import type { KeptValues, PageTapSettings } from '../../../model/recording/recording.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import { DevTools, type JsonFields, withProfile } from '../../../runtimes/browser/browser.ts';
import { drivenArgs } from '../../../runtimes/browser/kinds.ts';
import type { Environment } from '../../../runtimes/process/kinds.ts';
import { PageThreads } from './page-threads.ts';

const SCRIPT = 'dist/tap/page.js';

/** Silence after which no more answers are expected. On a busy machine a page takes longer to send everything. */
const SILENCE_MS = 3000;
const MAX_END_MS = 20_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export interface PageOptions {
  address: string;
  browser: FoundRuntime;
  headless: boolean;
  folder: string;
  values: KeptValues;
  doctor: boolean;
  forMs: number | null;
  env: Environment;
  signals: Signals;
  onOpening: (isHeadless: boolean) => void;
}

type PageGone = 'closed' | 'crashed';

type PageEnd = PageGone | 'time' | (typeof SIGNALS)[number];

const randomHex = (): string => randomBytes(16).toString('hex');

/** @throws ToolError 'page-unreachable', 'temp-unwritable', or that of a browser that ended */
export async function recordPage(options: PageOptions) {
  const { browser, folder, env } = options;
  // macOS and Windows always have a display.
  const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const isHeadless = options.headless || !hasDisplay;
  const threads = new PageThreads(browser);
  if (freeIn(folder) < ROOM_BYTES) throw noSpaceLeft();
  // A browser does not report a full disk: it ends, fails in part, or goes on. The folder may have been removed.
  const isFull = () => orElse(() => freeIn(folder), Number.POSITIVE_INFINITY) < FULL_BYTES;
  const script = await readFile(packageFile(SCRIPT), 'utf8');
  const ending = endOf(options);
  let driven: DrivenBrowser | null = null;
  try {
    driven = drivenBrowser(browser.binary, env, isHeadless);
    const { values, doctor } = options;
    const settings = { values, doctor, startedAt: Date.now(), salt: randomHex(), binding: `_${randomHex()}` };
    const targets = new Targets({ devtools: driven.devtools, threads, script, settings });
    const onOpening = () => options.onOpening(isHeadless);
    const end = await Promise.race([pageGone(options.address, driven, targets, onOpening), ending.promise]);
    await Promise.race([targets.end(), silence(threads)]);
    const all = threads.finish();
    if (end === 'crashed') threads.gaps.miss('The page crashed: its last counts are missing.');
    return { end, threads: all, gaps: threads.gaps.list, isFull: isFull() };
  } catch (error) {
    throw isFull() ? noSpaceLeft(error) : error;
  } finally {
    ending.release();
    await driven?.close();
  }
}

/** Until the page is gone. @throws ToolError 'page-unreachable', or that of a browser that ended before it had one */
function pageGone(
  address: string,
  { devtools, ended }: DrivenBrowser,
  targets: Targets,
  onOpening: () => void,
): Promise<PageGone> {
  const { promise, resolve: end, reject: fail } = deferred<PageGone>();
  let page: string | null = null;
  targets.onPage = async (session) => {
    if (page !== null) return;
    page = session;
    onOpening();
    const error = (await devtools.send('Page.navigate', { url: address }, page))?.errorText;
    if (typeof error === 'string' && error !== '')
      fail(new ToolError('page-unreachable', { value: address, detail: error.replace(/^net::/, '') }));
  };
  targets.onGone = (session, how) => {
    if (session === page) end(how);
  };
  // A browser whose last window was closed ends as well.
  void ended.then((error) => (page === null ? fail(error) : end('closed')));
  targets.watch();
  return promise;
}

type DrivenBrowser = ReturnType<typeof drivenBrowser>;

export function drivenBrowser(binary: string, env: Environment, isHeadless: boolean) {
  const group = withProfile((profile) => ({
    file: binary,
    args: drivenArgs(profile, { isHeadless }),
    env,
    // Chromium reads commands from its file descriptor 3 and writes to 4.
    pipes: 2,
  }));
  return {
    devtools: new DevTools(group.pipe(4), group.pipe(3)),
    ended: group.ended,
    async close(): Promise<void> {
      group.kill();
      await group.ended;
    },
  };
}

async function silence(threads: PageThreads): Promise<void> {
  const from = performance.now();
  let heard: number;
  do {
    ({ heard } = threads);
    await after(SILENCE_MS, undefined, { ref: false });
  } while (heard !== threads.heard && performance.now() - from < MAX_END_MS);
}

const ROOM_BYTES = 16 * 2 ** 20;
const FULL_BYTES = 2 ** 20;

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function endOf({ forMs, signals }: PageOptions) {
  const { promise, resolve: end } = deferred<PageEnd>();
  const timer = forMs === null ? undefined : setTimeout(() => end('time'), timerMs(forMs));
  const off = onSignals(signals, Object.fromEntries(SIGNALS.map((name) => [name, () => end(name)])));
  return {
    promise,
    release(): void {
      clearTimeout(timer);
      off();
    },
  };
}

const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

const BEFORE_SCRIPT = 'beforeScriptExecution';

const DOCUMENTS: readonly string[] = ['page', 'iframe'];
const WORKERS: readonly string[] = ['worker', 'shared_worker', 'service_worker'];

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
  onGone: (session: string, how: 'closed' | 'crashed') => void = () => undefined;

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
    const { threads } = this.#options;
    const sessions = [...this.#sessions.values()];
    await Promise.all([
      ...sessions.map(({ id, end }) => this.#callEnd(id, end)),
      ...sessions
        .filter(({ type }) => DOCUMENTS.includes(type))
        .flatMap(({ id }) => threads.realmsOf(id).map((realm) => this.#endDocument(id, realm))),
    ]);
  }

  async #callEnd(session: string, end: unknown): Promise<void> {
    if (typeof end !== 'string') return;
    const call = { objectId: end, functionDeclaration: 'function () { this(); }' };
    await this.#send('Runtime.callFunctionOn', call, session);
  }

  /** Ends the recorder through a listener for an event that never happens, so that no code of the page runs. */
  async #endDocument(session: string, contextId: number): Promise<void> {
    const { settings } = this.#options;
    // Objects without a group come without the functions that listen.
    const ask = { expression: 'globalThis', contextId, objectGroup: 'recorder' };
    const found = await this.#send('Runtime.evaluate', ask, session);
    const { objectId } = (found?.result ?? {}) as JsonFields;
    const listening = await this.#send('DOMDebugger.getEventListeners', { objectId }, session);
    for (const { type, handler } of (listening?.listeners ?? []) as { type: string; handler?: JsonFields }[])
      if (type === settings.binding) await this.#callEnd(session, handler?.objectId);
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
    const { settings } = this.#options;
    const source = this.#source(null);
    await Promise.all([
      this.#send('Page.enable', {}, id),
      // New documents do not get the function unless this is enabled.
      this.#send('Runtime.enable', {}, id),
      this.#send('Runtime.addBinding', { name: settings.binding }, id),
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
    const { settings } = this.#options;
    const { id, url } = session;
    const [, started] = await Promise.all([
      this.#send('Runtime.addBinding', { name: settings.binding }, id),
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

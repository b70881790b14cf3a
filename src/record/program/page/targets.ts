/**
 * Puts the recorder into every document and worker of a page before its own code runs: the browser stops each new one
 * until then (chromedevtools.github.io/devtools-protocol, Target.setAutoAttach).
 */
import type { PageTapSettings } from '../../../model/recording/settings.ts';
import type { DevTools, JsonFields } from '../../../runtimes/browser/devtools.ts';
import type { PageThreads } from './page-threads.ts';

const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

const BEFORE_SCRIPT = 'beforeScriptExecution';

/** Objects without a group come without the functions that listen. */
const GROUP = 'recorder';

const DOCUMENTS: readonly string[] = ['page', 'iframe'];
const WORKERS: readonly string[] = ['worker', 'shared_worker', 'service_worker'];

interface Session {
  id: string;
  target: string;
  type: string;
  /** Session of the target that leads to it; '' is the browser. */
  parent: string;
  url: string;
  /** The function in a worker that ends its recording. */
  end: string | null;
}

interface TargetOptions {
  devtools: DevTools;
  threads: PageThreads;
  /** Source of the recorder: a script whose global `recorder` has `start`. */
  script: string;
  settings: Omit<PageTapSettings, 'worker'>;
}

export class Targets {
  readonly #options: TargetOptions;
  readonly #send: DevTools['send'];
  readonly #sessions = new Map<string, Session>();
  /** Resolves when the recorder is in the worker; the key is the target. */
  readonly #inWorkers = new Map<string, Promise<void>>();
  isEnding = false;
  /** A document has the recorder, and can be opened. */
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

  /** Ends the recording in all that is there still. */
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
    const ask = { expression: 'globalThis', contextId, objectGroup: GROUP };
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
    'Runtime.bindingCalled': ({ name, payload, executionContextId }, session) => {
      const { settings, threads } = this.#options;
      const [realm, message] = [Number(executionContextId), String(payload)];
      if (name === settings.binding) threads.receive(session, realm, message, this.#sessions.get(session));
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
    const target = this.#sessions.get(id)?.target ?? '';
    this.#sessions.delete(id);
    // A worker that starts again has a different target.
    if (![...this.#sessions.values()].some((one) => one.target === target)) this.#inWorkers.delete(target);
    this.onGone(id, 'closed');
  }

  async #attached({ sessionId, targetInfo }: JsonFields, parent: string): Promise<void> {
    const { targetId, type, url } = targetInfo as Record<'targetId' | 'type' | 'url', string>;
    const session: Session = { id: String(sessionId), target: targetId, type, parent, url, end: null };
    const isFirst = ![...this.#sessions.values()].some(({ target }) => target === targetId);
    this.#sessions.set(session.id, session);
    if (isFirst && DOCUMENTS.includes(type)) await this.#intoDocuments(session);
    else if (WORKERS.includes(type)) {
      // The worker is stopped at its first script: before that it does not have an address and lacks functions;
      // Chromium 143 crashes when they are requested. Several sessions lead to a service worker, and each must let it
      // run before any is answered. It is not known which session the browser heeds first, so each stops it.
      void this.#send('Debugger.enable', {}, session.id);
      const stop = { instrumentation: BEFORE_SCRIPT };
      void this.#send('Debugger.setInstrumentationBreakpoint', stop, session.id);
      void this.#send('Target.setAutoAttach', ATTACH, session.id);
    }
    await this.#send('Runtime.runIfWaitingForDebugger', {}, session.id);
    if (isFirst && type === 'page') this.onPage(session.id);
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

  /** A worker is about to run its first script. */
  async #paused(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    const known = this.#inWorkers.get(session.target);
    const isIn = known ?? this.#intoWorker(session);
    if (known === undefined) this.#inWorkers.set(session.target, isIn);
    else await known;
    await Promise.all([
      this.#send('Debugger.removeBreakpoint', { breakpointId: `instrumentation:${BEFORE_SCRIPT}` }, id),
      // It goes on.
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

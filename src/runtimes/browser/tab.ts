import { ToolError } from '../../model/errors.ts';
import type { ExtensionChannel } from '../../model/names.ts';
import type { BundleForPage, FoundRuntime, StartOptions } from '../../model/run/runtime.ts';
import type { Body } from '../guests/connected-guest.ts';
import type { Beginning } from '../guests/start-guest.ts';
import { server } from './pages/page-server.ts';
import { PageSession } from './pages/page-session.ts';
import { pageMemory } from './processes.ts';

/** Pages of different addresses have separate processes. macOS has one loopback address. */
export const LOOPBACK_HOSTS: readonly string[] =
  process.platform === 'darwin'
    ? ['127.0.0.1', 'localhost']
    : Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 1}`);

/** Requests often follow one another at once. */
const IDLE_MS = 50;

/** A browser that was started, or that came by the link. */
export interface TabOwner extends Omit<Body, 'idle'> {
  /** Then it takes no time from guests that are measured: Firefox is busy with itself for long after its start. */
  pause?(): void;
  goOn?(): void;
  /** Process group; absent if we did not start its processes. */
  readonly id?: number;
  readonly graceMs?: number;
}

/** A browser, and the page in it that the next guest takes. It is one of `tabs` until its browser ends. */
export class Tab {
  readonly browser: TabOwner;
  readonly runtime: FoundRuntime;
  session: PageSession;
  taken = false;
  readonly extension: ExtensionChannel | null = null;
  readonly #hosts: readonly string[];
  #pages = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param hosts each page is of the next of them */
  constructor(browser: TabOwner, runtime: FoundRuntime, first: PageSession, hosts = LOOPBACK_HOSTS) {
    this.browser = browser;
    this.#hosts = hosts;
    this.runtime = runtime;
    this.session = first;
    first.next = () => this.#next(first);
    tabs.add(this);
    void browser.ended.then(() => {
      tabs.delete(this);
      if (!this.taken) server.close(this.session);
    });
  }

  /** The next page is loaded at once, in a separate process, and waits paused. A browser that loses it ends. */
  async #next(left: PageSession): Promise<string | null> {
    // A page makes room once, and not for a browser that has ended.
    if (this.session !== left || !tabs.has(this)) throw new Error('no such page');
    const host = this.#hosts[++this.#pages % this.#hosts.length]!;
    const session = new PageSession(host, this.session.isLookedAt);
    session.next = () => this.#next(session);
    this.session = session;
    this.taken = false;
    void session.connected.then(() => {
      if (this.#waits(session)) this.browser.pause?.();
    });
    void session.closed.then(() => {
      if (this.#waits(session)) this.browser.kill();
    });
    return this.open(session, await server.open(session));
  }

  /** @param url address of the session @returns address for the previous page; null: the browser is led there */
  protected async open(_session: PageSession, url: string): Promise<string | null> {
    return url;
  }

  #waits(session: PageSession): boolean {
    return !this.taken && this.session === session;
  }

  take({ cwd, sender = 'main' }: StartOptions, bundle: BundleForPage): Beginning {
    const { session, browser } = this;
    this.taken = true;
    // A page that left by itself did so before it was idle for long.
    clearTimeout(this.#idle);
    session.cwd = cwd;
    session.bundle = bundle;
    session.sender = sender;
    session.memory = browser.id === undefined ? null : pageMemory(browser.id);
    browser.goOn?.();
    const body = this.#body();
    // The session is not closed with the stream: Firefox closes it before it asks for the next page.
    void body.ended.then(() => server.close(session));
    // Leaving is how a page ends; killing it ends its browser.
    return { body, link: session, terms: { asksToExit: true, graceMs: browser.graceMs } };
  }

  /** It ends when the guest leaves for the next page, or its browser ends. */
  #body(): Body {
    const { session, browser } = this;
    let isLeft = false;
    const left = session.left.then(() => {
      isLeft = true;
      return new ToolError('guest-exited', { detail: 'the page was left' });
    });
    // A page that lacks memory may end its browser in any way.
    const ended = browser.ended.then((error) =>
      error.code === 'browser-left' ? error : ToolError.again('guest-crashed', error.facts),
    );
    return {
      kill() {
        // Once the page has left, the browser belongs to another guest.
        if (!isLeft) browser.kill();
      },
      ended: Promise.race([left, ended]),
      idle: (isIdle) => {
        if (!isLeft) this.#restWhen(isIdle);
      },
      excerpt: () => browser.excerpt(),
    };
  }

  #restWhen(isIdle: boolean): void {
    clearTimeout(this.#idle);
    if (isIdle) this.#idle = setTimeout(() => this.browser.pause?.(), IDLE_MS).unref();
    else this.browser.goOn?.();
  }
}

export const tabs = new Set<Tab>();

/** Serves the session of a guest, and starts what opens it. A start that fails leaves nothing. */
export async function startFor<Started>(
  first: PageSession,
  start: (url: string) => Started,
): Promise<{ started: Started; url: string }> {
  try {
    const url = await server.open(first);
    return { started: start(url), url };
  } catch (error) {
    server.close(first);
    throw error;
  }
}

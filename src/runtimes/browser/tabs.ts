/** Browsers, started here or come by the link of `-r url`, each with the page in it that the next guest takes. */
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { compareVersions } from '../../engines/versions/versions.ts';
import { deferred, inTime, within } from '../../machine/waiting.ts';
import { ToolError } from '../../model/errors.ts';
import { ENGINE_OF, type ExtensionChannel } from '../../model/names.ts';
import {
  type BundleForPage,
  type FoundRuntime,
  FROM_LINK,
  type LinkOptions,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { Hello } from '../../model/wire/wire.ts';
import type { Body } from '../guests/connected-guest.ts';
import type { Beginning } from '../guests/start-guest.ts';
import { BROWSERS, isBrowser } from './kinds.ts';
import { type Invited, server } from './pages/page-server.ts';
import { PageSession, pageMemory } from './pages/page-session.ts';

/** Pages of different addresses have separate processes. macOS has one loopback address. */
export const LOOPBACK_HOSTS: readonly string[] =
  process.platform === 'darwin'
    ? ['127.0.0.1', 'localhost']
    : Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 1}`);

/** Requests often follow one another at once. */
const IDLE_MS = 50;

/** A browser that was started, or that came by the link. */
interface TabOwner extends Omit<Body, 'idle'> {
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

// The link of `-r url`: any browser that opens it takes part.

/** The tool can stop only its link. */
function visitor({ spec }: FoundRuntime): TabOwner {
  const { promise, resolve } = deferred<ToolError>();
  return {
    ended: promise,
    // Over a slow network the next page comes late.
    graceMs: 5000,
    kill: () => resolve(new ToolError('browser-left', { value: spec })),
    excerpt: () => '',
  };
}

/** For the page after the last guest, so that it can show the end. */
const LAST_PAGE_MS = 3000;

/** Maximum pages that were opened and have not connected: previews of links, and people who try the link out. */
const MAX_ENTERING = 8;

/** @throws ToolError 'usage' */
function hostsOf(listen: string | null): readonly string[] {
  if (listen === null || LOOPBACK_HOSTS.includes(listen)) return LOOPBACK_HOSTS;
  const here = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).flatMap(({ family, address }) => (family === 'IPv4' ? [address] : [])),
  );
  if (here.includes(listen)) return [listen];
  const detail = `--listen ${listen}: not an IPv4 address of this machine. It has: ${here.join(', ')}`;
  throw new ToolError('usage', { detail });
}

export class Invitation implements Invited {
  readonly token = randomBytes(16).toString('hex');
  readonly hosts: readonly string[];
  port = 0;
  readonly origin = null;
  readonly #tabs: Tab[] = [];
  readonly #link: LinkOptions;
  readonly #entering = new Set<PageSession>();
  /** Calls of `next` that wait for a browser. */
  #seats: ((runtime: FoundRuntime) => void)[] = [];

  constructor(link: LinkOptions) {
    this.#link = link;
    this.hosts = hostsOf(link.listen);
  }

  get host(): string {
    return this.hosts[0]!;
  }

  get isPublic(): boolean {
    return this.hosts !== LOOPBACK_HOSTS;
  }

  /** @throws ToolError 'runtime-missing', 'interrupted' */
  async next(signal?: AbortSignal): Promise<FoundRuntime> {
    const { timeoutMs } = this.#link;
    const detail = `no browser opened the link within ${timeoutMs / 1000} s; --timeout says how long to wait`;
    const missing = () => new ToolError('runtime-missing', { value: 'url', detail });
    const { promise, resolve } = deferred<FoundRuntime>();
    this.#seats.push(resolve);
    try {
      return await inTime(promise, timeoutMs, missing, signal);
    } finally {
      this.#seats = this.#seats.filter((seat) => seat !== resolve);
    }
  }

  /** Opens a separate page for a visitor of the link, who takes a place when the page connects. */
  async enter(): Promise<string | null> {
    if (this.#seats.length === 0) return null;
    const session = new PageSession(this.host, true);
    this.#entering.add(session);
    const [oldest] = this.#entering;
    if (this.#entering.size > MAX_ENTERING && oldest) server.close(oldest);
    void session.closed.then(() => {
      if (this.#entering.delete(session)) server.close(session);
    });
    void session.connected.then((hello) => this.#join(session, hello));
    return server.open(session);
  }

  #join(session: PageSession, { runtime: { name, version, brand } }: Hello): void {
    if (!this.#entering.has(session)) return;
    const seat = isBrowser(name) ? this.#seats.shift() : undefined;
    if (seat === undefined || !isBrowser(name)) {
      server.close(session);
      return;
    }
    this.#entering.delete(session);
    // All that a user agent says is a claim: a version is digits and dots.
    const shown = /^\d{1,8}(\.\d{1,8}){0,3}/.exec(version)?.[0] ?? '0';
    const spec = `${brand ?? name}@${shown}`;
    const { oldest } = BROWSERS[name];
    const same = this.#tabs.filter(({ runtime }) => runtime.spec.split(' ')[0] === spec).length;
    const runtime: FoundRuntime = {
      ...{ name, version: shown, engine: ENGINE_OF[name], ...(brand && { brand }) },
      spec: same === 0 ? spec : `${spec} (${same + 1})`,
      binary: `${FROM_LINK}:${this.token}:${this.#tabs.length}`,
      from: FROM_LINK,
      link: this.isPublic ? 'network' : 'this-machine',
      ...(compareVersions(shown, oldest) < 0 && { needs: oldest }),
    };
    this.#tabs.push(new Tab(visitor(runtime), runtime, session, this.hosts));
    seat(runtime);
  }

  /** Closes the page of each browser that is still there, which then shows the end. */
  async end(): Promise<void> {
    const last = this.#tabs.map(({ session }) => session);
    await within(LAST_PAGE_MS, Promise.all(last.map(({ connected }) => connected)));
    for (const { session } of this.#tabs) server.close(session);
  }
}

export async function openInvitation(browsers: number, options: LinkOptions): Promise<Invitation> {
  const invitation = new Invitation(options);
  const url = await server.open(invitation);
  const { timeoutMs, onLink } = options;
  onLink({ url, browsers, timeoutMs, isPublic: invitation.isPublic });
  return invitation;
}

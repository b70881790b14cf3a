import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, StartOptions } from '../../model/runtime.ts';
import type { Hello } from '../../model/wire/wire.ts';
import { awaitHello } from '../await-hello.ts';
import type { Body } from '../body.ts';
import type { Browser } from './browser.ts';
import { PageSession } from './page-session.ts';

/** Pages of different addresses have processes of their own. macOS has no other loopback addresses. */
const HOSTS =
  process.platform === 'darwin'
    ? ['127.0.0.1', 'localhost']
    : Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 1}`);

/** Requests often follow one another at once. */
const IDLE_MS = 50;

const PAGE_ENDED = 'its page ended, perhaps for lack of memory';

/** A browser, and the page in it that the next guest takes. */
export class Tab {
  readonly browser: Browser;
  readonly runtime: FoundRuntime;
  session: PageSession;
  /** A guest has taken the page. */
  taken = false;
  #pages = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(browser: Browser, runtime: FoundRuntime, first: PageSession) {
    this.browser = browser;
    this.runtime = runtime;
    this.session = first;
  }

  static firstPage(): PageSession {
    return new PageSession(HOSTS[0]!);
  }

  /** A guest was here before. */
  get used(): boolean {
    return this.#pages > 0;
  }

  /** The page of the next guest. It waits, without using the processor. A browser that loses it ends. */
  nextPage(): PageSession {
    const session = new PageSession(HOSTS[++this.#pages % HOSTS.length]!);
    this.session = session;
    this.taken = false;
    void session.connected.then(() => this.#rest(session));
    void session.closed.then(() => {
      if (this.#waits(session)) this.browser.kill();
    });
    return session;
  }

  #waits(session: PageSession): boolean {
    return !this.taken && this.session === session;
  }

  #rest(session: PageSession): void {
    if (this.#waits(session)) this.browser.pause();
  }

  async take(options: StartOptions): Promise<Hello> {
    const { session, browser, runtime } = this;
    this.taken = true;
    session.cwd = options.cwd;
    browser.goOn();
    const ended = Promise.race([
      browser.ended.then(({ facts }) => `the browser ended: ${facts.detail}`),
      session.closed.then(() => PAGE_ENDED),
    ]);
    return awaitHello(runtime.spec, session.connected, ended, browser, options);
  }

  /** What is alive behind the guest of the page: it leaves for the next one, or its browser ends. */
  body(): Body {
    const { session, browser } = this;
    let isLeft = false;
    let isClosed = false;
    void session.closed.then(() => {
      isClosed = true;
    });
    let isLost = false;
    const left = session.left.then(() => {
      isLeft = true;
      return new ToolError('guest-exited', { detail: 'the page was left' });
    });
    const kill = () => {
      // Then the browser belongs to another guest.
      if (isLeft) return;
      isLost = isClosed;
      browser.kill();
    };
    const ended = browser.ended.then(({ code, facts }) => {
      // Firefox ends by itself when a page has.
      const detail = isLost || code === 'guest-exited' ? PAGE_ENDED : `the browser ended: ${facts.detail}`;
      return new ToolError('guest-crashed', { detail, output: browser.excerpt() });
    });
    this.#restWhen(true);
    return {
      kill,
      ended: Promise.race([left, ended]),
      idle: (isIdle) => {
        if (!isLeft) this.#restWhen(isIdle);
      },
      excerpt: () => browser.excerpt(),
    };
  }

  #restWhen(isIdle: boolean): void {
    clearTimeout(this.#idle);
    if (isIdle) this.#idle = setTimeout(() => this.browser.pause(), IDLE_MS).unref();
    else this.browser.goOn();
  }
}

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Sender } from '../../../model/names.ts';
import type { BundleForPage, PageModule } from '../../../model/page-module.ts';
import type { NumberedRequest, PageView, ToPage } from '../../../model/wire/wire.ts';
import { helloIn, Mismatch, messageIn } from '../../guests/answers.ts';
import { deferred } from '../../guests/body.ts';
import type { GuestConnection, HostLink } from '../../guests/connected-guest.ts';
import type { PageMemory } from './page-memory.ts';
import { ServedFiles } from './served-files.ts';

const HELLO_BYTES = 16_384;

/**
 * One guest of a browser on the host's side: the folder `/<token>/` of the server, and the link over it. What is asked
 * before the page listens waits.
 */
export class PageSession implements HostLink {
  readonly token = randomBytes(16).toString('hex');
  /** A page of another address has another process. */
  readonly host: string;
  /** Port of the server on that host. */
  port = 0;
  onMessage: (message: unknown) => void = () => undefined;
  readonly #closed = deferred<string | null>();
  readonly closed = this.#closed.promise;
  readonly #connected = deferred<GuestConnection>();
  /** The page has connected. */
  readonly connected = this.#connected.promise;
  readonly #left = deferred<void>();
  /** The page has made room for the next one. */
  readonly left = this.#left.promise;
  /** How many came. */
  requests = 0;
  mostBytes = HELLO_BYTES;
  readonly #files = new ServedFiles();
  /** Of the page, where another server than this one has it: an extension of the browser. */
  origin: string | null = null;
  /** Where the guest's service worker may compile nothing by itself: does what waits for that in it. */
  compile: (() => Promise<void>) | null = null;
  /** Set when a guest has taken it. */
  cwd = '';
  bundle: BundleForPage | null = null;
  sender: Sender = 'main';
  /** null where no process of ours is behind the page. */
  memory: PageMemory | null = null;
  /** Somebody looks at the page. */
  readonly isLookedAt: boolean;
  isReceiving = false;
  /** It works on a request: nothing is drawn. */
  isBusy = false;
  #view: PageView | null = null;
  #events: ServerResponse | null = null;
  #waiting: string[] = [];
  #isKnown = false;

  constructor(host: string, isLookedAt = false) {
    this.host = host;
    this.isLookedAt = isLookedAt;
  }

  send(message: ToPage): void {
    if ('type' in message && message.type !== 'exit') this.#showView();
    const line = `data: ${JSON.stringify('type' in message ? this.#asked(message) : message)}\n\n`;
    if (this.#events) this.#events.write(line);
    else this.#waiting.push(line);
  }

  /** At once, or before the next request. */
  show(view: PageView): void {
    if (!this.isLookedAt) return;
    this.#view = view;
    if (!this.isBusy) this.#showView();
  }

  close(): void {
    this.#events?.end();
    this.#closed.resolve(null);
  }

  /** The page listens. A second stream is refused. */
  listen(response: ServerResponse): boolean {
    if (this.#events !== null) return false;
    this.#events = response;
    response.on('close', () => this.#closed.resolve(null));
    for (const line of this.#waiting) response.write(line);
    this.#waiting = [];
    if (!this.isBusy) this.#showView();
    return true;
  }

  /** A POST of the page, or of user code in it. The first is the hello. */
  receive(body: Uint8Array): void {
    try {
      if (this.#isKnown) this.onMessage(messageIn(body));
      else this.#hello(body);
    } catch (error) {
      if (!(this.#isKnown && error instanceof Mismatch)) throw error;
      this.refuse(error.message);
    }
  }

  /** Ends the link for this reason. */
  refuse(reason: string): void {
    this.#closed.resolve(reason);
    this.#events?.end();
  }

  leave(): void {
    this.#left.resolve();
  }

  /** null for what no request named. */
  file(key: string): string | null {
    return this.#files.fileOf(key);
  }

  /** null for what no request named. @throws ToolError as BundleForPage */
  async module(key: string): Promise<PageModule | null> {
    return this.bundle && this.#files.moduleOf(key, this.bundle, this.cwd);
  }

  #showView(): void {
    if (this.#events === null || this.#view === null) return;
    const view = this.#view;
    this.#view = null;
    this.send({ view });
  }

  #hello(body: Uint8Array): void {
    const hello = helloIn(body);
    if (hello.token !== this.token) return;
    this.#isKnown = true;
    this.#connected.resolve({ hello, link: this });
  }

  /** With who sends, which only pages choose. */
  #asked(request: NumberedRequest): NumberedRequest {
    const isTimed = request.type === 'measure' || request.type === 'memory';
    return this.#files.inKeys(isTimed ? { ...request, sender: this.sender } : request);
  }
}

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { SIGNATURE_CHARS, type SigningKey, signatureOf } from '../../../core/signature.ts';
import type { Sender } from '../../../model/names.ts';
import type { BundleForPage, PageModule } from '../../../model/page-module.ts';
import type { PageView, ToPage } from '../../../model/wire/page-view.ts';
import type { Hello, NumberedRequest } from '../../../model/wire/wire.ts';

import type { HostLink } from '../../guests/connected-guest.ts';
import { helloOf } from '../../guests/hello.ts';
import type { PageMemory } from './page-memory.ts';
import { ServedFiles } from './served-files.ts';

const HELLO_BYTES = 16_384;
const UNSIGNED = 'an answer without its signature';
const text = new TextDecoder();

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
  readonly closed: Promise<string | null>;
  /** The page has connected. */
  readonly connected: Promise<Hello>;
  /** The page has made room for the next one. */
  readonly left: Promise<void>;
  mostBytes = HELLO_BYTES;
  readonly #files = new ServedFiles();
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
  readonly #key: SigningKey;
  #events: ServerResponse | null = null;
  #waiting: string[] = [];
  #received = -1;
  #close: (reason: string | null) => void = () => undefined;
  #connect: (hello: Hello) => void = () => undefined;
  #leave: () => void = () => undefined;

  constructor(host: string, isLookedAt = false) {
    this.host = host;
    this.isLookedAt = isLookedAt;
    const random = randomBytes(8);
    this.#key = [random.readUInt32LE(0), random.readUInt32LE(4)];
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    this.connected = new Promise((resolve) => {
      this.#connect = resolve;
    });
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
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
    this.#close(null);
  }

  /** The page listens. A second stream is refused. */
  listen(response: ServerResponse): boolean {
    if (this.#events !== null) return false;
    this.#events = response;
    response.on('close', () => this.#close(null));
    for (const line of this.#waiting) response.write(line);
    this.#waiting = [];
    if (!this.isBusy) this.#showView();
    return true;
  }

  /** A POST of the page, or of user code in it. The first is the hello. */
  receive(body: Uint8Array): void {
    if (this.#received < 0) this.#hello(body);
    else this.#answer(body);
  }

  /** Ends the link for this reason. */
  refuse(reason: string): void {
    this.#close(reason);
    this.#events?.end();
  }

  leave(): void {
    this.#leave();
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
    const hello = helloOf(JSON.parse(text.decode(body)));
    if (hello.token !== this.token) return;
    this.#received = 0;
    this.send({ key: [...this.#key] });
    this.#connect(hello);
  }

  #answer(body: Uint8Array): void {
    const message = body.subarray(SIGNATURE_CHARS);
    const signature = text.decode(body.subarray(0, SIGNATURE_CHARS));
    if (signature !== signatureOf(this.#key, this.#received++, message)) this.refuse(UNSIGNED);
    else this.onMessage(JSON.parse(text.decode(message)));
  }

  /** With who sends, which only pages choose. */
  #asked(request: NumberedRequest): NumberedRequest {
    const isTimed = request.type === 'measure' || request.type === 'memory' || request.type === 'load';
    return this.#files.inKeys(isTimed ? { ...request, sender: this.sender } : request);
  }
}

/** A page without a browser: speaks HTTP as a page does, and as none should. */
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';

export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

const agent = new Agent({ keepAlive: false });

/** `host` and other headers may be anything. */
export function ask(
  url: string,
  options: RequestOptions = {},
  body?: string | Uint8Array,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

export class FakePage {
  readonly root: string;
  readonly received: Record<string, unknown>[] = [];
  /** The stream of events has ended. */
  readonly ended: Promise<void>;
  #arrived: () => void = () => undefined;
  readonly #stream: ReturnType<typeof request>;

  constructor(root: string) {
    this.root = root;
    this.#stream = request(new URL('events', root), { agent });
    this.ended = new Promise((resolve) => {
      this.#stream.on('response', (response) => {
        response.setEncoding('utf8').on('data', (text: string) => this.#read(text));
        response.on('close', resolve);
      });
      this.#stream.on('error', () => resolve());
    });
    this.#stream.end();
  }

  static async at(link: string): Promise<FakePage> {
    const { headers } = await ask(link);
    return new FakePage(String(headers.location));
  }

  #read(text: string): void {
    for (const [, line = ''] of text.matchAll(/^data: (.*)$/gm)) {
      const message = JSON.parse(line) as Record<string, unknown>;
      this.received.push(message);
    }
    this.#arrived();
  }

  /** The first message that was received with this property. */
  async message(property: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.received.find((message) => property in message);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  hello(runtime: Record<string, unknown> = { name: 'firefox', version: '140.0', engine: 'spidermonkey' }) {
    const token = new URL(this.root).pathname.slice(1, -1);
    return this.post(JSON.stringify({ type: 'hello', token, runtime }));
  }

  post(body: string | Uint8Array): Promise<Answered> {
    return ask(new URL('answers', this.root).href, { method: 'POST' }, body);
  }

  /** The connection is lost in the middle of an answer. */
  async losePost(): Promise<void> {
    const options = { agent, method: 'POST', headers: { 'content-length': 1000 } };
    const asking = request(new URL('answers', this.root), options).on('error', () => undefined);
    await new Promise((resolve) => asking.write('begins', resolve));
    // Another answer of the server: it has begun to read.
    await ask(this.root);
    asking.destroy();
    await ask(this.root);
  }

  answer(message: unknown): Promise<Answered> {
    return this.post(JSON.stringify(message));
  }

  leave(): void {
    this.#stream.destroy();
  }
}

/** The DevTools protocol over two pipes of a browser that was started with `--remote-debugging-pipe`: no port is open. */
import type { Readable, Writable } from 'node:stream';
import { orElse } from '../../model/or-else.ts';

export type JsonFields = Record<string, unknown>;

interface Message {
  id?: number;
  method?: string;
  params?: JsonFields;
  sessionId?: string;
  result?: JsonFields;
}

/** `session`: the target that the event comes from; '' is the browser. */
export type OnEvent = (method: string, params: JsonFields, session: string) => void;

/** Of a message of the browser, which may hold data that a page posts. */
const MAX_UNITS = 2 ** 27;

export class DevTools {
  readonly #output: Writable;
  readonly #waiting = new Map<number, (answer: JsonFields | null) => void>();
  #last = 0;
  #isOpen = true;
  onEvent: OnEvent = () => undefined;
  /** Called with true when a command is sent, and with false when all commands are answered. */
  onWaiting: (isWaiting: boolean) => unknown = () => undefined;

  /** @param input stream from the browser @param output stream to it */
  constructor(input: Readable, output: Writable) {
    this.#output = output;
    let parts: string[] = [];
    let units = 0;
    input.setEncoding('utf8').on('data', (piece: string) => {
      const ends = piece.split('\0');
      for (const [i, part] of ends.entries()) {
        parts.push(part);
        units += part.length;
        if (i === ends.length - 1) break;
        if (units <= MAX_UNITS) this.#receive(parts.join(''));
        parts = [];
        units = 0;
      }
      if (units > MAX_UNITS) parts = [];
    });
    input.on('close', () => this.#close());
    for (const stream of [input, output]) stream.on('error', () => this.#close());
  }

  /** null if the browser refuses the command or has ended. */
  send(method: string, params: JsonFields = {}, session = ''): Promise<JsonFields | null> {
    if (!this.#isOpen) return Promise.resolve(null);
    const id = ++this.#last;
    const text = JSON.stringify({ id, method, params, ...(session && { sessionId: session }) });
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.onWaiting(true);
      this.#output.write(`${text}\0`);
    });
  }

  #close(): void {
    this.#isOpen = false;
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
  }

  #receive(text: string): void {
    const message = orElse(() => JSON.parse(text) as Message | null, null);
    const { id, method, params = {}, sessionId = '', result = null } = message ?? {};
    if (id === undefined) {
      if (method !== undefined) this.onEvent(method, params, sessionId);
      return;
    }
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.onWaiting(false);
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import { lineCutter } from '../../core/lines.ts';
import type { Link } from '../../model/link.ts';
import type { FromGuest, Hello, NumberedRequest } from '../../model/wire.ts';

/** A guest that has connected. */
export interface GuestConnection {
  hello: Hello;
  link: Link<NumberedRequest, FromGuest>;
}

/** Limits for a connection before its hello. */
const HELLO_MS = 10_000;
const HELLO_CHARS = 16_384;

/**
 * The server that guests connect to: on 127.0.0.1 and a random port, open only while a guest is expected or connected.
 * A connection that does not begin with an expected token is closed.
 */
export class GuestServer {
  /** By token. */
  readonly #expected = new Map<string, (connection: GuestConnection) => void>();
  readonly #connected = new Set<Socket>();
  #server: Promise<{ server: Server; port: number }> | null = null;

  /** The port for a guest to connect to, and its connection once it has sent `token`. */
  async expect(token: string): Promise<{ port: number; connected: Promise<GuestConnection> }> {
    const connected = new Promise<GuestConnection>((resolve) => this.#expected.set(token, resolve));
    this.#server ??= this.#listen();
    return { port: (await this.#server).port, connected };
  }

  /** The guest with this token is not expected any more. */
  forget(token: string): void {
    this.#expected.delete(token);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#expected.size > 0 || this.#connected.size > 0) return;
    const closing = this.#server;
    this.#server = null;
    closing?.then(({ server }) => server.close());
  }

  #listen(): Promise<{ server: Server; port: number }> {
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => this.#accept(socket));
      server.unref();
      server.on('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, () => {
        const address = server.address();
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve({ server, port: address.port });
      });
    });
  }

  #accept(socket: Socket): void {
    socket.unref();
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    let link: GuestConnection['link'] | null = null;
    let received = 0;
    const cut = lineCutter((text) => {
      if (link) link.onMessage(JSON.parse(text) as FromGuest);
      else link = this.#connect(socket, text);
    });
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer | string) => {
      received += piece.length;
      if (!link && received > HELLO_CHARS) socket.destroy();
      else if (!socket.destroyed) cut(piece as string);
    });
  }

  /** null, and the connection closed, unless `text` is the hello of an expected guest. */
  #connect(socket: Socket, text: string): GuestConnection['link'] | null {
    const hello = parseHello(text);
    const onConnected = hello && this.#expected.get(hello.token);
    if (!onConnected) {
      socket.destroy();
      return null;
    }
    this.#expected.delete(hello.token);
    this.#connected.add(socket);
    socket.setTimeout(0);
    socket.on('close', () => {
      this.#connected.delete(socket);
      this.#closeWhenIdle();
    });
    const link = linkOver(socket);
    onConnected({ hello, link });
    return link;
  }
}

function linkOver(socket: Socket): GuestConnection['link'] {
  return {
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    onMessage: () => undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.destroy(),
  };
}

function parseHello(text: string): Hello | null {
  try {
    const parsed = JSON.parse(text) as Partial<Hello> | null;
    return parsed?.type === 'hello' && typeof parsed.token === 'string' ? (parsed as Hello) : null;
  } catch {
    return null;
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import { lineCutter } from '../../core/lines.ts';
import type { FromGuest, Hello } from '../../model/wire.ts';

/** A guest's line: its messages go to `onMessage` once that is set. */
export interface GuestConnection {
  hello: Hello;
  socket: Socket;
  onMessage: (message: FromGuest) => void;
}

/** A stranger must say its hello at once and briefly. */
const HELLO_MS = 10_000;
const HELLO_CHARS = 16_384;

/**
 * Where guests call in: one server of this process on 127.0.0.1 and a random port, open only while a guest is
 * expected or there. A caller that does not begin with a token it was given is hung up on.
 */
export class GuestServer {
  readonly #expected = new Map<string, (line: GuestConnection) => void>();
  readonly #lines = new Set<Socket>();
  #server: Promise<{ server: Server; port: number }> | null = null;

  /** The port to call, where the guest that knows `token` will be handed to `take`. */
  async expect(token: string, take: (line: GuestConnection) => void): Promise<number> {
    this.#expected.set(token, take);
    this.#server ??= this.#listen();
    return (await this.#server).port;
  }

  /** Gives up on a guest that did not call. */
  forget(token: string): void {
    this.#expected.delete(token);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#expected.size > 0 || this.#lines.size > 0) return;
    const closing = this.#server;
    this.#server = null;
    closing?.then(({ server }) => server.close());
  }

  #listen(): Promise<{ server: Server; port: number }> {
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => this.#answerCall(socket));
      server.unref();
      server.on('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, () => {
        const address = server.address();
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve({ server, port: address.port });
      });
    });
  }

  #answerCall(socket: Socket): void {
    socket.unref();
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    let line: GuestConnection | null = null;
    let said = 0;
    const cut = lineCutter((text) => {
      if (line) line.onMessage(JSON.parse(text) as FromGuest);
      else line = this.#greet(socket, text);
    });
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer | string) => {
      said += piece.length;
      if (!line && said > HELLO_CHARS) socket.destroy();
      else if (!socket.destroyed) cut(piece as string);
    });
  }

  #greet(socket: Socket, text: string): GuestConnection | null {
    const hello = parseHello(text);
    const take = hello && this.#expected.get(hello.token);
    if (!take) {
      socket.destroy();
      return null;
    }
    this.#expected.delete(hello.token);
    this.#lines.add(socket);
    socket.setTimeout(0);
    socket.on('close', () => {
      this.#lines.delete(socket);
      this.#closeWhenIdle();
    });
    const line: GuestConnection = { hello, socket, onMessage: () => {} };
    take(line);
    return line;
  }
}

function parseHello(text: string): Hello | null {
  try {
    const said = JSON.parse(text) as Partial<Hello> | null;
    return said?.type === 'hello' && typeof said.token === 'string' ? (said as Hello) : null;
  } catch {
    return null;
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import { SIGNATURE_CHARS } from '../../core/signature.ts';
import { orElse } from '../../model/or-else.ts';
import type { FromHost, Hello } from '../../model/wire/wire.ts';
import type { HostLink } from '../guests/connected-guest.ts';
import { helloIn, SignedMessages } from '../guests/signed-messages.ts';
import { LineBuffer } from './line-buffer.ts';

/** A guest that has connected. */
export interface GuestConnection {
  hello: Hello;
  link: HostLink;
}

/** Limits for a connection before its hello. */
const HELLO_MS = 10_000;
const HELLO_BYTES = 16_384;

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
    this.#server ??= listenOn(
      createServer((socket) => this.#accept(socket)),
      '127.0.0.1',
    );
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

  #accept(socket: Socket): void {
    socket.unref();
    socket.setNoDelay(true);
    let link: SocketLink | null = null;
    const lines = new LineBuffer(
      HELLO_BYTES,
      (line) => {
        if (link) link.receive(line);
        else link = this.#connect(socket, line, lines);
      },
      () => {
        if (link) link.refuse(`a line of more than ${lines.mostBytes.toLocaleString('en-US')} bytes`);
        else socket.destroy();
      },
    );
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      if (!socket.destroyed) lines.add(piece as Buffer);
    });
  }

  /** null, and the connection closed, unless the line is the hello of an expected guest. */
  #connect(socket: Socket, line: Uint8Array, lines: LineBuffer): SocketLink | null {
    // null: it is not from a guest.
    const hello = orElse(() => helloIn(line), null);
    const onConnected = hello && this.#expected.get(hello.token);
    if (!hello || !onConnected) {
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
    const link = socketLink(socket, lines);
    onConnected({ hello, link });
    return link;
  }
}

/** A free port of the host. The server does not keep this process alive. */
export function listenOn<S extends Server>(server: S, host: string): Promise<{ server: S; port: number }> {
  return new Promise((resolve, reject) => {
    server.unref();
    server.on('error', reject);
    server.listen({ host, port: 0 }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve({ server, port: address.port });
    });
  });
}

const text = new TextDecoder();

const UNSIGNED = 'a line without its signature';

interface SocketLink extends HostLink {
  receive(line: Uint8Array): void;
  /** Closes the connection for this reason. */
  refuse(reason: string): void;
}

/** The host's end of a connection. User code in the guest can write to it too: what is not signed ends it, unread. */
function socketLink(socket: Socket, lines: LineBuffer): SocketLink {
  const signed = new SignedMessages();
  let refused: string | null = null;
  /**
   * Too many writes at once fail inside the guest, which ends: only the beginning of its line arrived. A guest that crashes
   * leaves the beginning of an answer, which is signed.
   */
  const rest = (): string | null => {
    const signature = text.decode(lines.unfinished.subarray(0, SIGNATURE_CHARS));
    return /^[0-9a-f]*$/.test(signature) ? null : UNSIGNED;
  };
  const link: SocketLink = {
    onMessage: () => undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve(refused ?? rest()))),
    set mostBytes(bytes: number) {
      lines.mostBytes = SIGNATURE_CHARS + bytes;
    },
    send: (message: FromHost) => void socket.write(`${JSON.stringify(message)}\n`),
    close: () => void socket.destroy(),
    refuse(reason) {
      refused ??= reason;
      socket.destroy();
    },
    receive(line) {
      if (refused !== null) return;
      const opened = signed.open(line);
      if (opened === null) link.refuse(UNSIGNED);
      else link.onMessage(opened.message);
    },
  };
  link.mostBytes = 0;
  socket.write(`${JSON.stringify({ key: [...signed.key] } satisfies FromHost)}\n`);
  return link;
}

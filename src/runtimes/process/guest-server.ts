import { createServer, type Socket } from 'node:net';
import { orElse } from '../../model/or-else.ts';
import { helloIn, Mismatch, messageIn } from '../guests/answers.ts';
import type { GuestConnection, HostLink } from '../guests/connected-guest.ts';
import { LoopbackServer } from '../loopback-server.ts';

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
  readonly #server = new LoopbackServer(() => createServer((socket) => this.#accept(socket)));

  /**
   * The port for a guest to connect to, and its connection once it has sent `token`.
   *
   * @throws ToolError 'port-unavailable', 'too-many-files'
   */
  async expect(token: string): Promise<{ port: number; connected: Promise<GuestConnection> }> {
    const connected = new Promise<GuestConnection>((resolve) => this.#expected.set(token, resolve));
    try {
      return { port: await this.#server.port(), connected };
    } catch (error) {
      this.#expected.delete(token);
      throw error;
    }
  }

  /** The guest with this token is not expected any more. */
  forget(token: string): void {
    this.#expected.delete(token);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#expected.size === 0 && this.#connected.size === 0) this.#server.close();
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

interface SocketLink extends HostLink {
  receive(line: Uint8Array): void;
  /** Closes the connection for this reason. */
  refuse(reason: string): void;
}

/** The host's end of a connection. User code in the guest can write to it too: an invalid line ends it. */
function socketLink(socket: Socket, lines: LineBuffer): SocketLink {
  let refused: string | null = null;
  const link: SocketLink = {
    onMessage: () => undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve(refused))),
    set mostBytes(bytes: number) {
      lines.mostBytes = bytes;
    },
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    close: () => void socket.destroy(),
    refuse(reason) {
      refused ??= reason;
      socket.destroy();
    },
    receive(line) {
      if (refused !== null) return;
      try {
        link.onMessage(messageIn(line));
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        link.refuse(error.message);
      }
    },
  };
  link.mostBytes = 0;
  return link;
}

const NEWLINE = 10;
const FIRST_BYTES = 64 * 1024;

/**
 * Cuts bytes into lines of limited length. One growing buffer, because each of many small pieces would cost more memory
 * than its bytes.
 */
class LineBuffer {
  /** A line that becomes longer is refused at once. */
  mostBytes: number;
  #held = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  readonly #onLine: (line: Uint8Array) => void;
  readonly #onTooLong: () => void;

  /** @param onLine each complete line without its newline, valid during the call */
  constructor(mostBytes: number, onLine: (line: Uint8Array) => void, onTooLong: () => void) {
    this.mostBytes = mostBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  add(piece: Buffer): void {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      if (!this.#append(piece.subarray(from, end))) return;
      const line = this.#held.subarray(0, this.#length);
      this.#length = 0;
      from = end + 1;
      this.#onLine(line);
      if (this.#held.length > FIRST_BYTES) this.#held = Buffer.allocUnsafeSlow(FIRST_BYTES);
    }
    this.#append(piece.subarray(from));
  }

  /** False when the line is too long. */
  #append(part: Buffer): boolean {
    const length = this.#length + part.length;
    if (length > this.mostBytes) {
      this.#onTooLong();
      return false;
    }
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(length, Math.min(this.mostBytes, 2 * this.#held.length)),
      );
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    part.copy(this.#held, this.#length);
    this.#length = length;
    return true;
  }
}

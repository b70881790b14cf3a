/** The server's end of a WebSocket that takes texts (RFC 6455). Who is at the other end is not trusted. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODE = { continued: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;
/** Longest message. */
const MAX_BYTES = 2 ** 25;

export interface TextSocket {
  send(text: string): void;
  closed: Promise<void>;
}

/** Answers the request, and passes on what comes. Anything that no browser sends ends the connection. */
export function acceptSocket(
  { headers }: IncomingMessage,
  socket: Duplex,
  onText: (text: string) => void,
): TextSocket {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const messages = new Messages(onText);
  const closed = new Promise<void>((resolve) => socket.on('close', resolve));
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: Buffer) => {
    const answer = messages.add(part);
    if (answer === null) socket.destroy();
    else if (answer !== undefined) socket.end(answer);
  });
  return { send: (text) => void socket.write(frame(OPCODE.text, Buffer.from(text))), closed };
}

/** @param payload at most 125 bytes */
const frame = (opcode: number, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);

class Messages {
  readonly #onText: (text: string) => void;
  #waiting: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** @returns null for what no browser sends; what a message that closes is answered with */
  add(part: Buffer): Buffer | null | undefined {
    this.#waiting = this.#waiting.length === 0 ? part : Buffer.concat([this.#waiting, part]);
    for (;;) {
      const found = frameIn(this.#waiting);
      if (found === null || found === undefined) return found;
      this.#waiting = this.#waiting.subarray(found.end);
      if (found.opcode === OPCODE.close) return frame(OPCODE.close, found.payload.subarray(0, 2));
      if (found.opcode === OPCODE.ping || found.opcode === OPCODE.pong) continue;
      this.#bytes += found.payload.length;
      if (found.opcode > OPCODE.text || this.#bytes > MAX_BYTES) return null;
      this.#parts.push(found.payload);
      if (!found.isLast) continue;
      const text = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#bytes = 0;
      this.#onText(text);
    }
  }
}

/** undefined: more must come; null: no browser sends it. */
function frameIn(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes[0]!, bytes[1]!];
  const isMasked = (second & 0x80) !== 0;
  const short = second & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (!isMasked) return null;
  if (bytes.length < start + 4) return undefined;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MAX_BYTES) return null;
  const end = start + 4 + length;
  if (bytes.length < end) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, end));
  for (let i = 0; i < payload.length; i++) payload[i]! ^= mask[i & 3]!;
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, payload, end };
}

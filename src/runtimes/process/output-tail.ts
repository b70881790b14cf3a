import type { Readable } from 'node:stream';

const KEPT_BYTES = 64 * 1024;
const SHOWN_LINES = 20;
const SHOWN_CHARS = 4000;

/** The end of the output of a process. All of it is read, so that the process never blocks on a full pipe. */
export class OutputTail {
  #pieces: Buffer[] = [];
  #bytes = 0;

  follow(stream: Readable): void {
    stream.on('data', (piece: Buffer) => this.#add(piece));
    stream.on('error', () => {
      // The pipe of a killed process.
    });
  }

  #add(piece: Buffer): void {
    // A copy: a small piece would retain the whole buffer that it was read into.
    this.#pieces.push(Buffer.from(piece.subarray(-KEPT_BYTES)));
    this.#bytes += this.#pieces.at(-1)!.length;
    while (this.#bytes - this.#pieces[0]!.length >= KEPT_BYTES) this.#bytes -= this.#pieces.shift()!.length;
  }

  /** At most the last 64 kB. */
  text(): string {
    return Buffer.concat(this.#pieces).subarray(-KEPT_BYTES).toString('utf8');
  }

  /** The last lines, short enough for the text of an error. */
  excerpt(): string {
    const lines = this.text().trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
    return lines.length > SHOWN_CHARS ? `…${lines.slice(-SHOWN_CHARS)}` : lines;
  }
}

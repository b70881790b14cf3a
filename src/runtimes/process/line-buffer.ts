import { Buffer } from 'node:buffer';

const NEWLINE = 10;
const FIRST_BYTES = 64 * 1024;

/**
 * Cuts bytes into lines of limited length. One growing buffer, because each of many small pieces would cost more memory
 * than its bytes.
 */
export class LineBuffer {
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

/** Reads what `git cat-file --batch` prints, piece by piece, so that memory does not grow with a file. */
export class BatchReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  /** Content is followed by a line end. */
  #lineEnds = 0;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes of the next object, whose content must be read next; 'missing': it is not here. null at the end. */
  async size(): Promise<number | 'missing' | null> {
    await this.pieces(this.#lineEnds, () => undefined);
    this.#lineEnds = 0;
    const line = await this.#line();
    if (line === null) return null;
    const [, size] = /^[0-9a-f]+ \w+ (\d+)$/.exec(line) ?? [];
    if (size === undefined) return 'missing';
    this.#lineEnds = 1;
    return Number(size);
  }

  async bytes(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await this.pieces(size, (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  }

  /** The next `size` bytes; fewer when git ended before. */
  async pieces(size: number, use: (piece: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      use(piece);
    }
  }

  async #line(): Promise<string | null> {
    let end = this.#rest.indexOf('\n');
    while (end < 0) {
      if (!(await this.#more())) return null;
      end = this.#rest.indexOf('\n');
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async #more(): Promise<boolean> {
    // A process that was killed closes its output early: its exit says why.
    const next = await this.#pieces.next().catch(() => null);
    if (next === null || next.done) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}

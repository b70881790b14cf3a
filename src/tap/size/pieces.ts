/** Children that stand for others and were visited whole: the engine is asked how large they are. */
import { create } from '../realm/intrinsics.ts';

const MAX_PIECES = 256;
const MAX_BYTES = 1 << 17;

export class Pieces {
  readonly values: unknown[] = [];
  bytes = 0;
  #count = 0;
  readonly #kept: Record<number, true> = create(null) as Record<number, true>;
  #isAlone = true;
  /** Number of the one that is open; 0: none is. */
  current = 0;

  /** @returns whether the next value becomes one; then it is closed */
  open(): boolean {
    if (this.current > 0 || this.values.length >= MAX_PIECES || this.bytes >= MAX_BYTES) return false;
    this.current = ++this.#count;
    this.#isAlone = true;
    return true;
  }

  /** An object was met again that was first met in the piece of this number, or in none: 0. */
  refersTo(piece: number): void {
    if (piece !== this.current && this.#kept[piece] !== true) this.#isAlone = false;
  }

  /** One that refers to what is outside of the pieces would be larger alone. */
  close(value: unknown, bytes: number, isWhole: boolean): void {
    const number = this.current;
    this.current = 0;
    if (!isWhole || !this.#isAlone) return;
    this.#kept[number] = true;
    this.values[this.values.length] = value;
    this.bytes += bytes;
  }
}

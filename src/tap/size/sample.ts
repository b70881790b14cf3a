/**
 * Some children of a container, spread over all, and what they say of the others. An object that is met again is written once,
 * however often it is there: it does not stand for others.
 */
import { create } from '../realm/intrinsics.ts';

/** Multiples of it are spread evenly, without a period. */
export const GOLDEN = 0.6180339887498949;

/** The next of so many indices, such that any number of them are spread evenly. */
export function spreadIndices(count: number, phase: number): () => number {
  const taken: Record<number, true> = create(null) as Record<number, true>;
  let at = phase % 1;
  return () => {
    at = (at + GOLDEN) % 1;
    let index = Math.floor(at * count);
    while (taken[index] === true) index = (index + 1) % count;
    taken[index] = true;
    return index;
  };
}

/** Few children say little of how much they vary: their variance is taken to be larger, by 1 + this / how many. */
const FEW_VARIANCE = 8;

export class Sample {
  /** Of each child that was visited. */
  readonly #bytes: number[] = [];
  /** Within these children, of which not all was visited. */
  #variance = 0;
  /** Of objects that were met again. */
  #once = 0;
  /** The same, in the child that is being visited. */
  #inOpen = 0;

  /** Children that were visited. */
  get size(): number {
    return this.#bytes.length;
  }

  add(bytes: number, variance: number): void {
    this.#bytes[this.#bytes.length] = bytes - this.#inOpen;
    this.#inOpen = 0;
    this.#variance += variance;
  }

  /** An object inside the child of this number. */
  metAgain(child: number, bytes: number): void {
    this.#once += bytes;
    if (child < this.#bytes.length) this.#bytes[child]! -= bytes;
    else this.#inOpen += bytes;
  }

  /** Bytes of all children. */
  total(count: number): { bytes: number; variance: number } {
    const { length } = this.#bytes;
    let [sum, squares] = [0, 0];
    for (let i = 0; i < length; i++) sum += this.#bytes[i]!;
    const mean = sum / length;
    for (let i = 0; i < length; i++) squares += (this.#bytes[i]! - mean) ** 2;
    const each = length > 1 ? (squares / (length - 1)) * (1 + FEW_VARIANCE / length) : mean ** 2;
    return {
      bytes: mean * count + this.#once,
      variance: (count ** 2 * (1 - length / count) * each + count * this.#variance) / length,
    };
  }
}

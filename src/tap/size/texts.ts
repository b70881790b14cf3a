import { charCodeAt } from '../realm/intrinsics.ts';
import type { ContentHash } from '../records/hash.ts';
import { TAG, varint } from './wire-format.ts';

/** Units of longer texts are not all read. */
const MAX_READ = 1 << 18;
/** Units whose widths the engine is not asked for. */
const SHORT = 256;
const LAST_OF_ONE_BYTE = 255;

export class Texts {
  readonly #isWide: ((text: string) => boolean) | undefined;
  readonly #hash: ContentHash | null;
  /** All units were read that had to be. */
  isWhole = true;

  /** @param isWide whether a text is stored as two bytes a unit, where the engine tells */
  constructor(isWide: ((text: string) => boolean) | undefined, hash: ContentHash | null) {
    this.#isWide = isWide;
    this.#hash = hash;
  }

  /** @param at where it begins: units of two bytes are aligned */
  bytes(text: string, at: number): number {
    const { length } = text;
    const wide =
      this.#hash === null && length > SHORT ? this.#stored(text) : this.#read(text, 1) > LAST_OF_ONE_BYTE;
    const own = wide ? length * 2 : length;
    const head = TAG + varint(own);
    return head + own + (wide ? (at + head) % 2 : 0);
  }

  #stored(text: string): boolean {
    if (this.#isWide !== undefined) return this.#isWide(text);
    return this.#read(text, 1) > LAST_OF_ONE_BYTE;
  }

  /** All bits of its units. */
  #read(text: string, from: number): number {
    const { length } = text;
    let all = 0;
    const step = length > MAX_READ ? Math.ceil(length / MAX_READ) : 1;
    if (step > 1) this.isWhole = false;
    for (let i = 0; i < length; i += step) {
      const unit = charCodeAt(text, i);
      all |= unit;
      this.#hash?.add(unit + from - 1);
    }
    return all;
  }
}

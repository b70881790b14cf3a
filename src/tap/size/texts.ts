import { charCodeAt } from '../realm/intrinsics.ts';
import type { ContentHash } from '../records/hash.ts';
import { TAG, varint } from './wire-format.ts';

/** Units of longer texts are not all read: the engine searches them for a wide one, and their hash says nothing. */
const MAX_READ = 1 << 18;
const WIDE = /[\u0100-\uffff]/;
/** Units whose widths the engine is not asked for. */
const SHORT = 256;
const LAST_OF_ONE_BYTE = 255;

export class Texts {
  readonly #isWide: ((text: string) => boolean) | undefined;
  readonly #hash: ContentHash | null;
  /** All units are in the hash. */
  isHashed = true;

  /** @param isWide whether a text is stored as two bytes a unit, where the engine tells */
  constructor(isWide: ((text: string) => boolean) | undefined, hash: ContentHash | null) {
    this.#isWide = isWide;
    this.#hash = hash;
  }

  /** @param at where it begins: units of two bytes are aligned */
  bytes(text: string, at: number): number {
    const { length } = text;
    const wide = this.#hash === null && length > SHORT ? this.#stored(text) : this.#isWideIn(text);
    const own = wide ? length * 2 : length;
    const head = TAG + varint(own);
    return head + own + (wide ? (at + head) % 2 : 0);
  }

  #stored(text: string): boolean {
    return this.#isWide === undefined ? this.#isWideIn(text) : this.#isWide(text);
  }

  #isWideIn(text: string): boolean {
    const { length } = text;
    if (length > MAX_READ) {
      this.isHashed = false;
      return WIDE.test(text);
    }
    let all = 0;
    for (let i = 0; i < length; i++) {
      const unit = charCodeAt(text, i);
      all |= unit;
      this.#hash?.add(unit);
    }
    return all > LAST_OF_ONE_BYTE;
  }
}

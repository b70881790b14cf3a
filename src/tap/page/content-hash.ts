/** A salted hash of 64 bits of content that is read piece by piece: as that of texts and bytes, FNV-1a twice. */
import { charCodeAt, imul, toText } from '../realm/intrinsics.ts';

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const Bytes = Uint8Array;

export class ContentHash {
  #low = 0x811c9dc5;
  #high = 0xcbf29ce4;

  constructor(salt: string) {
    for (let i = 0; i < salt.length; i++) this.add(charCodeAt(salt, i));
  }

  add(word: number): void {
    this.#low = imul(this.#low ^ word, 0x01000193);
    this.#high = imul(this.#high ^ (word + this.#low), 0x85ebca6b);
  }

  number(value: number): void {
    double[0] = value;
    this.add(words[0]!);
    this.add(words[1]!);
  }

  bytes(buffer: ArrayBuffer): void {
    const content = new Bytes(buffer);
    for (let i = 0; i < content.length; i++) this.add(content[i]!);
  }

  get text(): string {
    return toText(this.#low >>> 0, 36) + toText(this.#high >>> 0, 36);
  }
}

/**
 * Signs the lines of a guest: user code can reach the connection, but not the key. HalfSipHash-2-4 with 64 bits of output
 * (Aumasson and Bernstein, github.com/veorq/SipHash): a wrong line ends the guest, so there is one guess in 2^64. Not from
 * node:crypto, which takes 25 ms to load on Bun 1.2 and 45 on Deno at each start of a guest, and calls methods that user
 * code can replace; this calls nothing.
 */

/** Two words of 32 bits. */
export type SigningKey = readonly [number, number];

const BYTES_A_WORD = 4;

/** Mixes words into the state of the hash. */
class HashState {
  #v0: number;
  #v1: number;
  #v2: number;
  #v3: number;

  constructor(key: SigningKey) {
    const k0 = key[0];
    const k1 = key[1];
    this.#v0 = k0;
    // 0xee: an output of 64 bits.
    this.#v1 = k1 ^ 0xee;
    this.#v2 = 0x6c796765 ^ k0;
    this.#v3 = 0x74656462 ^ k1;
  }

  add(word: number): void {
    this.#v3 ^= word;
    this.mix(2);
    this.#v0 ^= word;
  }

  /** Half of the result; the second half comes of the second call. */
  half(first: boolean): number {
    if (first) this.#v2 ^= 0xee;
    else this.#v1 ^= 0xdd;
    this.mix(4);
    return (this.#v1 ^ this.#v3) >>> 0;
  }

  /** Without destructuring, which would run the user's iterator of arrays. */
  mix(rounds: number): void {
    let v0 = this.#v0;
    let v1 = this.#v1;
    let v2 = this.#v2;
    let v3 = this.#v3;
    for (let i = 0; i < rounds; i++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    this.#v0 = v0;
    this.#v1 = v1;
    this.#v2 = v2;
    this.#v3 = v3;
  }
}

/** Length of a signature: hexadecimal digits. */
export const SIGNATURE_CHARS = 16;

const DIGITS = '0123456789abcdef';

function hex(word: number): string {
  let text = '';
  for (let shift = 28; shift >= 0; shift -= 4) text += DIGITS[(word >>> shift) & 15]!;
  return text;
}

/**
 * The signature of the bytes as message number `count` of a connection: one that was seen cannot be sent again.
 *
 * @param count below 2^32
 */
export function signatureOf(key: SigningKey, count: number, bytes: Uint8Array): string {
  const state = new HashState(key);
  state.add(count | 0);
  const { length } = bytes;
  const whole = length - (length % BYTES_A_WORD);
  for (let i = 0; i < whole; i += BYTES_A_WORD) {
    state.add(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
  }
  let last = (length + BYTES_A_WORD) << 24;
  for (let i = whole; i < length; i++) last |= bytes[i]! << (8 * (i - whole));
  state.add(last);
  return hex(state.half(true)) + hex(state.half(false));
}

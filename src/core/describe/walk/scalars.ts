/** Facts of strings and numbers. */
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { hasLoneSurrogate } from '../../value/intrinsics.ts';
import { BIGINT, NUMBER, STORED, STRING } from '../inspect/flags.ts';
import type { Storage } from '../inspect/probe.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';

/** True if the content needs two bytes a unit; false if the string was only cut from such a string. */
const isWide = (stored: number): boolean =>
  (stored & (STORED['two-byte'] | STORED['ascii-in-two-byte'])) === STORED['two-byte'];

/** Minimum units of a repeated string; repeating shorter strings costs little. */
const REPEAT_UNITS = 64;
const REPEAT_SLOTS = 4096;

/** Finds repeated strings, but not all: a table with one slot per hash bounds memory and needs only one comparison. */
class RepeatedStrings {
  readonly #slots: (string | undefined)[] = new Array<string | undefined>(REPEAT_SLOTS).fill(undefined);

  seen(text: string): boolean {
    const n = text.length;
    let hash = n;
    for (let i = 0; i < 8; i++) hash = (hash * 31 + text.charCodeAt(((i * (n - 1)) / 7) | 0)) | 0;
    const slot = hash & (REPEAT_SLOTS - 1);
    const known = this.#slots[slot] === text;
    if (!known) this.#slots[slot] = text;
    return known;
  }
}

/** Number of combinations of the seven bits of `numberBits`. */
const MASKS = 128;

export class Scalars {
  readonly #builder: ShapeBuilder;
  readonly #storage: Storage;
  readonly #repeated = new RepeatedStrings();
  /** Counts by kind of number. Many payloads are mostly arrays of numbers, which are counted in a separate loop. */
  readonly #counts = new Uint32Array(MASKS);
  readonly #firsts = new Uint32Array(MASKS);

  constructor(builder: ShapeBuilder, storage: Storage) {
    this.#builder = builder;
    this.#storage = storage;
  }

  string(text: string, node: PatternNode, depth: number, parent: Kind | null): void {
    const stored = this.#storage.string(text, depth);
    const units = text.length;
    const bytes = (stored & STORED['two-byte']) === 0 ? units : units * 2;
    let bits = units < REPEAT_UNITS ? 0 : this.#longBits(text, bytes);
    if (isWide(stored) && hasLoneSurrogate(text)) bits |= STRING['lone-surrogate'];
    const row = this.#builder.add(node, depth, parent, 'string', bits, stored);
    row.addSize(units);
    row.addBytes(bytes);
  }

  #longBits(text: string, bytes: number): number {
    let bits = this.#repeated.seen(text) ? STRING.repeated : 0;
    if (text.length > 128) bits |= STRING['units-over-128'];
    if (text.length >= 256) bits |= STRING['units-from-256'];
    if (bytes >= 514) bits |= STRING['bytes-from-514'];
    return bits;
  }

  number(value: number, node: PatternNode, depth: number, parent: Kind | null): void {
    this.#builder.add(node, depth, parent, 'number', numberBits(value), 0);
  }

  /** Counts the leading numbers of `values`; returns the index of the first value that is not a number. */
  countNumbers(values: ArrayLike<unknown>): number {
    let end = 0;
    for (; end < values.length; end++) {
      const value = values[end];
      if (typeof value !== 'number') break;
      const bits = numberBits(value);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = end;
    }
    return end;
  }

  /** Like `countNumbers`, for an array that contains only numbers. */
  countAllNumbers(values: Float64Array): number {
    for (let i = 0; i < values.length; i++) {
      const bits = numberBits(values[i]!);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = i;
    }
    return values.length;
  }

  /**
   * Adds the counted numbers as elements at `node`, and resets the counts.
   *
   * @param steps index of each value in its array; null if it equals the position
   */
  addNumbers(node: PatternNode, depth: number, steps: readonly number[] | null): 'int32' | 'double' {
    let content: 'int32' | 'double' = 'int32';
    for (let i = 0; i < NUMBER_MASKS.length; i++) {
      const bits = NUMBER_MASKS[i]!;
      const count = this.#counts[bits]!;
      if (count === 0) continue;
      this.#counts[bits] = 0;
      if ((bits & NUMBER.double) !== 0) content = 'double';
      const first = this.#firsts[bits]!;
      this.#builder.trail[depth] = steps === null ? first : steps[first]!;
      const others = count - 1;
      this.#builder.add(node, depth, 'array', 'number', bits, 0).count += others;
      this.#builder.nodes += others;
    }
    return content;
  }
}

/** Smis have 31 bits with pointer compression (Chromium) and 32 bits on Node and Deno. */
const SMI31 = 2 ** 30;

/** All possible results of `numberBits`. */
const NUMBER_MASKS: readonly number[] = [
  NUMBER.int32,
  NUMBER.int32 | NUMBER['beyond-smi31'],
  NUMBER.double,
  NUMBER.double | NUMBER.int64,
  NUMBER.double | NUMBER['negative-zero'],
  NUMBER.double | NUMBER.infinite,
  NUMBER.double | NUMBER.nan,
];

/** From 2^53 on, every number is an integer. */
const isInt64 = (value: number): boolean =>
  (value >= 2 ** 53 && value <= 2 ** 63) || (value <= -(2 ** 53) && value >= -(2 ** 63));

function numberBits(value: number): number {
  if (value === (value | 0)) {
    if (value === 0 && 1 / value < 0) return NUMBER.double | NUMBER['negative-zero'];
    return value >= SMI31 || value < -SMI31 ? NUMBER.int32 | NUMBER['beyond-smi31'] : NUMBER.int32;
  }
  if (value - value === 0) return isInt64(value) ? NUMBER.double | NUMBER.int64 : NUMBER.double;
  return NUMBER.double | (Number.isNaN(value) ? NUMBER.nan : NUMBER.infinite);
}

const INT64_END = 2n ** 63n;
const UINT64_END = 2n ** 64n;

export function bigintBits(value: bigint): number {
  const isInt64 = value >= -INT64_END && value < INT64_END;
  const isUint64 = value >= 0n && value < UINT64_END;
  return (isInt64 ? BIGINT.int64 : 0) | (isUint64 ? BIGINT.uint64 : 0);
}

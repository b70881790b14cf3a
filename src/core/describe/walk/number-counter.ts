/** Arrays of numbers are the bulk of many payloads: counted in a loop of their own, added by kind of number. */
import { NUMBER } from '../inspect/flags.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';
import { NUMBER_MASKS, numberBits } from './scalars.ts';

/** numberBits are six bits wide. */
const MASKS = 64;

export class NumberCounter {
  readonly #builder: ShapeBuilder;
  readonly #counts = new Uint32Array(MASKS);
  readonly #firsts = new Uint32Array(MASKS);

  constructor(builder: ShapeBuilder) {
    this.#builder = builder;
  }

  /** Counts the leading numbers of `values`; returns the index of the first value that is not a number. */
  count(values: ArrayLike<unknown>): number {
    let end = 0;
    for (; end < values.length; end++) {
      const value = values[end];
      if (typeof value !== 'number') break;
      const bits = numberBits(value);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = end;
    }
    return end;
  }

  /** The same for what holds numbers only. */
  countAll(values: Float64Array): number {
    for (let i = 0; i < values.length; i++) {
      const bits = numberBits(values[i]!);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = i;
    }
    return values.length;
  }

  /**
   * Adds what was counted as elements at `node`, and resets the counts.
   *
   * @param steps index of each value in its array; null when that is its position
   */
  add(node: PatternNode, depth: number, steps: readonly number[] | null): 'int32' | 'double' {
    let content: 'int32' | 'double' = 'int32';
    for (let i = 0; i < NUMBER_MASKS.length; i++) {
      const bits = NUMBER_MASKS[i]!;
      const count = this.#counts[bits]!;
      if (count === 0) continue;
      this.#counts[bits] = 0;
      if ((bits & NUMBER.double) !== 0) content = 'double';
      const first = this.#firsts[bits]!;
      this.#builder.trail[depth] = steps === null ? first : steps[first]!;
      const others = (count - 1) * this.#builder.weight;
      this.#builder.add(node, depth, 'array', 'number', bits, 0).count += others;
      this.#builder.nodes += others;
    }
    return content;
  }
}

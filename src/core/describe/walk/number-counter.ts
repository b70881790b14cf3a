/** Arrays of numbers are the bulk of many payloads: counted in a loop of their own and entered by kind of number. */
import { NUMBER } from '../flags.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';
import { NUMBER_MASKS, numberBits } from './scalars.ts';

/** numberBits are six bits wide. */
const MASKS = 64;

export class NumberCounter {
  readonly #ledger: ShapeBuilder;
  readonly #counts = new Uint32Array(MASKS);
  readonly #firsts = new Uint32Array(MASKS);

  constructor(ledger: ShapeBuilder) {
    this.#ledger = ledger;
  }

  /** Counts the numbers that `values` begins with; returns the index of the first value that is none. */
  count(values: readonly unknown[]): number {
    let end = 0;
    for (; end < values.length; end++) {
      const value = values[end];
      if (typeof value !== 'number') break;
      const bits = numberBits(value);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = end;
    }
    return end;
  }

  /**
   * Enters what was counted as elements at `place`, and forgets it.
   *
   * @param steps index of each value in its array; null when that is its position
   */
  enter(place: PatternNode, depth: number, steps: readonly (string | number)[] | null): 'int32' | 'double' {
    let content: 'int32' | 'double' = 'int32';
    for (let i = 0; i < NUMBER_MASKS.length; i++) {
      const bits = NUMBER_MASKS[i]!;
      const count = this.#counts[bits]!;
      if (count === 0) continue;
      this.#counts[bits] = 0;
      if ((bits & NUMBER.double) !== 0) content = 'double';
      const first = this.#firsts[bits]!;
      this.#ledger.trail[depth] = steps === null ? first : steps[first]!;
      this.#ledger.add(place, depth, 'array', 'number', bits, 0).count += count - 1;
      this.#ledger.nodes += count - 1;
    }
    return content;
  }
}

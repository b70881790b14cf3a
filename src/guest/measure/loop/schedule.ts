import { type Random, seeded, shuffle } from '../../../core/stats/random.ts';
import { filter, map } from '../../../core/value/lists.ts';

/**
 * Which variant has its turn. In each round every remaining variant has one turn, in a new random order, so that drift
 * (clock frequency, heap, other processes) affects all alike.
 */
export class Schedule {
  /** Complete rounds so far. */
  rounds = 0;
  #order: number[];
  #position = 0;
  readonly #random: Random;

  /** `first` has the first turn of the first round: see `firstVariant`. */
  constructor(variants: readonly number[], seed: number, first?: number) {
    this.#random = seeded(seed);
    this.#order = [...variants];
    shuffle(this.#order, this.#random);
    if (first !== undefined && this.#order.includes(first)) {
      this.#order = [first, ...filter(this.#order, (index) => index !== first)];
    }
  }

  get empty(): boolean {
    return this.#order.length === 0;
  }

  /** True between two rounds. */
  get atStart(): boolean {
    return this.#position === 0;
  }

  /** Index of the variant that has its turn, unless `empty`. */
  get current(): number {
    return this.#order[this.#position] as number;
  }

  /** The turn was taken. */
  advance(): void {
    this.#position++;
    this.#closeRound();
  }

  /** The variant gets no more turns. */
  drop(index: number): void {
    const at = this.#order.indexOf(index);
    if (at < 0) return;
    this.#order.splice(at, 1);
    if (at < this.#position) this.#position--;
    this.#closeRound();
  }

  #closeRound(): void {
    if (this.#position < this.#order.length || this.#order.length === 0) return;
    this.#position = 0;
    this.rounds++;
    shuffle(this.#order, this.#random);
  }
}

/**
 * Index of the variant that sends the very first message of the process, the cold one. An even seed selects the
 * original, odd seeds the others in turn: two neighbouring seeds measure the original's cold start once, and a run of
 * 2 x (variants - 1) seeds that of every variant.
 */
export function firstVariant(modes: readonly string[], seed: number): number {
  const original = Math.max(0, modes.indexOf('original'));
  const others = filter(
    map(modes, (_, index) => index),
    (index) => index !== original,
  );
  const odd = Math.abs(seed) % 2 === 1;
  return odd && others.length > 0
    ? (others[Math.floor(Math.abs(seed) / 2) % others.length] as number)
    : original;
}

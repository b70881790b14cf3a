import { type Random, randomBelow, seeded, shuffle } from '../../../core/stats/random.ts';
import { filter, map } from '../../../core/value/lists.ts';

const NONE_REPEATED = { index: -1, turns: 1 };

/**
 * Decides whose turn it is. In each round every remaining variant has one turn, in a new random order, so that drift
 * (clock frequency, heap, other processes) affects all alike. The turns of a repeated variant are spread over the
 * round, never two in succession: caches that are warm from itself would make it faster than the others.
 */
export class Schedule {
  /** Complete rounds so far. */
  rounds = 0;
  /** Once each, the repeated one included. */
  readonly #variants: number[];
  readonly #order: number[] = [];
  #position = 0;
  readonly #random: Random;
  /** A variant with several turns in each round. */
  readonly #repeated: { index: number; turns: number };

  /** `first` has the first turn of the first round: see `firstVariant`. */
  constructor(variants: readonly number[], seed: number, first?: number, repeated = NONE_REPEATED) {
    this.#random = seeded(seed);
    this.#variants = [...variants];
    this.#repeated = repeated;
    this.#beginRound();
    const at = first === undefined ? -1 : this.#order.indexOf(first);
    if (at > 0) [this.#order[0], this.#order[at]] = [this.#order[at] as number, this.#order[0] as number];
  }

  get empty(): boolean {
    return this.#variants.length === 0;
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
    const at = this.#variants.indexOf(index);
    if (at < 0) return;
    this.#variants.splice(at, 1);
    for (let turn = this.#order.length - 1; turn >= 0; turn--) {
      if (this.#order[turn] !== index) continue;
      this.#order.splice(turn, 1);
      if (turn < this.#position) this.#position--;
    }
    this.#closeRound();
  }

  #closeRound(): void {
    if (this.#position < this.#order.length || this.empty) return;
    this.#position = 0;
    this.rounds++;
    this.#beginRound();
  }

  #beginRound(): void {
    shuffle(this.#variants, this.#random);
    this.#order.length = 0;
    const { index, turns } = this.#repeated;
    const others = this.#variants.length - 1;
    // At least two others between two turns: else each of them would always follow the repeated one.
    const parts = this.#variants.includes(index) ? Math.min(turns, Math.floor(others / 2)) : 1;
    if (parts <= 1) {
      for (const variant of this.#variants) this.#order.push(variant);
      return;
    }
    for (let part = 0, taken = 0, at = 0; part < parts; part++) {
      const end = Math.floor(((part + 1) * others) / parts);
      const before = taken + 1 + randomBelow(end - taken, this.#random);
      for (; taken < end; at++) {
        const variant = this.#variants[at] as number;
        if (variant === index) continue;
        this.#order.push(variant);
        taken++;
        if (taken === before) this.#order.push(index);
      }
    }
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

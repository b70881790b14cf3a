import type { FactRow } from '../shape/fact-row.ts';

/** Depth, row and size recorded for each object at its first visit: parallel arrays, so that an object costs a few words. */
export class VisitedObjects {
  readonly #numbers = new Map<object, number>();
  readonly #depths: number[] = [];
  readonly #rows: FactRow[] = [];
  readonly #sizes: number[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** -1 when the object was not visited yet. */
  find(value: object): number {
    return this.#numbers.get(value) ?? -1;
  }

  add(value: object, depth: number, row: FactRow, size: number): void {
    this.#numbers.set(value, this.#rows.length);
    this.#depths.push(depth);
    this.#rows.push(row);
    this.#sizes.push(size);
  }

  at(number: number): { depth: number; row: FactRow; size: number } {
    return { depth: this.#depths[number]!, row: this.#rows[number]!, size: this.#sizes[number]! };
  }
}

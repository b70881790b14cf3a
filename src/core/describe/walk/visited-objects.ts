/** Where a walk stands. */
import type { Kind } from '../../../model/shape.ts';
import type { TrailStep } from '../../paths.ts';
import type { FactRow } from '../shape/fact-row.ts';
import type { PatternNode } from '../shape/shape-builder.ts';

/** A container whose children are being walked. */
export interface OpenContainer {
  kind: Kind;
  node: PatternNode;
  depth: number;
  /** null: the index is the step. */
  steps: readonly TrailStep[] | null;
  values: readonly unknown[];
  cursor: number;
}

/** Where the value at hand is. One object, written anew for each value: a walk allocates nothing for a scalar. */
export interface WalkPosition {
  node: PatternNode;
  depth: number;
  parent: Kind | null;
}

/** What was entered for each object when it was first met: parallel arrays, so that an object costs a few words. */
export class VisitedObjects {
  readonly #numbers = new Map<object, number>();
  readonly #depths: number[] = [];
  readonly #rows: FactRow[] = [];
  readonly #sizes: number[] = [];

  /** -1 for a stranger. */
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

import type { Kind } from '../../../model/vocabulary/shape.ts';
import type { TrailStep } from '../../paths.ts';
import type { FactRow } from '../shape/fact-row.ts';
import type { PatternNode } from '../shape/shape-builder.ts';

export interface OpenContainer {
  kind: Kind;
  node: PatternNode;
  depth: number;
  /** null: the index is the step. */
  steps: readonly TrailStep[] | null;
  values: ArrayLike<unknown>;
  cursor: number;
  /** How many children each of `values` stands for, and how many there are. */
  stride: number;
  size: number;
  /** How many values it stands for itself. */
  weight: number;
  /** Values visited when it was opened, and when its part of the limit is used up. */
  from: number;
  end: number;
  /** Children that were walked. */
  walked: number;
}

/** How many of `values` the next child stands for, so that those that follow fit into its part of the limit. */
export function nextChild(open: OpenContainer, visited: number): number {
  const { kind, values, cursor, from, end, walked } = open;
  const isList = kind === 'array' || kind === 'set';
  if (end === Number.POSITIVE_INFINITY || !isList || walked === 0) return 1;
  const left = values.length - cursor;
  const affordable = Math.max(1, ((end - visited) * walked) / (visited - from));
  return Math.max(1, Math.ceil(left / affordable));
}

/** How many children of the container this one stands for, when it stands for `step` of `values`. */
export function standsFor({ kind, stride, size, values, cursor }: OpenContainer, step: number): number {
  if (stride === 1) return Math.min(step, values.length - cursor);
  const entry = kind === 'map' ? cursor >> 1 : cursor;
  return Math.max(1, Math.min(step * stride, size - entry * stride));
}

/** Where a child's part of the limit ends: what is left is for those after it too. */
export function childEnd({ end, values, cursor }: OpenContainer, visited: number, step: number): number {
  if (end === Number.POSITIVE_INFINITY) return end;
  const children = Math.ceil((values.length - cursor) / step);
  return visited + Math.max(8, (end - visited) / Math.max(1, children));
}

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

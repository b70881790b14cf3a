/** The walk of one value, and of two values in step. What is done with the values is the visitor's. */
import { pathOfTrail, type TrailStep } from './paths.ts';

/** An object whose children are visited. */
export interface Container {
  /** If null, the steps are the indices. */
  readonly steps: readonly TrailStep[] | null;
  readonly values: ArrayLike<unknown>;
  /** Index of the child that is visited next: 0 at first. */
  next: number;
}

/** Depth first, without recursion, because a payload may be a million levels deep. It allocates nothing for a child. */
export class Walk<C extends Container> {
  /** The containers around the current value: their number is its depth. A visitor adds what it wants to be walked. */
  readonly open: C[] = [];
  /** `trail[d]` leads from depth d-1 to d. */
  readonly trail: TrailStep[] = [''];

  /** Visits the children of what is open. @param visit returns true to end the walk @returns true if it did */
  run(visit: (child: unknown, container: C, step: TrailStep) => true | undefined): boolean {
    const { open, trail } = this;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const at = top.next++;
      if (at >= top.values.length) {
        open.pop();
        continue;
      }
      const step = top.steps === null ? at : top.steps[at]!;
      trail[open.length] = step;
      if (visit(top.values[at], top, step) === true) return true;
    }
    return false;
  }

  /** Concrete path of the current value. */
  get path(): string {
    return pathOfTrail(this.trail, this.open.length);
  }
}

import { costOf, type SizeCost, type SizeFacts } from '../../core/sweep/budget.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import type { SizedRecipe } from './series.ts';

type Sized = Pick<SizedRecipe, 'bytes'> & Pick<SweepPoint, 'payload'>;

/** What the sizes to come cost, as learnt from those before. */
export class SizeCosts {
  readonly #strategies: number;
  readonly #timed = new Map<string, SizeFacts['before']>();

  /** `strategies`: how many are timed, raw included. */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  of({ bytes, payload }: Sized): SizeCost {
    const before = this.#timed.get(payload) ?? null;
    return costOf({ bytes, strategies: this.#strategies, before });
  }

  /** Keeps the size with the least time a byte: the others had more noise, or fewer bytes to start with. */
  learn({ bytes, payload }: Sized, points: readonly SweepPoint[]): void {
    const roundMs = points.reduce((sum, { roundTrip }) => sum + (roundTrip?.median ?? 0) / 1e6, 0);
    const known = this.#timed.get(payload);
    if (roundMs > 0 && (!known || roundMs * known.bytes <= known.roundMs * bytes))
      this.#timed.set(payload, { bytes, roundMs });
  }
}

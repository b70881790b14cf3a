const MS = 1e6;

/** Sampling of a slow payload stops after this many times its slice, also before the minimum of rounds. */
const MAX_SLICES = 3;

export interface PaceLimits {
  sliceMs: number;
  minRounds: number;
  maxRounds: number;
}

/** Decides when sampling ends. Times are ns of one clock, passed by the caller. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #began: number;

  constructor(limits: PaceLimits, began: number) {
    this.#limits = limits;
    this.#began = began;
  }

  /**
   * To be called after each turn.
   *
   * @param rounds complete rounds so far
   * @param midRound other variants have their turn in this round
   */
  over(rounds: number, midRound: boolean, now: number): boolean {
    const elapsed = now - this.#began;
    const { sliceMs, minRounds, maxRounds } = this.#limits;
    // Comparing needs at least one sample of each variant.
    if (rounds < 1) return false;
    if (elapsed >= MAX_SLICES * sliceMs * MS) return true;
    if (midRound) return false;
    return rounds >= maxRounds || (rounds >= minRounds && elapsed >= sliceMs * MS);
  }
}

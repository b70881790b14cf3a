const MS = 1e6;

/** A slow payload may take this many times its slice to reach the least number of rounds; then sampling stops. */
const MOST_SLICES = 3;

export interface PaceLimits {
  sliceMs: number;
  minRounds: number;
  maxRounds: number;
}

/** Decides when sampling ends. Times are ns of one clock, given by the caller. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #began: number;

  constructor(limits: PaceLimits, began: number) {
    this.#limits = limits;
    this.#began = began;
  }

  /** After a turn: `rounds` complete rounds so far; `midRound` when other variants of this round still wait. */
  over(rounds: number, midRound: boolean, now: number): boolean {
    const elapsed = now - this.#began;
    const { sliceMs, minRounds, maxRounds } = this.#limits;
    // Less than one sample of each variant would compare nothing.
    if (rounds < 1) return false;
    if (elapsed >= MOST_SLICES * sliceMs * MS) return true;
    if (midRound) return false;
    return rounds >= maxRounds || (rounds >= minRounds && elapsed >= sliceMs * MS);
  }
}

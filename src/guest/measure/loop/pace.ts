const MS = 1e6;

/** A slow payload may take this many times its slice to reach the least number of rounds; then it is stopped. */
const PATIENCE = 3;

export interface Limits {
  sliceMs: number;
  minRounds: number;
  maxRounds: number;
}

/** When sampling ends. Times are ns of one clock, given by the caller. */
export class Pace {
  readonly #limits: Limits;
  readonly #began: number;

  constructor(limits: Limits, began: number) {
    this.#limits = limits;
    this.#began = began;
  }

  /** After a turn: `rounds` complete ones so far, `midRound` when others of this round still wait for theirs. */
  over(rounds: number, midRound: boolean, now: number): boolean {
    const elapsed = now - this.#began;
    const { sliceMs, minRounds, maxRounds } = this.#limits;
    // Less than one sample of each variant would compare nothing.
    if (rounds < 1) return false;
    if (elapsed >= PATIENCE * sliceMs * MS) return true;
    if (midRound) return false;
    return rounds >= maxRounds || (rounds >= minRounds && elapsed >= sliceMs * MS);
  }
}

/** Bounds what the recorder takes: 5 ms and 2 % of the time since the thread started. */
const AT_ONCE_MS = 5;
const SHARE = 0.02;

export class Governor {
  readonly #startedAt: number;
  spentMs = 0;

  constructor(now: number) {
    this.#startedAt = now;
  }

  /** How much may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return AT_ONCE_MS + SHARE * (now - this.#startedAt) - this.spentMs;
  }
}

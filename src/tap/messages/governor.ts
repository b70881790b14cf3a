/** Bounds what a part of the recorder takes: some milliseconds at once, and a share of the time since the thread started. */
export class Governor {
  readonly #startedAt: number;
  readonly #atOnceMs: number;
  readonly #share: number;
  spentMs = 0;

  constructor(now: number, atOnceMs: number, share: number) {
    this.#startedAt = now;
    this.#atOnceMs = atOnceMs;
    this.#share = share;
  }

  /** How much may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return this.#atOnceMs + this.#share * (now - this.#startedAt) - this.spentMs;
  }
}

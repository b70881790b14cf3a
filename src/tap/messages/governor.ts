/**
 * Bounds what a part of the recorder takes: some milliseconds at once, a share of the time since the thread started,
 * and what is earned.
 */
export const governor = (startedAt: number, atOnceMs: number, share: number) => ({
  /** Less what was earned. */
  spentMs: 0,
  /** Time that may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return atOnceMs + share * (now - startedAt) - this.spentMs;
  },
});

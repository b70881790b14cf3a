/** Default settings, for the terminal and for the library. */
export const DEFAULTS = {
  budgetMs: 5000,
  timeoutMs: 30_000,
  seed: 1,
  sweepMs: 25_000,
  sweepSteps: 8,
} as const;

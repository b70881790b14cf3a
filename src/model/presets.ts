/** What holds where a user says nothing, in the terminal and in the library. */
export const DEFAULTS = { budgetMs: 5000, timeoutMs: 30_000, seed: 1 } as const;

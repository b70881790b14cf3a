/** Placeholder until errors are cleaned. */
export const cleaned = (error: unknown, _patch: unknown): unknown => error;

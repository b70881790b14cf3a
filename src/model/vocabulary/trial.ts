/** dropped: cannot be the advice (no faster, or a better one is known), so no longer timed; its interval stands. */
export const TRIAL_OUTCOMES = ['faster', 'slower', 'unsure', 'refused', 'dropped'] as const;
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];

/**
 * - nothing: no rewrite that was tried is faster
 * - not-the-clone: the round trip is near the floor
 * - unsure: tried, and not decided
 * - not-tried: rewrites that could not be tried might be faster, and no other is known to be
 */
export const ADVICE_ACTIONS = ['apply', 'nothing', 'not-the-clone', 'unsure', 'not-tried'] as const;
export type AdviceAction = (typeof ADVICE_ACTIONS)[number];

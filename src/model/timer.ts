/** A longer timer fires at once (HTML, timer initialization steps; Node's TimeoutOverflowWarning). */
const LONGEST_MS = 2 ** 31 - 1;

/** The delay for a timer that stands for this time: a time beyond the longest timer is 24.8 days. */
export const timerMs = (ms: number): number => Math.min(ms, LONGEST_MS);

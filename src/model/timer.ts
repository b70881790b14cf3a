/** Maximum delay: a longer timer fires at once (HTML, timer initialization steps; Node's TimeoutOverflowWarning). */
const LONGEST_MS = 2 ** 31 - 1;

/** Delay of a timer for this time, limited to the longest timer, 24.8 days. */
export const timerMs = (ms: number): number => Math.min(ms, LONGEST_MS);

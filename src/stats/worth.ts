/** Minimum savings that justify a change of code. */

/** Minimum saving of an advised rewrite, ns a message: 1 % of a core at 500 messages a second. */
export const LEAST_SAVED_NS = 20_000;

/** Minimum extra saving of a less simple rewrite, ns a message. It must also be `SIMPLER_MAY_COST` times as fast. */
export const MUST_SAVE_MORE_NS = 50_000;

/** Minimum saving that matters, as a share of a core. */
const MATTERS = 0.01;

/** Minimum messages a second for a saving (ns a message) to matter. */
export const rateThatMatters = (savedNs: number): number => (MATTERS * 1e9) / savedNs;

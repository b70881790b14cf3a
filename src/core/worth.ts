/** The smallest savings that are worth a change of code. */

/** Smallest saving of an advised rewrite, ns a message: 1 % of a core at 500 messages a second. */
export const LEAST_SAVED_NS = 20_000;

/** Smallest additional saving of a less simple rewrite, ns a message. It must also be `SIMPLER_MAY_COST` times as fast. */
export const MUST_SAVE_MORE_NS = 50_000;

/** Share of a core from which on a saving matters. */
const MATTERS = 0.01;

/** Messages a second from which on a saving (ns a message) matters. */
export const rateThatMatters = (savedNs: number): number => (MATTERS * 1e9) / savedNs;

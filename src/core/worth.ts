/** From which saving on something is worth doing. */

/** A rewrite that saves less a message is never advised, ns: at 500 messages a second it is 1 % of a core. */
export const LEAST_SAVED_NS = 20_000;

/** What a less simple rewrite must save more than a simpler one, ns a message, beside being `SIMPLER_MAY_COST` faster. */
export const MUST_SAVE_MORE_NS = 50_000;

/** A saving matters from the rate on at which it is so much of a core. */
const MATTERS = 0.01;

/** Messages a second from which on a saving (ns a message) matters. */
export const rateThatMatters = (savedNs: number): number => (MATTERS * 1e9) / savedNs;

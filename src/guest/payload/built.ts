/**
 * Where a value came from.
 * - parsed: read from its file and parsed anew
 * - built: made by a factory or a specimen
 * - live: what the module exports, not used before
 * - evaluated-again: exported by one more evaluation of the module
 * - cloned: a structured clone of the live value, because a new evaluation gave the same objects again
 */
export type Freshness = 'parsed' | 'built' | 'live' | 'evaluated-again' | 'cloned';

/** In an object, because a promise would look for `then` on the value itself: a trap or getter of the user's. */
export interface Built {
  value: unknown;
  how: Freshness;
  /** What is listed beside it; [] without a transfer list. */
  transfer?: Transferable[];
}

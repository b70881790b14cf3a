/**
 * Whether Firefox shares a string or copies it: nothing tells but time. The string is cloned beside two controls of its
 * length and width, one with a buffer of its own, which is shared, and a piece of a longer one, which is copied.
 */
import { isLatin1 } from '../../core/describe/assumed-storage.ts';
import type { PathName } from '../../model/names.ts';

/** Shorter ones cost too little to tell the controls apart. */
export const LEAST_UNITS = 16_384;
/** The copied control must take so many times the shared one; else nothing is said. */
const SEPARATION = 4;
/** And the string must be so many times nearer to one than to the other, in log time. */
const NEARER = 2;
const ROUNDS = 9;
/** A browser that has just started is busy with itself. */
const MOST_ATTEMPTS = 5;
/** Of one timing, in ms: many steps of the clock, which is 20 us in an isolated page of an ordinary profile. */
const TIMING_MS = 0.5;
const MOST_CLONES = 1000;

// Taken before user code loads.
const clone = structuredClone;
const now = performance.now.bind(performance);

/** Latin-1 text may be stored wide, but its copy is then slower still, never as fast as a shared one. */
function controlsLike(text: string): { shared: string; copied: string } {
  const unit = isLatin1(text) ? 'control ' : 'cöntrol\u2192';
  const { length } = text;
  const own = unit.repeat(Math.ceil(length / unit.length));
  const longer = `${own}${unit}`;
  // Reading a character flattens what `repeat` and the template have joined.
  own.charCodeAt(0);
  longer.charCodeAt(0);
  const shared =
    own.length === length ? own : flat([own.slice(0, length >> 1), own.slice(length >> 1, length)]);
  return { shared, copied: longer.slice(3, 3 + length) };
}

/** Joined of two parts: the flattened text has a buffer of its own. */
function flat([one, other]: readonly [string, string]): string {
  const joined = one + other;
  joined.charCodeAt(0);
  return joined;
}

/** ms of so many clones. */
function timed(text: string, clones: number): number {
  const began = now();
  for (let i = 0; i < clones; i++) clone(text);
  return now() - began;
}

/** How many clones of the text take long enough to be timed. */
function clonesFor(text: string): number {
  let clones = 1;
  while (clones < MOST_CLONES && timed(text, clones) < TIMING_MS) clones *= 4;
  return clones;
}

/** The fastest of some turns of each, per clone: interruptions only add. */
function fastest(texts: readonly string[]): number[] {
  const clones: number[] = [];
  const best: number[] = [];
  for (const text of texts) {
    clones.push(clonesFor(text));
    best.push(Number.POSITIVE_INFINITY);
  }
  for (let round = 0; round < ROUNDS; round++)
    for (let at = 0; at < texts.length; at++)
      best[at] = Math.min(best[at]!, timed(texts[at]!, clones[at]!) / clones[at]!);
  return best;
}

/** null where time does not tell. Clones the text some hundred times. */
export function stringPath(text: string): PathName | null {
  if (text.length < LEAST_UNITS) return null;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { shared, copied } = controlsLike(text);
    const [asShared, asCopied, own] = fastest([shared, copied, text]) as [number, number, number];
    const path = nearest(own, asShared, asCopied);
    if (path !== null) return path;
  }
  return null;
}

/** By times of one clone, in any unit. */
export function nearest(own: number, shared: number, copied: number): PathName | null {
  if (!(shared > 0) || copied < SEPARATION * shared) return null;
  const toShared = Math.abs(Math.log(own / shared));
  const toCopied = Math.abs(Math.log(own / copied));
  if (own <= shared || NEARER * toShared <= toCopied) return 'string-shared';
  return own >= copied || NEARER * toCopied <= toShared ? 'string-copied' : null;
}

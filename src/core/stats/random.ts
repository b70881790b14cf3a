/** Seeded randomness: the same seed gives the same orders and resamples on every runtime and machine. */

/** A number in [0, 1). Each call advances the sequence. */
export type Random = () => number;

/**
 * mulberry32 (Tommy Ettinger, public domain): 32 bits of state, full period 2^32, passes gjrand. Enough for orders and
 * bootstrap indices, and built of integer operations alone, so that every engine gives the same sequence.
 */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** An integer in 0..limit-1. */
export function randomBelow(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

/** Fisher-Yates, in place: every order is equally likely. */
export function shuffle<T>(items: T[], random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const pick = randomBelow(last + 1, random);
    const held = items[last] as T;
    items[last] = items[pick] as T;
    items[pick] = held;
  }
}

/** One seed out of a base and a number, so that neighbouring numbers do not give overlapping sequences. */
export function seedFor(base: number, index: number): number {
  const random = seeded(base ^ Math.imul(index + 1, 0x9e3779b1));
  return Math.floor(random() * 0x1_0000_0000);
}

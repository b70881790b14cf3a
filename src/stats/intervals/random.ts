/** Seeded randomness: the same seed gives the same orders and resamples on every runtime and machine. */

/** A number in [0, 1). */
export type Random = () => number;

/**
 * mulberry32 (Tommy Ettinger, public domain): full period 2^32, passes gjrand, which suffices for orders and bootstrap
 * indices. Integer operations only, so every engine gives the same sequence.
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

export const randomBelow = (limit: number, random: Random): number => Math.floor(random() * limit);

/** Fisher-Yates, in place: every order is equally likely. */
export function shuffle<T>(items: T[], random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const pick = randomBelow(last + 1, random);
    [items[last], items[pick]] = [items[pick] as T, items[last] as T];
  }
}

/** Neighbouring indices do not give overlapping sequences. */
export function seedFor(base: number, index: number): number {
  const random = seeded(base ^ Math.imul(index + 1, 0x9e3779b1));
  return Math.floor(random() * 0x1_0000_0000);
}

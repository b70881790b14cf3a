import { seeded, seedFor, shuffle } from '../../../src/stats/intervals/random.ts';

/** Whose turn it is, for ever: first all in order, then in random orders. Both threads get the same from a seed. */
export function* turns(count: number, seed: number): Generator<number, never> {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let round = 0; ; round++) {
    yield* order;
    shuffle(order, seeded(seedFor(seed, round)));
  }
}

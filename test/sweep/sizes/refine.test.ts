import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SweepPoint } from '../../../src/model/documents/sweep.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { findCrossovers, nextSize } from '../../../src/sweep/sizes/crossovers.ts';

/** Ratio of json-text, and optionally of compiled, to raw by size, each with an interval of +-`spread`. */
function points(
  ratios: Record<number, number | null>,
  { strategy = 'json-text', spread = 0.03 }: { strategy?: string; spread?: number } = {},
): SweepPoint[] {
  return Object.entries(ratios).map(([size, ratio]) => ({
    ...{ runtime: { name: 'node', version: '24.0.0' }, channel: 'worker', payload: 'rows', unit: 'items' },
    ...{ strategy, size: Number(size), roundTrip: null, send: null, receive: null },
    ...{ peakMemory: null, published: null, error: null },
    ratio:
      ratio === null ? null : { ratio, ci: [ratio * Math.exp(-spread), ratio * Math.exp(spread)] as const },
  })) as SweepPoint[];
}

const ROWS: {
  what: string;
  points: SweepPoint[];
  grain?: number;
  next: { size: number; strategies: string[] } | null;
}[] = [
  { what: 'no crossover', points: points({ 10: 2, 100: 1.5, 1000: 1.2 }), next: null },
  {
    what: 'the middle of the sizes around it, on a logarithmic axis',
    points: points({ 10: 2, 100: 1.4, 1000: 0.5 }),
    next: { size: 317, strategies: ['json-text'] },
  },
  {
    what: 'a narrow interval between distant sizes is not trusted',
    points: points({ 10: 2, 1000: 0.5 }, { spread: 0.001 }),
    next: { size: 104, strategies: ['json-text'] },
  },
  {
    what: 'a narrow interval between close sizes is enough',
    points: points({ 10: 2, 90: 1.1, 110: 0.9, 1000: 0.5 }, { spread: 0.005 }),
    next: null,
  },
  {
    what: 'no size is left between',
    points: points({ 0: 2, 1: 0.5 }),
    next: null,
  },
  {
    what: 'multiples of the grain',
    points: points({ 8: 2, 80: 0.5 }),
    grain: 8,
    next: { size: 24, strategies: ['json-text'] },
  },
  {
    what: 'a grain as large as the gap',
    points: points({ 8: 2, 16: 0.5 }),
    grain: 8,
    next: null,
  },
  {
    what: 'a size that could not be timed is not asked again',
    points: points({ 10: 2, 317: null, 100: 1.4, 1000: 0.5 }),
    next: null,
  },
  {
    what: 'an undecided size: the gap with most of the interval',
    points: points({ 10: 2, 100: 1.02, 150: 0.98, 1000: 0.5 }, { spread: 0.3 }),
    next: { size: 32, strategies: ['json-text'] },
  },
  {
    what: 'strategies that cross between the same sizes are measured together, others are not',
    points: [
      ...points({ 10: 2, 100: 1.4, 1000: 0.5 }),
      ...points({ 10: 1.2, 100: 1.1, 1000: 0.9 }, { strategy: 'compiled' }),
      ...points({ 10: 1.2, 100: 0.9, 1000: 0.8 }, { strategy: 'plain' }),
      ...points({ 10: 3, 100: 3, 1000: 3 }, { strategy: 'partial-text' }),
    ],
    next: { size: 317, strategies: ['compiled', 'json-text'] },
  },
];

describe('next size of a sweep', () => {
  for (const { what, points: given, grain = 1, next } of ROWS)
    test(what, () => {
      const found = nextSize(given, [], { grain, seed: 1 });
      assert.deepEqual(found && { size: found.size, strategies: found.strategies }, next);
    });

  test('bisecting ends after few sizes', () => {
    const coarse = points({ 1: 20, 10: 6, 100: 2, 1000: 0.6 });
    for (const spread of [0.001, 0.3]) {
      const refined: SweepPoint[] = [];
      const left: number[] = [];
      for (;;) {
        const next = nextSize(coarse, refined, { grain: 1, seed: 1 });
        if (next === null) break;
        left.push(next.left);
        refined.push(...points({ [next.size]: (400 / next.size) ** 0.5 }, { spread }));
      }
      assert.deepEqual(left, [3, 2, 1].slice(0, left.length));
      assert.ok(refined.length > 1 && refined.every(({ size }) => size > 100 && size < 1000));
    }
  });

  test('at least nine of ten intervals hold the true crossover', () => {
    const seed = 20_261;
    const random = seeded(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const deviation = 0.06;
    const truth = 40;
    const measured = (size: number) => {
      const ratio = ((truth + 1) / (size + 1)) ** 0.4 * Math.exp(deviation * normal());
      return points({ [size]: ratio }, { spread: 1.96 * deviation });
    };
    let [held, found] = [0, 0];
    for (let run = 0; run < 200; run++) {
      const coarse = [3, 9, 27, 81, 243, 729].flatMap(measured);
      const refined: SweepPoint[] = [];
      for (;;) {
        const next = nextSize(coarse, refined, { grain: 1, seed: run });
        if (next === null) break;
        refined.push(...measured(next.size));
      }
      const crossovers = findCrossovers([...coarse, ...refined], run);
      if (crossovers.length === 0) continue;
      found++;
      if (crossovers.some(({ ci }) => ci[0] <= truth && truth <= ci[1])) held++;
    }
    assert.ok(found > 190, `${found} of 200 found, seed ${seed}`);
    assert.ok(held / found >= 0.9, `${held} of ${found} intervals hold the truth, seed ${seed}`);
  });
});

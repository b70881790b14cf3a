import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SweepPoint } from '../../../src/model/documents/sweep.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { findCrossovers, nextSize } from '../../../src/sweep/sizes/crossovers.ts';
import { sweepPoint } from '../../make.ts';

/** Ratio of a strategy to raw by size, each with an interval of +-`spread`. */
const points = (ratios: Record<number, number>, strategy = 'json-text', spread = 0.03): SweepPoint[] =>
  Object.entries(ratios).map(([size, ratio]) => {
    const ci: [number, number] = [ratio * Math.exp(-spread), ratio * Math.exp(spread)];
    return sweepPoint({ strategy, size: Number(size), ratio: { ratio, ci } });
  });

const ROWS: {
  what: string;
  points: SweepPoint[];
  refined?: SweepPoint[];
  grain?: number;
  next: { size: number; strategy: string; left: number } | null;
}[] = [
  { what: 'no crossover', points: points({ 10: 2, 100: 1.5, 1000: 1.2 }), next: null },
  {
    what: 'the middle of the sizes around it, on a logarithmic axis',
    points: points({ 10: 2, 100: 1.4, 1000: 0.5 }),
    next: { size: 317, strategy: 'json-text', left: 3 },
  },
  {
    what: 'a narrow interval with a size near it is enough',
    points: points({ 10: 2, 1000: 0.5 }, 'json-text', 0.005),
    refined: points({ 90: 1.1 }, 'json-text', 0.005),
    next: null,
  },
  { what: 'no size is left between', points: points({ 0: 2, 1: 0.5 }), next: null },
  {
    what: 'multiples of the grain',
    points: points({ 8: 2, 80: 0.5 }),
    grain: 8,
    next: { size: 24, strategy: 'json-text', left: 3 },
  },
  {
    what: 'the widest interval first',
    points: [...points({ 10: 2, 1000: 0.5 }), ...points({ 10: 1.2, 1000: 0.8 }, 'compiled')],
    next: { size: 104, strategy: 'compiled', left: 6 },
  },
];

describe('next size of a sweep', () => {
  for (const { what, points: given, refined = [], grain = 1, next } of ROWS)
    test(what, () => {
      const found = nextSize(given, refined, { grain, seed: 1 });
      assert.deepEqual(found && { size: found.size, strategy: found.strategy, left: found.left }, next);
    });

  test('it ends after few sizes, and at least nine of ten intervals hold the true crossover', () => {
    const seed = 20_261;
    const random = seeded(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const deviation = 0.06;
    const truth = 40;
    const measured = (size: number) => {
      const ratio = ((truth + 1) / (size + 1)) ** 0.4 * Math.exp(deviation * normal());
      return points({ [size]: ratio }, 'json-text', 1.96 * deviation);
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
      assert.ok(refined.length <= 3);
      const crossovers = findCrossovers([...coarse, ...refined], run);
      if (crossovers.length === 0) continue;
      found++;
      if (crossovers.some(({ ci }) => ci[0] <= truth && truth <= ci[1])) held++;
    }
    assert.ok(found > 190, `${found} of 200 found, seed ${seed}`);
    assert.ok(held / found >= 0.9, `${held} of ${found} intervals hold the truth, seed ${seed}`);
  });
});

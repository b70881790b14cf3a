import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SizedMessage, totalBytes } from '../../../../src/core/recording/threads/bytes-regression.ts';
import { seeded } from '../../../../src/core/stats/random.ts';

const sized = (...points: [hint: number, bytes: number][]): SizedMessage[] =>
  points.map(([hint, bytes]) => ({ hint, bytes }));

const ROWS: [string, Parameters<typeof totalBytes>, ReturnType<typeof totalBytes>][] = [
  ['none was sized', [[], 10, 50], null],
  ['all were sized', [sized([1, 20], [2, 30]), 2, 3], { total: 50, ci: [50, 50], max: 30 }],
  [
    'all of one size',
    [sized([5, 40], [5, 40]), 1000, 5000],
    { total: 40_000, ci: [40_000, 40_000], max: 40 },
  ],
  [
    'on a line',
    [sized([10, 120], [20, 220], [30, 320]), 100, 2000],
    { total: 22_000, ci: [22_000, 22_000], max: 320 },
  ],
  ['only like them', [sized([5, 40]), 10, 50, false], { total: 400, ci: [400, 400], max: 40 }],
  ['one of many sizes', [sized([10, 100]), 11, 210], { total: 1200, ci: [375, 4500], max: 100 }],
];

describe('bytes of all messages by those that were sized', () => {
  for (const [name, args, wanted] of ROWS) test(name, () => assert.deepEqual(totalBytes(...args), wanted));

  test('the interval holds the true sum in about 95 of 100 simulated recordings', () => {
    const random = seeded(7);
    let held = 0;
    const runs = 400;
    for (let run = 0; run < runs; run++) {
      const all = Array.from({ length: 600 }, () => {
        const hint = 20 + 400 * random() ** 2;
        return { hint, bytes: Math.round((30 + 2.4 * hint) * (0.85 + 0.3 * random())) };
      });
      // The first 16, then at gaps of a sixteenth.
      const seen = all.filter(
        (_, i) => i < 16 || Math.floor(Math.log(i) * 16) !== Math.floor(Math.log(i - 1) * 16),
      );
      const truth = all.reduce((sum, one) => sum + one.bytes, 0);
      const { ci, total } = totalBytes(
        seen,
        600,
        all.reduce((sum, one) => sum + one.hint, 0),
      )!;
      assert.ok(Math.abs(total / truth - 1) < 0.1);
      if (ci[0] <= truth && truth <= ci[1]) held++;
    }
    assert.ok(held / runs > 0.9 && held / runs < 0.995, `${held} of ${runs}`);
  });
});

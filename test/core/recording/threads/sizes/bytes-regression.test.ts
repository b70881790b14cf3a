import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type SizedMessage,
  totalBytes,
} from '../../../../../src/core/recording/threads/sizes/bytes-regression.ts';
import { seeded } from '../../../../../src/core/stats/random.ts';

const sized = (...points: [hint: number, bytes: number][]): SizedMessage[] =>
  points.map(([hint, bytes]) => ({ hint, bytes }));

const ROWS: [string, Parameters<typeof totalBytes>, ReturnType<typeof totalBytes>][] = [
  ['none was sized', [[], 10, 50], null],
  ['all were sized', [sized([1, 20], [2, 30]), 2, 3], { total: 50, ci: [50, 50], max: 30 }],
  [
    'all of one size',
    [sized([5, 40], [5, 40]), 1000, 5000],
    { total: 40_000, ci: [38_099, 41_996], max: 40 },
  ],
  [
    'on a line',
    [sized([10, 120], [20, 220], [30, 320]), 100, 2000],
    { total: 22_000, ci: [21_312, 22_711], max: 320 },
  ],
  ['sizes of nothing', [sized([0, 0], [0, 0]), 10, 0], { total: 0, ci: [0, 0], max: 0 }],
];

const BY_SHAPE: SizedMessage = { hint: 1000, bytes: 1100, error: 0.2 };

/** How wide the interval is, as the ratio of its ends. */
const WIDTHS: [string, Parameters<typeof totalBytes>, least: number, most: number][] = [
  ['one message that the hint tells', [sized([1000, 1100]), 60, 60_000], 1.2, 2.6],
  ['one message that it does not tell', [sized([1, 1100]), 60, 60], 10, 17],
  ['one that is only like them', [sized([5, 40]), 10, 50, false], 8, 17],
  ['one of many sizes', [sized([10, 100]), 11, 210], 5, 20],
  ['one buffer', [sized([1_000_006, 1_000_031]), 20, 20_000_120], 1.005, 1.05],
  ['two that the hint tells', [sized([1000, 1100], [1000, 1120]), 60, 60_000], 1.1, 1.6],
  ['two that it does not tell', [sized([1, 1100], [1, 1000]), 60, 60], 2, 6],
  ['four that differ', [sized([1, 900], [1, 1100], [1, 1000], [1, 800]), 60, 60], 1.2, 2],
  ['two by their shapes', [[BY_SHAPE, BY_SHAPE], 60, 60_000], 1.3, 1.45],
  ['all by their shapes', [[BY_SHAPE], 1, 1000], 1.43, 1.45],
];

interface Population {
  /** Messages; in the order in which they were posted. */
  of: (random: () => number) => SizedMessage[];
  /** The widest of nine in ten intervals from 2 and from 10 looks, as the ratio of their ends. */
  widest: [of2: number, of10: number];
}

/** About normal, of mean 0 and standard deviation 1. */
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const POPULATIONS: Record<string, Population> = {
  'the same catalog again and again': {
    of: (random) => {
      const each = 1 + 0.5 * random();
      return Array.from({ length: 60 }, () => ({ hint: 1e5, bytes: Math.round(1e5 * each) }));
    },
    widest: [1.11, 1.03],
  },
  'texts of as many units as the hint': {
    of: (random) =>
      Array.from({ length: 600 }, () => {
        const hint = Math.round(100 + 2000 * random());
        return { hint, bytes: hint + 30 };
      }),
    widest: [4, 1.03],
  },
  'lists of as many records, of contents that vary by a tenth': {
    of: (random) =>
      Array.from({ length: 600 }, () => ({
        hint: 5000,
        bytes: Math.round(5500 * (1 + 0.1 * normal(random))),
      })),
    widest: [2, 1.3],
  },
  'lists of any length': {
    of: (random) => {
      const slope = 0.6 + 1.5 * random();
      return Array.from({ length: 600 }, () => {
        const hint = 20 + 400 * random() ** 2;
        return { hint, bytes: Math.round((30 + slope * hint) * (1 + 0.15 * normal(random))) };
      });
    },
    widest: [14, 1.5],
  },
  'records that the hint tells nothing of': {
    of: (random) =>
      Array.from({ length: 600 }, () => ({
        hint: 1,
        bytes: Math.round(800 * Math.exp(0.5 * normal(random))),
      })),
    widest: [12, 3],
  },
};

describe('bytes of all messages by those that were sized', () => {
  for (const [name, args, wanted] of ROWS) test(name, () => assert.deepEqual(totalBytes(...args), wanted));

  for (const [name, args, least, most] of WIDTHS)
    test(`the interval: ${name}`, () => {
      const { total, ci } = totalBytes(...args)!;
      const width = ci[1] / ci[0];
      assert.ok(ci[0] < total && total < ci[1] && width >= least && width <= most, `${width}: ${ci}`);
    });

  for (const [name, { of, widest }] of Object.entries(POPULATIONS))
    for (const looks of [2, 3, 5, 10])
      test(`${looks} looks at ${name}: the interval holds the truth, and is not useless`, () => {
        const random = seeded(7);
        const widths: number[] = [];
        let held = 0;
        const runs = 400;
        for (let run = 0; run < runs; run++) {
          const all = of(random);
          // The first two, then at growing gaps.
          const at = new Set([
            0,
            ...Array.from({ length: looks - 1 }, (_, i) => Math.floor(all.length ** (i / looks))),
          ]);
          const sum = (field: 'hint' | 'bytes') => all.reduce((sum, one) => sum + one[field], 0);
          const { ci } = totalBytes(
            all.filter((_, i) => at.has(i)),
            all.length,
            sum('hint'),
          )!;
          if (ci[0] <= sum('bytes') && sum('bytes') <= ci[1]) held++;
          widths.push(ci[1] / ci[0]);
        }
        widths.sort((a, b) => a - b);
        const wide = widths[Math.floor(runs * 0.9)]!;
        assert.ok(held / runs >= 0.9, `held ${held} of ${runs}`);
        assert.ok(wide <= widest[looks === 10 ? 1 : 0], `${wide} wide`);
      });
});

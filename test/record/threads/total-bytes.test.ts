import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SizedMessage, totalBytes } from '../../../src/record/threads/looked-messages.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';

const sized = (...points: [extent: number, bytes: number][]): SizedMessage[] =>
  points.map(([extent, bytes]) => ({ extent, bytes }));
const all = (count: number, extent: number) => ({ count, extent });

const ROWS: [string, Parameters<typeof totalBytes>, ReturnType<typeof totalBytes>][] = [
  ['none was sized', [[], all(10, 50)], null],
  ['all were sized', [sized([1, 20], [2, 30]), all(2, 3)], { total: 50, ci: [50, 50], max: 30 }],
  ['one that is only like it', [sized([4, 40]), all(1, 4), false], { total: 40, ci: [10, 160], max: 40 }],
  ['one size', [sized([5, 40], [5, 40]), all(1000, 5000)], { total: 40_000, ci: [38_053, 42_047], max: 40 }],
  [
    'as many bytes for each unit of the extent',
    [sized([10, 12], [20, 24], [30, 36]), all(100, 2000)],
    { total: 2400, ci: [2324, 2479], max: 36 },
  ],
  ['sizes of nothing', [sized([1, 0], [1, 0]), all(10, 10)], { total: 0, ci: [0, 0], max: 0 }],
];

const IN_PART: SizedMessage = { extent: 1000, bytes: 1100, error: 0.2 };

/** How wide the interval is, as the ratio of its ends. */
const WIDTHS: [string, Parameters<typeof totalBytes>, least: number, most: number][] = [
  ['one message that the extent tells', [sized([1000, 1010]), all(60, 60_000)], 1.1, 1.3],
  ['one that it tells about', [sized([1000, 1200]), all(60, 60_000)], 1.3, 2.1],
  ['one that it does not tell', [sized([1, 1100]), all(60, 60)], 10, 17],
  ['one that is only like them', [sized([5, 40]), all(10, 50), false], 10, 17],
  [
    'two, and another one that could not be sized',
    [sized([1000, 1010], [1000, 1020]), { ...all(60, 60_000), isOther: true }],
    ...([10, 17] as const),
  ],
  ['one buffer', [sized([1_000_006, 1_000_031]), all(20, 20_000_120)], 1.1, 1.25],
  ['two that the extent tells', [sized([1000, 1010], [1000, 1020]), all(60, 60_000)], 1.05, 1.15],
  ['two that it does not tell', [sized([1, 1100], [1, 1000]), all(60, 60)], 2, 6],
  ['four that differ', [sized([1, 900], [1, 1100], [1, 1000], [1, 800]), all(60, 60)], 1.2, 2],
  ['two of which parts were seen', [[IN_PART, IN_PART], all(60, 60_000)], 1.3, 1.45],
  ['one of which a part was seen, and no other', [[IN_PART], all(1, 1000)], 1.43, 1.45],
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
      return Array.from({ length: 60 }, () => ({ extent: 1e5, bytes: Math.round(1e5 * each) }));
    },
    widest: [1.11, 1.03],
  },
  'texts of as many units as the extent': {
    of: (random) =>
      Array.from({ length: 600 }, () => {
        const extent = Math.round(100 + 2000 * random());
        return { extent, bytes: extent + 3 };
      }),
    widest: [1.12, 1.03],
  },
  'lists of as many records, of contents that vary by a tenth': {
    of: (random) =>
      Array.from({ length: 600 }, () => ({
        extent: 5000,
        bytes: Math.round(5500 * (1 + 0.1 * normal(random))),
      })),
    widest: [2, 1.3],
  },
  'lists of any length': {
    of: (random) => {
      const slope = 0.6 + 1.5 * random();
      return Array.from({ length: 600 }, () => {
        const extent = 40 + 400 * random() ** 2;
        return { extent, bytes: Math.round((10 + slope * extent) * (1 + 0.15 * normal(random))) };
      });
    },
    widest: [4, 1.5],
  },
  'records that the extent tells nothing of': {
    of: (random) =>
      Array.from({ length: 600 }, () => ({
        extent: 1,
        bytes: Math.round(800 * Math.exp(0.5 * normal(random))),
      })),
    widest: [12, 3],
  },
};

describe('bytes of all messages are estimated from the sized messages', () => {
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
          const messages = of(random);
          // The first two, then at growing gaps.
          const at = new Set([
            0,
            ...Array.from({ length: looks - 1 }, (_, i) => Math.floor(messages.length ** (i / looks))),
          ]);
          const sum = (field: 'extent' | 'bytes') => messages.reduce((sum, one) => sum + one[field], 0);
          const looked = messages.filter((_, i) => at.has(i));
          const { ci } = totalBytes(looked, all(messages.length, sum('extent')))!;
          if (ci[0] <= sum('bytes') && sum('bytes') <= ci[1]) held++;
          widths.push(ci[1] / ci[0]);
        }
        widths.sort((a, b) => a - b);
        const wide = widths[Math.floor(runs * 0.9)]!;
        assert.ok(held / runs >= 0.9, `held ${held} of ${runs}`);
        assert.ok(wide <= widest[looks === 10 ? 1 : 0], `${wide} wide`);
      });
});

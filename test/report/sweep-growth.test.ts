/** How the cost of the object grows, in a sentence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthTexts } from '../../src/report/print/sweep.ts';
import { seriesOf } from '../../src/report/print/sweep-series.ts';
import * as make from '../make.ts';

const SIZES = [1, 10, 100, 1000, 10_000];

/** @param share half of each interval */
function growthOf(medians: readonly (number | null)[], share = 0.05, sizes = SIZES): string[] {
  const points = medians.map((median, at) =>
    make.sweepPoint({
      ...{ strategy: 'raw', size: sizes[at]!, unit: 'items' },
      roundTrip:
        median === null
          ? null
          : { median, ci: [median * (1 - share), median * (1 + share)], samples: 300, processes: 3 },
    }),
  );
  return seriesOf(make.sweepReport(points, {})).flatMap(growthTexts);
}

const SAME_UP_TO_100 = 'As it is, a message costs about the same up to 100 items';
const ROWS: [name: string, found: string[], told: string[]][] = [
  ['the same', growthOf([50, 52, 49, 55, 60]), ['As it is, a message costs about the same at every size.']],
  ['from a size on', growthOf([50, 51, 60, 150, 1050]), [`${SAME_UP_TO_100}, then grows as the size does.`]],
  [
    'from the first on',
    growthOf([5, 50, 500, 5000, 50_000]),
    ['As it is, the cost of a message grows as the size does.'],
  ],
  [
    'worse',
    growthOf([50, 51, 60, 150, 15_000]),
    [`${SAME_UP_TO_100}, then grows faster than the size (100x the time for 10x the size, up to 10,000).`],
  ],
  [
    'less',
    growthOf([5, 20, 60, 180, 540]),
    [
      'As it is, the cost of a message grows more slowly than the size (3.0x the time for 10x the size, up to 10,000).',
    ],
  ],
  ['wide intervals', growthOf([50, 51, 60, 150, 1050], 0.3), [`${SAME_UP_TO_100}.`]],
  ['wide intervals, and not flat', growthOf([5, 50, 500, 5000, 50_000], 0.3), []],
  [
    'the largest was not timed',
    growthOf([5, 50, 500, 5000, null]),
    ['As it is, the cost of a message grows as the size does.'],
  ],
  ['one size', growthOf([50]), []],
  ['near sizes', growthOf([50, 80], 0.05, [100, 300]), []],
  ['a size of 0 has no share of another', growthOf([50, 50], 0.05, [0, 10]), []],
];

for (const [name, found, told] of ROWS) test(`growth: ${name}`, () => assert.deepEqual(found, told));

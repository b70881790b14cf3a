import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SweepPoint } from '../../../src/model/documents/sweep.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import {
  crossings,
  findCrossovers,
  type RatioAt,
  strategyResults,
} from '../../../src/sweep/sizes/crossovers.ts';
import { sweepPoint } from '../../make.ts';

/** Ratios with intervals of +-`spread` on the log scale. */
const curve = (sizes: readonly number[], ratioOf: (size: number) => number, spread = 0.03): RatioAt[] =>
  sizes.map((size) => {
    const ratio = ratioOf(size);
    return { size, ratio: { ratio, ci: [ratio * Math.exp(-spread), ratio * Math.exp(spread)] } };
  });

const SIZES = [1, 4, 16, 64, 256, 1024];

/** A fixed cost and one per unit each: they meet at 30. */
const text = (size: number) => (2000 + 10 * size) / (500 + 60 * size);

test('two straight lines that meet at 30', () => {
  const [found, ...more] = crossings(curve(SIZES, text), 1);
  assert.equal(more.length, 0);
  assert.ok(found && found.size > 24 && found.size < 38, `${found?.size}`);
  assert.ok(found.ci[0] < found.size && found.size < found.ci[1]);
  assert.equal(found.belowFirst, false);
});

test('the same seed gives the same interval, another seed a similar one', () => {
  const points = curve(SIZES, text, 0.1);
  assert.deepEqual(crossings(points, 7), crossings(points, 7));
  const [a, b] = [crossings(points, 7)[0]!, crossings(points, 8)[0]!];
  assert.notDeepEqual(a.ci, b.ci);
  assert.ok(Math.abs(Math.log(a.ci[1] / b.ci[1])) < 0.1);
});

const NONE: { what: string; points: RatioAt[] }[] = [
  { what: 'always slower', points: curve(SIZES, () => 1.4) },
  {
    what: 'within the 5 % that count as none',
    points: curve(SIZES, (size) => (size < 20 ? 1.03 : 0.97), 0.005),
  },
  {
    what: 'faster only by an interval that holds 1',
    points: curve(SIZES, (size) => (size < 20 ? 1.2 : 0.9), 0.2),
  },
  { what: 'a single size', points: curve([8], () => 2) },
  { what: 'no size', points: [] },
];
for (const { what, points } of NONE) {
  test(`none: ${what}`, () => assert.deepEqual(crossings(points, 1), []));
}

test('two crossings', () => {
  const wave = curve(SIZES, (size) => (size === 16 || size === 64 ? 0.5 : 2));
  const found = crossings(wave, 1);
  assert.deepEqual(
    found.map(({ belowFirst }) => belowFirst),
    [false, true],
  );
  assert.ok(found[0]!.size > 4 && found[0]!.size < 16 && found[1]!.size > 64 && found[1]!.size < 256);
});

test('undecided sizes in between widen the interval of a crossing', () => {
  const steep = curve([1, 1000], (size) => (size === 1 ? 1.5 : 0.5));
  const flat = [...steep, ...curve([10, 100], () => 1, 0.3)];
  const width = (points: RatioAt[]) => {
    const [low, high] = crossings(points, 1)[0]!.ci;
    return Math.log(high / low);
  };
  assert.ok(width(flat) > 2 * width(steep));
});

test('zero is a size', () => {
  const [found] = crossings(
    curve([0, 1], (size) => (size === 0 ? 1.5 : 0.5)),
    1,
  );
  assert.ok(found && found.size > 0 && found.size < 1);
});

test('about 95 % of the intervals hold the true crossing', () => {
  const seed = 20_260;
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // A power law is a straight line on these axes: only random noise moves the crossing.
  const deviation = 0.06;
  const truth = 40;
  const sizes = [3, 9, 27, 81, 243, 729];
  let held = 0;
  let found = 0;
  for (let run = 0; run < 300; run++) {
    const points = curve(
      sizes,
      (size) => ((truth + 1) / (size + 1)) ** 0.4 * Math.exp(deviation * normal()),
      1.96 * deviation,
    );
    const [crossing] = crossings(points, run);
    if (!crossing) continue;
    found++;
    if (crossing.ci[0] <= truth && truth <= crossing.ci[1]) held++;
  }
  assert.ok(found > 290, `${found} of 300 found, seed ${seed}`);
  const share = held / found;
  assert.ok(share > 0.9 && share <= 0.995, `${share} of the intervals hold the truth, seed ${seed}`);
});

const pointsOf = (strategy: string, channel: SweepPoint['channel'], ratioOf: (size: number) => number) =>
  curve(SIZES, ratioOf).map(({ size, ratio }) => sweepPoint({ strategy, channel, size, ratio }));

describe('summary of a sweep', () => {
  const points = [
    ...SIZES.map((size) => sweepPoint({ size })),
    ...pointsOf('json-text', 'worker', text),
    ...pointsOf('json-text', 'message-port', () => 2),
    ...pointsOf('compiled', 'worker', (size) => (size < 10 ? 0.5 : 1)),
  ];

  test('each runtime, channel and strategy has its own result', () => {
    assert.deepEqual(
      strategyResults(points).map(({ channel, strategy, faster, slower, even }) => ({
        channel,
        strategy,
        faster,
        slower,
        even,
      })),
      [
        { channel: 'worker', strategy: 'json-text', faster: [64, 256, 1024], slower: [1, 4, 16], even: [] },
        { channel: 'message-port', strategy: 'json-text', faster: [], slower: SIZES, even: [] },
        { channel: 'worker', strategy: 'compiled', faster: [1, 4], slower: [], even: [16, 64, 256, 1024] },
      ],
    );
  });

  test('the cheaper strategy below and above a crossover', () => {
    const [found, ...more] = findCrossovers(points, 1);
    assert.equal(more.length, 0);
    assert.deepEqual(found?.between, ['raw', 'json-text']);
    assert.deepEqual(found?.cheaper, { below: 'raw', above: 'json-text' });
    assert.equal(found?.channel, 'worker');
  });

  test('a size that could not be timed is left out', () => {
    const failed = [...points, sweepPoint({ strategy: 'json-text', size: 4096 })];
    assert.deepEqual(strategyResults(failed), strategyResults(points));
  });
});

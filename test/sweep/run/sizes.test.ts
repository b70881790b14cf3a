import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPreset } from '../../../src/app/world/analysis.ts';
import type { Estimate } from '../../../src/model/documents/measurement.ts';
import type { SweepPoint } from '../../../src/model/documents/sweep.ts';
import type { PresetName } from '../../../src/model/vocabulary/words.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import * as sizes from '../../../src/sweep/run/sizes.ts';
import { sweepPoint } from '../../make.ts';

describe('sizes', () => {
  const TABLE: { args: [number, number, number, number?]; gives: number[] }[] = [
    { args: [1, 1000, 4], gives: [1, 10, 100, 1000] },
    { args: [10, 10_000, 2], gives: [10, 10_000] },
    { args: [1, 3, 8], gives: [1, 2, 3] },
    { args: [5, 5, 8], gives: [5] },
    { args: [0, 100, 4], gives: [0, 1, 10, 100] },
    { args: [0, 0, 4], gives: [0] },
    { args: [3, 80, 3, 8], gives: [8, 24, 80] },
  ];
  for (const { args, gives } of TABLE) {
    test(`logSpaced(${args.join(', ')})`, () => assert.deepEqual(sizes.logSpaced(...args), gives));
  }

  test('the default range is limited by the size of the message', () => {
    assert.deepEqual(sizes.usualRange({ size: 40, weight: 16_000 }), { from: 1, to: 400 });
    assert.deepEqual(sizes.usualRange({ size: 1000, weight: 20e6 }), { from: 1, to: 1000 });
  });
});

// Crossovers.

/** Ratios with intervals of +-`spread` on the log scale. */
const curve = (at: readonly number[], ratioOf: (size: number) => number, spread = 0.03): sizes.RatioAt[] =>
  at.map((size) => {
    const ratio = ratioOf(size);
    return { size, ratio: { ratio, ci: [ratio * Math.exp(-spread), ratio * Math.exp(spread)] } };
  });

const SIZES = [1, 4, 16, 64, 256, 1024];

/** A fixed cost and one per unit each: they meet at 30. */
const text = (size: number) => (2000 + 10 * size) / (500 + 60 * size);

test('two crossings', () => {
  const wave = curve(SIZES, (size) => (size === 16 || size === 64 ? 0.5 : 2));
  const found = sizes.crossings(wave);
  assert.deepEqual(
    found.map(({ belowFirst }) => belowFirst),
    [false, true],
  );
  assert.ok(found[0]!.size > 4 && found[0]!.size < 16 && found[1]!.size > 64 && found[1]!.size < 256);
});

test('undecided sizes in between widen the interval of a crossing', () => {
  const steep = curve([1, 1000], (size) => (size === 1 ? 1.5 : 0.5));
  const flat = [steep[0]!, ...curve([10, 100], () => 1, 0.3), steep[1]!];
  const width = (points: sizes.RatioAt[]) => {
    const [low, high] = sizes.crossings(points)[0]!.ci;
    return Math.log(high / low);
  };
  assert.ok(width(flat) > 2 * width(steep));
});

test('four times as long at one size and a quarter at another cross halfway between them', () => {
  const [found] = sizes.crossings(curve([1, 100], (size) => (size === 1 ? 4 : 0.25)));
  assert.ok(found && Math.abs(found.size - (Math.sqrt(2 * 101) - 1)) < 0.1, `${found?.size}`);
});

test('a ratio of zero, by a coarse clock, has a crossing too', () => {
  const [found] = sizes.crossings(curve([1, 10], (size) => (size === 1 ? 0 : 2)));
  assert.ok(found && found.size > 1 && found.size <= 10, `${found?.size}`);
});

const pointsOf = (strategy: string, channel: SweepPoint['channel'], ratioOf: (size: number) => number) =>
  curve(SIZES, ratioOf).map((at) => sweepPoint({ strategy, channel, ...at }));

describe('summary of a sweep', () => {
  const points = [
    ...SIZES.map((size) => sweepPoint({ size })),
    ...pointsOf('json-text', 'worker', text),
    ...pointsOf('json-text', 'message-port', () => 2),
    ...pointsOf('compiled', 'worker', (size) => (size < 10 ? 0.5 : 1)),
  ];

  test('each runtime, channel and strategy has its own result', () => {
    assert.deepEqual(
      sizes.strategyResults(points).map(({ channel, strategy, faster, slower, even }) => ({
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
    const [found, ...more] = sizes.findCrossovers(points);
    assert.equal(more.length, 0);
    assert.deepEqual(found?.between, ['raw', 'json-text']);
    assert.deepEqual(found?.cheaper, { below: 'raw', above: 'json-text' });
    assert.equal(found?.channel, 'worker');
  });

  test('a size that could not be timed is left out', () => {
    const failed = [...points, sweepPoint({ strategy: 'json-text', size: 4096 })];
    assert.deepEqual(sizes.strategyResults(failed), sizes.strategyResults(points));
  });
});

// The sizes that are measured, and what they cost.

/** Ratio of a strategy to raw by size, each with an interval of +-`spread`. */
const ratios = (bySize: Record<number, number>, strategy = 'json-text', spread = 0.03): SweepPoint[] =>
  curve(Object.keys(bySize).map(Number), (size) => bySize[size]!, spread).map((at) =>
    sweepPoint({ strategy, ...at }),
  );

/** The next one as "size strategy left". */
const NEXT: [
  what: string,
  points: SweepPoint[],
  next: string | null,
  refined?: SweepPoint[],
  grain?: number,
][] = [
  [
    'the middle of the sizes around it, on a logarithmic axis',
    ratios({ 10: 2, 100: 1.4, 1000: 0.5 }),
    '317 json-text 3',
  ],
  [
    'a narrow interval with a size near it is enough',
    ratios({ 10: 2, 1000: 0.5 }, 'json-text', 0.005),
    null,
    ratios({ 90: 1.1 }, 'json-text', 0.005),
  ],
  ['no size is left between', ratios({ 0: 2, 1: 0.5 }), null],
  ['multiples of the grain', ratios({ 8: 2, 80: 0.5 }), '24 json-text 3', [], 8],
  [
    'the widest interval first',
    [...ratios({ 10: 2, 1000: 0.5 }), ...ratios({ 10: 1.2, 1000: 0.8 }, 'compiled')],
    '104 compiled 6',
  ],
];

describe('next size of a sweep', () => {
  for (const [what, given, next, refined = [], grain = 1] of NEXT)
    test(what, () => {
      const found = sizes.nextSize(given, refined, grain);
      assert.equal(found && `${found.size} ${found.strategy} ${found.left}`, next);
    });
});

describe('intervals of crossovers', () => {
  const seed = 20_260;
  const truth = 40;
  const deviation = 0.06;
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** A power law is a straight line on these axes: only random noise moves the crossing. */
  const measured = (size: number) => {
    const ratio = ((truth + 1) / (size + 1)) ** 0.4 * Math.exp(deviation * normal());
    return ratios({ [size]: ratio }, 'json-text', 1.96 * deviation);
  };
  const coarse = () => [3, 9, 27, 81, 243, 729].flatMap(measured);
  /** Share of the intervals that hold the truth. */
  const heldOf = (all: readonly SweepPoint[][]): number => {
    const found = all.map((points) => sizes.findCrossovers(points)).filter(({ length }) => length > 0);
    assert.ok(found.length > 0.95 * all.length, `${found.length} of ${all.length} found, seed ${seed}`);
    const held = found.filter((some) => some.some(({ ci }) => ci[0] <= truth && truth <= ci[1]));
    return held.length / found.length;
  };

  test('at least 95 % hold the true crossing, and most span less than a factor of two', () => {
    const all = Array.from({ length: 300 }, coarse);
    const share = heldOf(all);
    assert.ok(share > 0.95, `${share} of the intervals hold the truth, seed ${seed}`);
    const widths = all.flatMap((points) =>
      sizes.findCrossovers(points).map(({ ci: [low, high] }) => high / low),
    );
    assert.ok(median(widths) < 2, `${median(widths)} wide, seed ${seed}`);
  });

  test('after few more sizes, at least nine of ten do', () => {
    const refined = Array.from({ length: 200 }, () => {
      const points = coarse();
      const more: SweepPoint[] = [];
      for (;;) {
        const next = sizes.nextSize(points, more, 1);
        if (next === null) break;
        more.push(...measured(next.size));
      }
      assert.ok(more.length <= 3);
      return [...points, ...more];
    });
    const share = heldOf(refined);
    assert.ok(share >= 0.9, `${share} of the intervals hold the truth, seed ${seed}`);
  });
});

const trip = (ms: number) => ({ roundTrip: { median: 1e6 * ms, ci: [0, 0] as [number, number] } });

test('a larger size costs what the smaller one cost, times its growth', () => {
  const costs = new sizes.SizeCosts(3);
  const of = (bytes: number) => costs.of({ payload: 'rows', bytes });
  const [unknown, fewer] = [of(1e6), new sizes.SizeCosts(1).of({ payload: 'rows', bytes: 1e6 })];
  assert.ok(unknown.messagesMs > fewer.messagesMs);
  costs.learn({ payload: 'rows', bytes: 1e6 }, [trip(40), { roundTrip: null }, trip(60)]);
  const small = of(1e6);
  assert.equal(of(4e6).messagesMs, 4 * small.messagesMs);
  assert.equal(of(4e6).sliceMs, 4 * small.sliceMs);
  assert.deepEqual(costs.of({ payload: 'other', bytes: 1e6 }), unknown, 'of its own payload alone');
});

// Published figures.

const timed = (median: number): Estimate => ({ median, ci: [median, median] });

/** By the version of Bun: value and, measured here, the same quantity, of the second size of the first series. */
async function publishedOf(
  name: PresetName,
  medians: Record<string, number>,
  more: Partial<SweepPoint> = {},
) {
  const preset = await readPreset(name);
  const [{ id, unit, sizes: own }] = preset.series as [(typeof preset.series)[number]];
  const points = Object.entries(medians).map(([version, median]) =>
    sweepPoint({
      size: own[1]!,
      ...{ runtime: { name: 'bun', version }, channel: preset.channel, payload: id, unit },
      ...{ roundTrip: timed(median), send: timed(median / 10), ...more },
    }),
  );
  return sizes
    .withPublished(points, preset)
    .map(({ published }) => published && [published.value, published.measured]);
}

test('a published figure is shown for each version that behaves like the published version', async () => {
  assert.deepEqual(await publishedOf('bun-strings', { '1.2.20': 5000, '1.2.21': 3000, '1.4.5': 2000 }), [
    [1350, 500],
    [460, 300],
    [460, 200],
  ]);
  assert.deepEqual(await publishedOf('bun-objects', { '1.3.8': 50_000, '1.3.10': 20_000 }), [
    [25_980, 50_000],
    [14_110, 20_000],
  ]);
});

test('neither rewrites, other channels nor other sizes have one', async () => {
  for (const other of [{ strategy: 'json-text' }, { channel: 'broadcast' }, { size: 12 }] as const)
    assert.deepEqual(await publishedOf('bun-strings', { '1.4.5': 1000 }, other), [null]);
});

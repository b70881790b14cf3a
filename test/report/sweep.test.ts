import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Estimate } from '../../src/model/documents/measurement.ts';
import type { StrategyResult, SweepPoint, SweepReport } from '../../src/model/documents/sweep.ts';
import { comparisonTexts, growthTexts, sweepDocument, verdictOf } from '../../src/report/print/sweep.ts';
import { amountText, seriesOf, sizeRanges, sizeWithUnit } from '../../src/report/print/sweep-series.ts';
import { sweepPoint, sweepReport } from '../make.ts';
import { nothing, preset, strategies } from './frozen/sweeps.ts';
import { RENDERED_TEXT, squeezed } from './rendered/text.ts';
import { draw } from './safe.ts';

describe('words', () => {
  const ALL = [1, 3, 10, 30, 100];
  const SPANS: { sizes: number[]; says: string }[] = [
    { sizes: ALL, says: 'at every size' },
    { sizes: [1, 3, 10], says: 'from 1 to 10' },
    { sizes: [3], says: 'at 3' },
    { sizes: [1, 10, 30, 100], says: 'at 1 and from 10 to 100' },
    { sizes: [1, 10, 100], says: 'at 1, at 10 and at 100' },
    { sizes: [], says: '' },
  ];
  for (const { sizes, says } of SPANS)
    test(`${sizes}: ${says}`, () => assert.equal(sizeRanges(sizes, ALL), says));

  test('sizes', () => {
    assert.equal(sizeWithUnit(1, 'items'), '1 item');
    assert.equal(sizeWithUnit(0, 'keys'), '0 keys');
    assert.equal(sizeWithUnit(1.54, 'items'), '1.5 items');
    assert.equal(sizeWithUnit(3_670_016, 'chars'), '3,670,016 chars');
  });
});

const estimate = (median: number) => ({ median, ci: [median * 0.9, median * 1.1] as [number, number] });

/** Of one item, posted as it is. */
const POINT = sweepPoint({ payload: 'string', roundTrip: estimate(1000), send: estimate(100) });

test('a sweep without a point says that it was interrupted', () => {
  assert.match(draw(nothing, 'terminal'), /Interrupted/);
});

test('versions of one runtime are compared with one another, and with the fastest of all', () => {
  const at = (name: 'bun' | 'node', version: string, send: number) => ({
    ...POINT,
    ...{ runtime: { name, version }, send: estimate(send), roundTrip: estimate(10 * send) },
    published: { value: send / 2, of: 'send' as const, on: name, source: 's', measured: send },
  });
  const texts = comparisonTexts([
    at('bun', '1.0.0', 4000),
    at('bun', '2.0.0', 1000),
    at('node', '24.0.0', 100),
  ]);
  assert.deepEqual(texts, [
    'string, 1 item: node@24.0.0 against bun@2.0.0: the sender alone 10x faster, published 10x; the whole round trip 10x.',
    'string, 1 item: bun@2.0.0 against bun@1.0.0: the sender alone 4.0x faster, published 4.0x; the whole round trip 4.0x.',
    'string, 1 item: node@24.0.0 against bun@1.0.0: the sender alone 40x faster, published 40x; the whole round trip 40x.',
  ]);
});

test('a version is not called faster on the basis of one sample, or if the intervals overlap', () => {
  const at = (version: string, send: Estimate) => ({
    ...POINT,
    ...{ runtime: { name: 'bun' as const, version }, send, roundTrip: null },
  });
  const old = at('1.0.0', estimate(138_000));
  const rows: [name: string, send: Estimate, sentences: number][] = [
    ['many samples', estimate(1000), 1],
    ['one sample', { ...estimate(1000), samples: 1 }, 0],
    ['an interval that says nothing', { median: 1000, ci: [100, 9000] }, 0],
    ['intervals that overlap', { median: 90_000, ci: [60_000, 130_000] }, 0],
  ];
  for (const [name, send, sentences] of rows)
    assert.equal(comparisonTexts([old, at('2.0.0', send)]).length, sentences, name);
});

describe('the fastest rewrite when a rule was published is compared with the fastest today', () => {
  const SIZES = [1, 10, 30];
  const won = [
    { runtime: 'chromium' as const, on: 'Chrome 48', strategy: 'json-text' },
    { runtime: 'webkit' as const, on: 'Safari 9', strategy: 'raw' },
  ];
  /** Sizes at which each rewrite is faster and slower than raw, and its time in ns. */
  type Results = Record<string, { faster?: number[]; slower?: number[]; time?: number }>;
  const swept = (name: 'chromium' | 'webkit' | 'node', results: Results) =>
    sweepReport(
      Object.entries(results).flatMap(([strategy, { time = 1 }]) =>
        SIZES.map((size) => {
          const runtime = { name, version: '1.0' };
          return { ...POINT, runtime, payload: 'p', strategy, size, roundTrip: estimate(time) };
        }),
      ),
      {
        folklore: { says: 'x', strategy: 'json-text', source: 'x', won },
        standings: Object.entries(results).map(([strategy, { faster = [], slower = [] }]) => ({
          ...{ runtime: { name, version: '1.0' }, channel: 'worker', payload: 'p', unit: 'items', even: [] },
          ...{ strategy, faster, slower },
          undecided: SIZES.filter((size) => !faster.includes(size) && !slower.includes(size)),
        })),
      },
    );

  const ROWS: [
    name: 'chromium' | 'webkit' | 'node',
    results: Results /** What is fastest here, and whether that is another strategy than the published one. */,
    says: [here: string, change?: string],
  ][] = [
    [
      'chromium',
      { 'json-text': { slower: SIZES }, 'partial-text': { slower: SIZES } },
      ['raw at every size', 'changed'],
    ],
    [
      'chromium',
      { 'json-text': { faster: [30], slower: [1] }, 'partial-text': { slower: [1, 30] } },
      ['raw at 1 and json-text at 30', 'changed'],
    ],
    [
      'webkit',
      { 'json-text': { faster: [10, 30], time: 5 }, 'partial-text': { faster: [10, 30], time: 4 } },
      ['partial-text from 10 to 30', 'changed'],
    ],
    [
      'chromium',
      { 'json-text': { faster: SIZES, time: 4.2 }, 'partial-text': { faster: SIZES, time: 4 } },
      ['partial-text or json-text at every size', 'as published'],
    ],
    [
      'webkit',
      { 'json-text': { slower: [1] }, 'partial-text': { slower: [1, 10] } },
      ['raw at 1', 'as published'],
    ],
    ['webkit', { 'json-text': { slower: [1] }, 'partial-text': {} }, ['not decided: raise --budget']],
  ];
  const columnsFor = (name: 'chromium' | 'webkit' | 'node', results: Results) => {
    const nodes = sweepDocument(swept(name, results)).body.flatMap((node) =>
      node.type === 'section' ? node.body : [],
    );
    return nodes.flatMap((node) =>
      node.type === 'table' && node.title === 'Then and now' ? node.columns : [],
    );
  };

  for (const [name, results, says] of ROWS) {
    test(`${name}: ${says.join(', ')}`, () => {
      const cells = columnsFor(name, results).map((column) => column.cells[0]);
      const texts = cells.map((cell) => (typeof cell === 'object' && 'text' in cell ? cell.text : cell));
      assert.deepEqual(texts.slice(2), says);
    });
  }

  test('nothing was published for a runtime', () =>
    assert.deepEqual(columnsFor('node', { 'json-text': { slower: SIZES } }), []));
});

// The sentence of a sweep that says what it found.

const VERDICT_SIZES = [1, 10, 100];
const US = 1000;

/** Of many messages. @param share half of the interval */
const timed = (median: number, share: number): Estimate => ({
  ...{ median, ci: [median * (1 - share), median * (1 + share)], samples: 300, processes: 3 },
});

type Medians = Record<string, number[]>;

const point = (strategy: string, size: number, median: number): SweepPoint =>
  sweepPoint({
    ...{ strategy, size, unit: 'items' },
    roundTrip: timed(median * US, 0.03),
  });

type Sizes = Partial<Pick<StrategyResult, 'faster' | 'slower' | 'even' | 'undecided'>>;

function sweepOf(medians: Medians, standings: Record<string, Sizes>, crossing?: number): SweepReport {
  const points = Object.entries(medians).flatMap(([strategy, times]) =>
    times.map((median, at) => point(strategy, VERDICT_SIZES[at]!, median)),
  );
  const [first] = points as [SweepPoint];
  const place = { runtime: first.runtime, channel: first.channel, payload: first.payload, unit: first.unit };
  const results = Object.entries(standings).map(
    ([strategy, sizes]): StrategyResult => ({
      ...{ ...place, strategy },
      ...{ faster: [], slower: [], even: [], undecided: [], ...sizes },
    }),
  );
  const crossovers =
    crossing === undefined
      ? []
      : Object.keys(standings).map((strategy) => ({
          ...place,
          between: ['raw', strategy] as [string, string],
          size: crossing,
          ci: [crossing * 0.9, crossing * 1.1] as [number, number],
          cheaper: { below: 'raw', above: strategy },
        }));
  return sweepReport(points, { standings: results, crossovers });
}

const RAW = [10, 100, 1000];
const VERDICTS: [name: string, report: SweepReport, verdict: string][] = [
  [
    'faster from a size on',
    sweepOf({ raw: RAW, 'json-text': [20, 90, 500] }, { 'json-text': { slower: [1], faster: [10, 100] } }, 5),
    'From 5 items on json-text is faster: 2.0x at 100 items (500 µs instead of 1.00 ms). Below, post the object.',
  ],
  [
    'one is the fastest, and a simpler one is faster too',
    sweepOf(
      { raw: RAW, 'json-text': [20, 90, 500], compiled: [9, 50, 100] },
      { 'json-text': { faster: [10, 100], slower: [1] }, compiled: { faster: VERDICT_SIZES } },
    ),
    'Compiled is faster: 10x at 100 items (100 µs instead of 1.00 ms). json-text, which is simpler, is 2.0x as fast there.',
  ],
  [
    'nothing is faster',
    sweepOf({ raw: RAW, 'json-text': [20, 200, 2000] }, { 'json-text': { slower: VERDICT_SIZES } }),
    'Post the object: json-text is not faster at 100 items.',
  ],
  [
    'undecided, and the curves are ten times apart',
    sweepOf({ raw: RAW, 'json-text': [1, 10, 100] }, { 'json-text': { undecided: VERDICT_SIZES } }),
    'Not decided, but json-text took 100 µs instead of 1.00 ms at 100 items: measure longer with -b.',
  ],
  [
    'undecided at the largest size alone',
    sweepOf(
      { raw: RAW, 'json-text': [5, 50, 950], compiled: [20, 200, 1900] },
      { 'json-text': { faster: [1, 10], undecided: [100] }, compiled: { slower: [1, 10], undecided: [100] } },
    ),
    'Json-text is faster from 1 to 10 items; undecided: json-text and compiled at 100 items: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  ],
  [
    'one of three strategies is undecided, and none is faster',
    sweepOf(
      { raw: RAW, 'json-text': [20, 200, 2000], compiled: [9, 95, 300] },
      { 'json-text': { slower: VERDICT_SIZES }, compiled: { even: [1, 10], undecided: [100] } },
    ),
    'Json-text is not faster; compiled is not faster from 1 to 10 items; undecided: compiled at 100 items, but compiled took 300 µs instead of 1.00 ms at 100 items: measure longer with -b.',
  ],
  [
    'undecided, and about as fast',
    sweepOf({ raw: RAW, 'json-text': [9, 95, 990] }, { 'json-text': { undecided: VERDICT_SIZES } }),
    'Not decided: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  ],
];

for (const [name, report, verdict] of VERDICTS)
  test(`verdict of a sweep: ${name}`, () =>
    assert.deepEqual(
      seriesOf(report).map((one) => verdictOf(one)?.text),
      [verdict],
    ));

// How the cost of the object grows, in a sentence.

const GROWTH_SIZES = [1, 10, 100, 1000, 10_000];

function growthOf(medians: readonly (number | null)[], share = 0.05, sizes = GROWTH_SIZES): string[] {
  const points = medians.map((median, at) =>
    sweepPoint({
      ...{ strategy: 'raw', size: sizes[at]!, unit: 'items' },
      roundTrip: median === null ? null : timed(median, share),
    }),
  );
  return seriesOf(sweepReport(points, {})).flatMap(growthTexts);
}

const SAME_UP_TO_100 = 'As it is, a message costs about the same up to 100 items';
const GROWTHS: [name: string, found: string[], told: string[]][] = [
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

for (const [name, found, told] of GROWTHS) test(`growth: ${name}`, () => assert.deepEqual(found, told));

test('the page says what the sweep found', () => {
  const text = RENDERED_TEXT.html(draw(strategies, 'html'));
  for (const { between, size, ci } of strategies.crossovers) {
    const [low, high] = ci.map(amountText);
    const shown = [
      `${between[1]} ${amountText(size)} (${low}–${high})`,
      `Below ${amountText(size)} items raw is cheaper`,
    ];
    for (const one of shown) assert.ok(text.includes(squeezed(one)), one);
  }
});

test('published figures have their source', () => {
  const text = RENDERED_TEXT.html(draw(preset, 'html'));
  const sources = new Set(preset.points.flatMap(({ published }) => published?.source ?? []));
  assert.equal(sources.size, 1);
  for (const source of sources) assert.ok(text.includes(squeezed(`published: ${source}`)));
});

test('wide intervals do not press the curves together', () => {
  const points = strategies.points.map((point) => ({
    ...point,
    roundTrip: point.roundTrip && { ...point.roundTrip, ci: [1e-30, 1e30] as [number, number] },
  }));
  const page = draw({ ...strategies, points }, 'html');
  const ticks = [...page.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>/g)].map(([, text]) => text);
  assert.ok(ticks.includes('100 µs') && ticks.includes('1 ms'), ticks.join());
});

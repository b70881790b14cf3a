import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Estimate } from '../../src/model/documents/measurement.ts';
import type { StrategyResult, SweepPoint, SweepReport } from '../../src/model/documents/sweep.ts';
import { comparisonTexts, verdictOf } from '../../src/report/print/sweep.ts';
import { seriesOf, sizeWithUnit } from '../../src/report/print/sweep-series.ts';
import { sweepPoint, sweepReport } from '../make.ts';
import { strategies } from './frozen/sweeps.ts';
import { draw } from './safe.ts';

describe('words', () => {
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
    'string, 1 item: node@24.0.0 against bun@2.0.0: the sender alone 10x faster, published 10x.',
    'string, 1 item: bun@2.0.0 against bun@1.0.0: the sender alone 4.0x faster, published 4.0x.',
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
    'Post the object: nothing that was tried is faster at 100 items.',
  ],
  [
    'undecided at the largest size',
    sweepOf(
      { raw: RAW, 'json-text': [20, 200, 2000], compiled: [9, 95, 300] },
      { 'json-text': { slower: VERDICT_SIZES }, compiled: { even: [1, 10], undecided: [100] } },
    ),
    'Not decided at 100 items: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  ],
];

for (const [name, report, verdict] of VERDICTS)
  test(`verdict of a sweep: ${name}`, () =>
    assert.deepEqual(
      seriesOf(report).map((one) => verdictOf(one)?.text),
      [verdict],
    ));

test('wide intervals do not press the curves together', () => {
  const points = strategies.points.map((point) => ({
    ...point,
    roundTrip: point.roundTrip && { ...point.roundTrip, ci: [1e-30, 1e30] as [number, number] },
  }));
  const page = draw({ ...strategies, points }, 'html');
  const ticks = [...page.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>/g)].map(([, text]) => text);
  assert.ok(ticks.includes('100 µs') && ticks.includes('1 ms'), ticks.join());
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate } from '../../src/model/documents/measurement.ts';
import type { StrategyResult, SweepPoint } from '../../src/model/documents/sweep.ts';
import { comparisonTexts, verdictOf } from '../../src/report/print/sweep.ts';
import { seriesOf, sizeWithUnit } from '../../src/report/print/sweep-series.ts';
import { sweepPoint } from '../make.ts';
import { strategies } from './frozen/sweeps.ts';
import { render } from './render.ts';

test('sizes have their unit', () => {
  assert.equal(sizeWithUnit(1, 'items'), '1 item');
  assert.equal(sizeWithUnit(0, 'keys'), '0 keys');
  assert.equal(sizeWithUnit(1.54, 'items'), '1.5 items');
});

const estimate = (median: number): Estimate => ({ median, ci: [median * 0.9, median * 1.1] });

const sent = (name: 'bun' | 'node', version: string, send: Estimate): SweepPoint =>
  sweepPoint({ payload: 'string', runtime: { name, version }, send });

test('versions of one runtime are compared with one another, and with the fastest of all', () => {
  const texts = comparisonTexts([
    sent('bun', '1.0.0', estimate(4000)),
    sent('bun', '2.0.0', estimate(1000)),
    sent('node', '24.0.0', estimate(100)),
  ]);
  assert.deepEqual(texts, [
    'string, 1 item: node@24.0.0 against bun@2.0.0: the sender alone 10x faster.',
    'string, 1 item: bun@2.0.0 against bun@1.0.0: the sender alone 4.0x faster.',
  ]);
});

test('a version is not called faster on the basis of one sample, or if the intervals overlap', () => {
  const old = sent('bun', '1.0.0', estimate(138_000));
  const rows: [name: string, send: Estimate, sentences: number][] = [
    ['many samples', estimate(1000), 1],
    ['one sample', { ...estimate(1000), samples: 1 }, 0],
    ['an interval that says nothing', { median: 1000, ci: [100, 9000] }, 0],
    ['intervals that overlap', { median: 90_000, ci: [60_000, 130_000] }, 0],
  ];
  for (const [name, send, sentences] of rows)
    assert.equal(comparisonTexts([old, sent('bun', '2.0.0', send)]).length, sentences, name);
});

test('without a crossing the verdict names no size; where it is open, what would decide', () => {
  const [series] = seriesOf(strategies);
  const nothing = { faster: [], slower: [], even: [], undecided: [] };
  const verdict = (sizes: Partial<StrategyResult>) => {
    const results = [{ ...series!.results[0]!, strategy: 'columns', ...nothing, ...sizes }];
    return verdictOf({ ...series!, crossovers: [], results })?.text;
  };
  assert.equal(
    verdict({ faster: [1000] }),
    'Columns is faster: 6.7x at 1,000 items (150 µs instead of 1.01 ms).',
  );
  assert.equal(
    verdict({ even: [10], undecided: [1000] }),
    'Not decided at 1,000 items: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  );
});

test('a narrow table has the strategy that the verdict names', () => {
  const heads = render('terminal', strategies, { columns: 40 }).match(/^ {2}items +raw .*/gm) ?? [];
  assert.ok(heads.length > 0 && heads.every((head) => head.includes('columns')), heads.join());
});

test('wide intervals do not press the curves together', () => {
  const points = strategies.points.map((point) => ({
    ...point,
    roundTrip: point.roundTrip && { ...point.roundTrip, ci: [1e-30, 1e30] as [number, number] },
  }));
  const page = render('html', { ...strategies, points });
  const ticks = [...page.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>/g)].map(([, text]) => text);
  assert.ok(ticks.includes('100 µs') && ticks.includes('1 ms'), ticks.join());
});

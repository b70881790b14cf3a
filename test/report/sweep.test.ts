import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Estimate } from '../../src/model/documents/measurement.ts';
import { comparisonTexts, sweepDocument } from '../../src/report/print/sweep.ts';
import { sizeRanges, sizeWithUnit } from '../../src/report/print/sweep-series.ts';
import { sweepPoint, sweepReport } from '../make.ts';
import { nothing } from './frozen/sweeps.ts';
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

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Estimate } from '../../src/model/documents/measurement.ts';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import { changeSentence, winnerColumns } from '../../src/reporters/sweep/section.ts';
import { chart, terminalSweep } from '../../src/reporters/sweep/terminal.ts';
import { comparisonTexts, sizeRanges, sizeWithUnit } from '../../src/reporters/sweep/texts.ts';
import { textWidth } from '../../src/reporters/terminal/layout.ts';
import { terminalStyle } from '../../src/reporters/terminal/style.ts';
import { escapedJson } from '../../src/reporters/text/json.ts';
import { sweepPoint, sweepReport } from '../make.ts';
import { PLAIN } from './render.ts';

const ASCII = terminalStyle({ color: false, columns: 60, unicode: false });
const A = { mark: 'a', label: 'x' };
const AXES = { width: 31, height: 5, xLabel: String, yLabel: String };

describe('chart', () => {
  test('a power law is a straight line, and two curves keep their marks', () => {
    const xs = [1, 9, 99];
    const curves = [
      { mark: 'a', label: 'up', points: xs.map((x) => ({ x, y: x + 1 })) },
      { mark: 'b', label: 'down', points: xs.map((x) => ({ x, y: 200 / (x + 1) })) },
    ];
    const drawn = chart(curves, AXES, ASCII);
    assert.match(drawn[0] ?? '', /100 \|b+ +a+ a up$/);
    assert.match(drawn[4] ?? '', /2 \|a+ +b+ b down$/);
    assert.match(drawn.at(-1) ?? '', /^ {11}1 +9 +99$/);
  });

  test('nothing to draw, one point, equal times', () => {
    assert.deepEqual(chart([], AXES, ASCII), []);
    assert.deepEqual(chart([{ ...A, points: [] }], AXES, ASCII), []);
    const one = chart([{ ...A, points: [{ x: 0, y: 5 }] }], AXES, ASCII).join('\n');
    assert.match(one, /\| +a +a x\n/);
    const flat = chart([{ ...A, points: [0, 5, 9].map((x) => ({ x, y: 5 })) }], AXES, ASCII).join('\n');
    assert.match(flat, /\|a{16} a x\n/);
  });

  test('the axis is logarithmic: equal factors have equal distances', () => {
    const axes = { ...AXES, width: 52, height: 9 };
    const points = [0, 1, 3].map((x, i) => ({ x, y: 10 ** i }));
    const drawn = chart([{ ...A, points }], axes, ASCII);
    const [left, cells] = [11, 37];
    const rows = [0, (cells - 1) / 2, cells - 1].map((at) =>
      drawn.findIndex((line) => line[left + at] === 'a'),
    );
    assert.deepEqual(rows, [8, 4, 0]);
  });

  test('labels of close sizes do not run into one another', () => {
    const xs = [1000, 1001, 1002, 5000];
    const drawn = chart([{ ...A, points: xs.map((x) => ({ x, y: x })) }], AXES, ASCII);
    assert.match(drawn.at(-1) ?? '', /^ +1000 +5000$/);
  });
});

test('each curve ends in its name, also where several end in one place', () => {
  const names = ['raw', 'json-text', 'bytes-transferred'];
  const points = [1, 9].map((x) => ({ x, y: x }));
  const curves = names.map((label, i) => ({ mark: 'abc'[i]!, label, points }));
  const drawn = chart(curves, { ...AXES, width: 40 }, ASCII);
  const ends = drawn.flatMap((line) => /(?<= )[abc] [a-z.-]+$/.exec(line)?.[0] ?? []);
  assert.deepEqual(ends, ['a raw', 'b json-text', 'c byte...rred']);
});

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

const HOSTILE = '\u001b[31m::error::\u202e</script>';

const UNSAFE = /\p{Cc}|\p{Bidi_Control}|::error/u;

const estimate = (median: number) => ({ median, ci: [median * 0.9, median * 1.1] as [number, number] });

const report = (over: Partial<SweepReport> = {}): SweepReport =>
  sweepReport(
    ['raw', 'json-text'].flatMap((strategy) =>
      [1, 100].map((size) =>
        sweepPoint({
          ...{
            payload: HOSTILE,
            strategy,
            size,
            roundTrip: estimate(size * 1000),
            send: estimate(size * 100),
          },
          error: strategy === 'raw' ? null : { code: 'x', message: HOSTILE },
        }),
      ),
    ),
    {
      title: HOSTILE,
      dimension: { by: 'items', path: `$["${HOSTILE}"]`, size: 1, grain: 1, weight: 1 },
      folklore: { says: HOSTILE, strategy: 'json-text', source: HOSTILE },
      leftOut: [{ runtime: { name: 'node', version: '24.0.0' }, strategy: HOSTILE, reason: HOSTILE }],
      interrupted: true,
      ...over,
    },
  );

describe('payload text is escaped', () => {
  for (const columns of [40, 80, 200]) {
    for (const unicode of [true, false]) {
      test(`${columns} columns, ${unicode ? 'Unicode' : 'ASCII'}`, () => {
        const text = terminalSweep(report(), { color: false, columns, unicode });
        assert.doesNotMatch(text.replaceAll('\n', ' '), UNSAFE);
        if (!unicode) assert.match(text, /^[\n -~]*$/);
        for (const line of text.split('\n')) assert.ok(textWidth(line) <= columns, line);
      });
    }
  }

  test('JSON means the same', () => {
    const text = escapedJson(report());
    assert.doesNotMatch(text.replaceAll('\n', ' '), UNSAFE);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(report())));
  });

  test('nothing was measured', () => {
    const text = terminalSweep(report({ points: [], dimension: null }), PLAIN);
    assert.match(text, /Interrupted/);
  });
});

test('versions of one runtime are compared with one another, and with the fastest of all', () => {
  const at = (name: 'bun' | 'node', version: string, send: number) => ({
    ...report().points[0]!,
    ...{
      runtime: { name, version },
      payload: 'string',
      send: estimate(send),
      roundTrip: estimate(10 * send),
    },
    published: { value: send / 2, of: 'send' as const, on: name, source: 's', measured: send },
  });
  const texts = comparisonTexts([
    at('bun', '1.0.0', 4000),
    at('bun', '2.0.0', 1000),
    at('node', '24.0.0', 100),
  ]);
  assert.deepEqual(texts, [
    'string, 1 item: node@24.0.0 against bun@2.0.0: the sender alone 10x faster, published 10x; the whole round trip 10x.',
    'string, 1 item: bun@2.0.0 against bun@1.0.0: the sender alone 4.00x faster, published 4.00x; the whole round trip 4.00x.',
    'string, 1 item: node@24.0.0 against bun@1.0.0: the sender alone 40x faster, published 40x; the whole round trip 40x.',
  ]);
});

test('a version is not said to be faster by one sample, nor where the intervals overlap', () => {
  const at = (version: string, send: Estimate) => ({
    ...report().points[0]!,
    ...{ runtime: { name: 'bun' as const, version }, payload: 'string', send, roundTrip: null },
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

describe('what was fastest when a rule was published, and what is now', () => {
  const SIZES = [1, 10, 30];
  const won = [
    { runtime: 'chromium' as const, on: 'Chrome 48', strategy: 'json-text' },
    { runtime: 'webkit' as const, on: 'Safari 9', strategy: 'raw' },
  ];
  /** Sizes at which each rewrite is faster and slower than raw, and its time in ns. */
  type Results = Record<string, { faster?: number[]; slower?: number[]; time?: number }>;
  const swept = (name: 'chromium' | 'webkit' | 'node', results: Results) =>
    report({
      folklore: { says: 'x', strategy: 'json-text', source: 'x', won },
      points: Object.entries(results).flatMap(([strategy, { time = 1 }]) =>
        SIZES.map((size) => {
          const runtime = { name, version: '1.0' };
          return { ...report().points[0]!, runtime, strategy, size, roundTrip: estimate(time) };
        }),
      ),
      standings: Object.entries(results).map(([strategy, { faster = [], slower = [] }]) => ({
        ...{ runtime: { name, version: '1.0' }, channel: 'worker', payload: 'p', unit: 'keys', even: [] },
        ...{ strategy, faster, slower },
        undecided: SIZES.filter((size) => !faster.includes(size) && !slower.includes(size)),
      })),
    });

  const ROWS: {
    name: 'chromium' | 'webkit' | 'node';
    results: Results;
    here: string | null;
    says: string;
  }[] = [
    {
      name: 'chromium',
      results: { 'json-text': { slower: SIZES }, 'partial-text': { slower: SIZES } },
      here: 'raw at every size',
      says: 'What has changed: json-text won in Chrome 48, and in chromium@1.0 raw wins at every size.',
    },
    {
      name: 'chromium',
      results: { 'json-text': { faster: [30], slower: [1] }, 'partial-text': { slower: [1, 30] } },
      here: 'raw at 1 keys and json-text at 30 keys',
      says: 'What has changed: json-text won in Chrome 48, and in chromium@1.0 raw wins at 1 keys.',
    },
    {
      name: 'webkit',
      results: { 'json-text': { faster: [10, 30], time: 5 }, 'partial-text': { faster: [10, 30], time: 4 } },
      here: 'partial-text from 10 to 30 keys',
      says: 'What has changed: raw won in Safari 9, and in webkit@1.0 partial-text wins from 10 to 30 keys.',
    },
    {
      name: 'chromium',
      results: { 'json-text': { faster: SIZES, time: 4.2 }, 'partial-text': { faster: SIZES, time: 4 } },
      here: 'partial-text or json-text at every size',
      says: 'As published: chromium@1.0.',
    },
    {
      name: 'webkit',
      results: { 'json-text': { slower: [1] }, 'partial-text': { slower: [1, 10] } },
      here: 'raw at 1 keys',
      says: 'As published: webkit@1.0.',
    },
    {
      name: 'webkit',
      results: { 'json-text': { slower: [1] }, 'partial-text': {} },
      here: 'undecided',
      says: 'Not decided on webkit@1.0: raise --budget.',
    },
    { name: 'node', results: { 'json-text': { slower: SIZES } }, here: null, says: '' },
  ];
  for (const { name, results, here, says } of ROWS) {
    test(`${name}: ${here}`, () => {
      const one = swept(name, results);
      assert.equal(changeSentence(one), says);
      const columns = winnerColumns(one);
      assert.deepEqual(columns?.at(-1)?.cells ?? null, here === null ? null : [here]);
    });
  }
});

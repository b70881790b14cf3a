/** Pages: where the marks of their charts are, how large they are, their folds and their policy. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { lineDash, placedCells, seriesMark } from '../../src/report/html/charts/charts.ts';
import { type Axis, logAxis, sizeAxis, type Unit } from '../../src/report/html/charts/figure.ts';
import { PAGE_SCRIPT } from '../../src/report/html/page.ts';
import { icicleChart, payloadIcicle } from '../../src/report/print/details.ts';
import { blocker, facts, finding, payload, report, run, shape, trial, verdict } from '../make.ts';
import { fiftyPayloads, manyPatterns, sixRuns } from './frozen/large.ts';
import { FROZEN, frozen, render } from './render.ts';

type Values = [number, number];
const AXES: [axis: (values: Values, unit: Unit) => Axis, values: Values, unit: Unit, ticks: string[]][] = [
  [logAxis, [9_100, 412_000], 'time', ['10 µs', '30 µs', '100 µs', '300 µs']],
  [logAxis, [1, 1e9], 'time', ['1 ns', '100 ns', '10 µs', '1 ms', '100 ms']],
  [logAxis, [600, 900], 'time', ['600 ns', '700 ns', '800 ns', '900 ns']],
  [logAxis, [500_000, 520_000], 'time', ['500 µs', '510 µs', '520 µs', '530 µs']],
  [logAxis, [0.3, 2.6], 'ratio', ['2x faster', 'same', '2x slower']],
  [logAxis, [0.8, 1.25], 'ratio', ['1.25x faster', '1.11x faster', 'same', '1.1x slower', '1.2x slower']],
  [
    logAxis,
    [0.001, 1],
    'ratio',
    ['1024x faster', '256x faster', '64x faster', '16x faster', '4x faster', 'same'],
  ],
  [logAxis, [0, Number.POSITIVE_INFINITY], 'bytes', ['1 B', '2 B', '5 B', '10 B']],
  [sizeAxis, [1, 1000], 'count', ['1', '10', '100', '1 k']],
  [sizeAxis, [0, 30], 'count', ['0', '1', '5', '10', '20']],
  [sizeAxis, [1000, 1e7], 'bytes', ['1 kB', '10 kB', '100 kB', '1 MB', '10 MB']],
  [sizeAxis, [7, 7], 'count', ['7']],
];

describe('axes', () => {
  for (const [axisOf, values, unit, ticks] of AXES)
    test(`${axisOf.name} from ${values.join(' to ')}: ${ticks.join(', ')}`, () => {
      const axis = axisOf(values, unit);
      assert.deepEqual(
        axis.ticks.map(({ text }) => text),
        ticks,
      );
      const places = [...values.map(axis.at), ...axis.ticks.map(({ at }) => at)];
      assert.ok(places.every((at) => at >= 0 && at <= 100));
    });

  test('the smallest and the largest number have an axis', () => {
    for (const unit of ['time', 'ratio'] as const) {
      const { at, ticks } = logAxis([5e-324, 1.7e308], unit);
      assert.ok(at(5e-324) < at(1) && at(1) < at(1.7e308), unit);
      assert.ok(ticks.length > 1 && ticks.length < 8, unit);
    }
  });

  test('equal factors have equal distances on a logarithmic axis', () => {
    const { at } = logAxis([1, 1000], 'time');
    assert.ok(Math.abs(at(2) - at(1) - (at(200) - at(100))) < 0.3);
    assert.equal(at(0), 0);
    assert.equal(at(1e9), 100);
  });
});

describe('the bytes of a payload', () => {
  const HOLES = finding('v8/nested-holes', '$.rows');
  const rows = [
    facts('$', 'object', { size: { min: 3, max: 3, total: 3 } }),
    facts('$.rows', 'array', { depth: 1, parent: 'object', flags: ['holes'] }),
    facts('$.rows[*]', 'number', { depth: 2, parent: 'array', flags: ['double'], count: 100 }),
    facts('$.blob', 'arraybuffer', { depth: 1, parent: 'object', bytes: { total: 1000, max: 1000 } }),
    facts('not a path', 'string', { bytes: { total: 1e9, max: 1e9 } }),
  ];
  const one = run('node@24.21.0', {
    shape: shape({ patterns: rows }),
    verdict: verdict({ class: 'degraded', blockers: [blocker(HOLES)] }),
    findings: [HOLES],
  });

  test('each part has its share, its class and what it blocks', () => {
    const chart = icicleChart(one);
    assert.ok(chart);
    const parts = placedCells(chart.root).map(({ cell: part, depth }) => {
      return [part.path, depth, part.class, part.blockers.length];
    });
    assert.deepEqual(parts, [
      ['$', 0, 'serialized', 0],
      ['$.blob', 1, 'bulk', 0],
      ['$.rows', 1, 'degraded', 1],
      ['$.rows[*]', 2, 'serialized', 0],
    ]);
    assert.deepEqual(
      chart.root.children.map(({ bytes }) => Math.round(bytes / 100)),
      [10, 9],
    );
  });

  test('a part that was left out has its share of the send time', () => {
    const send = { ns: 900, share: 0.77, ci: [0.7, 0.8] as [number, number] };
    const chart = icicleChart({ ...one, byPath: [{ path: '$.rows', bytes: 900, bytesShare: 0.5, send }] });
    assert.deepEqual(chart?.columns.find(({ head }) => head === 'of send')?.cells, ['', '', '77 %', '']);
  });

  test('the run with most blockers of a better path is drawn if there are several runs', () => {
    const free = { ...one, verdict: verdict({ class: 'serialized' }), findings: [] };
    const chart = payloadIcicle([{ ...one, shape: null }, free, one, free]);
    assert.deepEqual(chart, icicleChart(one));
    assert.equal(payloadIcicle([{ ...one, shape: null }]), null);
  });

  test('thousands of patterns become a few parts, and none of their bytes are lost', () => {
    const [many] = manyPatterns(6000).payloads[0]?.runs ?? [];
    const chart = many && icicleChart(many);
    assert.ok(chart);
    const cells = placedCells(chart.root).map(({ cell: part }) => part);
    assert.ok(cells.length < 60);
    assert.ok(cells.some(({ name }) => /^\d+ more$/.test(name)));
    assert.ok(cells.some(({ blockers }) => blockers.length > 0));
    const keys = cells.filter(({ children }) => children.length === 0);
    const sum = keys.reduce((total, { bytes }) => total + bytes, 0);
    assert.ok(sum <= chart.root.bytes && sum > 0.95 * chart.root.bytes);
  });
});

describe('the size of a page', () => {
  for (const { what, report, most } of [
    { what: '2 payloads on 3 runtimes', report: sixRuns(), most: 200_000 },
    { what: '50 payloads', report: fiftyPayloads(), most: 1_100_000 },
    { what: '6,000 patterns', report: manyPatterns(6000), most: 200_000 },
  ]) {
    test(`${what}: at most ${most / 1000} kB`, () => {
      assert.ok(Buffer.byteLength(render('html', report)) <= most);
    });
  }
});

test('thirty series are distinguished by mark and dash alone', () => {
  const looks = Array.from({ length: 30 }, (_, style) => {
    const [, shape] = / d="([^"]+)"/.exec(seriesMark(style, 0, 0).source) ?? [];
    return `${shape} ${lineDash(style)}`;
  });
  assert.equal(new Set(looks).size, 30);
});

const CHANNELS = (['worker', 'window'] as const).map((channel) =>
  run('chromium@143.0.0', { channel, trials: [trial('json-text', 1.4)] }),
);

for (const [name, given] of Object.entries({ ...FROZEN, 'two channels': report(payload('a', CHANNELS)) })) {
  test(`${name}: each fold has a distinct name`, () => {
    const folds = render('html', given).matchAll(/<summary>([\s\S]*?)<\/summary>/g);
    const names = [...folds].map(([, text]) => text);
    assert.deepEqual(names, [...new Set(names)]);
  });
}

test('the policy allows this style sheet, this script and nothing else', () => {
  const page = render('html', frozen('apply'));
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  assert.ok(style);
  const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  assert.equal(
    policy.replaceAll('&#39;', "'"),
    `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`,
  );
  assert.doesNotMatch(style, /url\(|@import|</);
});

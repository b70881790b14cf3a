import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CHART_WIDTH,
  curvesFigure,
  curvesPlot,
  heightAt,
  lineDash,
  seriesMark,
  sizeAxis,
  spread,
} from '../../../src/report/html/charts/curves.ts';
import { timelineColumns } from '../../../src/report/html/charts/rows.ts';
import { mostPerSecond } from '../../../src/report/print/recording.ts';
import { seriesOf, strategyCharts } from '../../../src/report/print/sweep-series.ts';
import { strategies } from '../frozen/sweeps.ts';

describe('labels are spread', () => {
  const ROWS: { what: string; wanted: number[]; placed: number[] }[] = [
    { what: 'nothing', wanted: [], placed: [] },
    { what: 'far from each other they stay', wanted: [80, 10, 50], placed: [80, 10, 50] },
    { what: 'two at one place move to both sides', wanted: [50, 50], placed: [45, 55] },
    {
      what: 'what is near a group moves with it',
      wanted: [50, 50, 58],
      placed: [42 + 2 / 3, 52 + 2 / 3, 62 + 2 / 3],
    },
    { what: 'at the ends they move inwards', wanted: [0, 0, 100, 100], placed: [0, 10, 90, 100] },
    { what: 'outside they are moved in', wanted: [-50, 500], placed: [0, 100] },
    {
      what: 'without room they share it',
      wanted: new Array(21).fill(7),
      placed: Array.from({ length: 21 }, (_, i) => 5 * i),
    },
  ];
  for (const { what, wanted, placed } of ROWS) {
    test(what, () => {
      const found = spread(wanted, 10, [0, 100]);
      assert.deepEqual(
        found.map((at) => at.toFixed(6)),
        placed.map((at) => at.toFixed(6)),
      );
    });
  }
});

describe('a point on a line', () => {
  const LINE: [number, number][] = [
    [10, 0],
    [20, 100],
    [30, 50],
  ];
  const ROWS: [x: number, y: number][] = [
    [15, 50],
    [20, 100],
    [26, 70],
    [0, 0],
    [99, 50],
  ];
  for (const [x, y] of ROWS) test(`at ${x}`, () => assert.equal(heightAt(LINE, x), y));
  test('is null if the line is empty', () => assert.equal(heightAt([], 5), null));
});

describe('the axis of sizes', () => {
  const ROWS: { range: [number, number]; unit: 'count' | 'bytes'; texts: string[] }[] = [
    { range: [1, 1000], unit: 'count', texts: ['1', '10', '100', '1,000'] },
    { range: [0, 30], unit: 'count', texts: ['0', '1', '5', '10', '20'] },
    { range: [11, 3_670_016], unit: 'count', texts: ['100', '1,000', '10k', '100k', '1M'] },
    { range: [1000, 1e7], unit: 'bytes', texts: ['1 kB', '10 kB', '100 kB', '1 MB', '10 MB'] },
    { range: [7, 7], unit: 'count', texts: ['7'] },
  ];
  for (const { range, unit, texts } of ROWS) {
    test(`${range.join(' to ')} ${unit}`, () => {
      const axis = sizeAxis(range, unit);
      assert.deepEqual(
        axis.ticks.map(({ text }) => text),
        texts,
      );
      assert.ok(axis.ticks.every(({ at }) => at >= 0 && at <= 100));
    });
  }

  test('equal factors have equal distances, from end to end', () => {
    const { at } = sizeAxis([1, 10_000], 'count');
    assert.deepEqual([1, 10, 100, 1000, 10_000].map(at), [0, 25, 50, 75, 100]);
    assert.equal(sizeAxis([0, 99], 'count').at(9), 50);
  });
});

test('small multiples have the same axes and the same room above', () => {
  const [node, bun] = strategyCharts(seriesOf(strategies));
  assert.ok(node && bun);
  const [plot, other] = [curvesPlot(node), curvesPlot(bun)];
  assert.deepEqual(plot.xTicks, other.xTicks);
  assert.deepEqual(plot.yTicks, other.yTicks);
  assert.equal(plot.bottom, other.bottom);
  assert.notEqual(node.crossings.length, bun.crossings.length);
});

test('crossings are on the first curve, their intervals around them, all within the drawing', () => {
  for (const chart of strategyCharts(seriesOf(strategies))) {
    const { top, bottom, y: heightOf } = curvesPlot(chart);
    const { source } = curvesFigure(chart);
    const numbers = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, ...all]) => all.map(Number));
    const lines = [...source.matchAll(/class="line" d="M([^"]+)"/g)].map(([, d = '']) =>
      d.split('L').map((point): [number, number] => point.split(',').map(Number) as [number, number]),
    );
    const crossings = numbers(
      /class="interval" x1="(.*?)" x2="(.*?)" y1="(.*?)".*?<circle cx="(.*?)" cy="(.*?)"/g,
    );
    assert.ok(chart.crossings.length > 2 && crossings.length === chart.crossings.length);
    for (const [from, to, laneY, x, y] of crossings as [number, number, number, number, number][]) {
      assert.ok(0 < from && from <= x && x <= to && to <= CHART_WIDTH, `${from} ${x} ${to}`);
      assert.ok(Math.abs(y - heightAt(lines[0]!, x)!) < 0.2);
      assert.ok(laneY > 0 && laneY < top && y > top && y < bottom);
    }
    const labels = numbers(/<text x="312" y="(.*?)"/g);
    assert.equal(labels.length, chart.curves.length);
    for (const [labelY] of labels) assert.ok(labelY! - 4 >= top && labelY! - 4 <= bottom);
    for (const [at, { points }] of chart.curves.entries())
      for (const [nth, { ci }] of points.entries()) {
        const [, y] = lines[at]![nth]!;
        assert.ok(heightOf(ci[1]) <= y + 0.1 && y <= heightOf(ci[0]) + 0.1, `${y}`);
      }
  }
});

test('thirty series are distinguished by mark and dash alone', () => {
  const looks = Array.from({ length: 30 }, (_, style) => {
    const [, shape] = / d="([^"]+)"/.exec(seriesMark(style, 0, 0).source) ?? [];
    return `${shape} ${lineDash(style)}`;
  });
  assert.equal(new Set(looks).size, 30);
});

describe('columns over time', () => {
  test('are as wide as their step, and as high as their share of the largest', () => {
    assert.deepEqual(timelineColumns({ stepMs: 10, counts: [5, 0, 10] }, 40), [
      { from: 0, width: 25, height: 0.5 },
      { from: 50, width: 25, height: 1 },
    ]);
  });

  test('many steps are drawn as few', () => {
    const drawn = timelineColumns({ stepMs: 1, counts: new Array<number>(1000).fill(1) }, 1300);
    assert.equal(drawn.length, 77);
    assert.deepEqual(drawn[1], { from: 1, width: 1, height: 1 });
    assert.deepEqual(drawn.at(-1), { from: 76, width: 1, height: 12 / 13 });
  });
});

describe('the most in a second', () => {
  const ROWS: { times: { stepMs: number; counts: number[] }; most: number }[] = [
    { times: { stepMs: 1, counts: [] }, most: 0 },
    { times: { stepMs: 100, counts: [3, 4] }, most: 7 },
    { times: { stepMs: 500, counts: [1, 2, 3, 1] }, most: 5 },
    { times: { stepMs: 4000, counts: [8, 40] }, most: 10 },
  ];
  for (const { times, most } of ROWS)
    test(JSON.stringify(times), () => assert.equal(mostPerSecond(times), most));
});

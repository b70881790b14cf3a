/** Where everything of a chart of curves stands: numbers only. */

import { scaleLinear, scaleLog, scaleSymlog } from 'd3-scale';
import type { Interval } from '../../../model/documents/measurement.ts';
import type { CurvesChart } from '../../section/model/charts.ts';
import { count } from '../../text/numbers.ts';
import { type Axis, logAxis, logTicks, spaced, TICK_TEXTS, type Unit } from './axes.ts';

/** In units of the view box, which are CSS pixels on a page of phone width. */
export const CHART_WIDTH = 420;
const LEFT = 52;
const RIGHT = 132;
const TOP = 8;
/** Above the plot: the name of the quantity, and a line for each crossing. */
const HEAD = 14;
const LANE = 18;
const PLOT = 210;
const BOTTOM = 36;
const LABEL_GAP = 14;
/** Between the curves at one size, and all together. */
const ASIDE = 3;
const MOST_ASIDE = 15;

type Point = readonly [x: number, y: number];

export type CurvesLayout = ReturnType<typeof curvesLayout>;

export function curvesLayout(chart: CurvesChart) {
  const { curves, crossings, lanes, published, unit } = chart;
  const top = TOP + LANE * lanes + HEAD;
  const bottom = top + PLOT;
  const [right, left] = [CHART_WIDTH - RIGHT, LEFT];
  const xAxis = sizeAxis(chart.x, unit === 'bytes' ? 'bytes' : 'count');
  const yAxis = logAxis(chart.y, 'time');
  const x = (value: number) => left + ((right - left) * xAxis.at(value)) / 100;
  const y = (value: number) => bottom - (PLOT * yAxis.at(value)) / 100;
  const aside = (curve: number) => asideOf(curve, curves.length);
  const lines = curves.map(({ points }, at) =>
    points.map((point): Point => [x(point.x) + aside(at), y(point.y)]),
  );
  const ends = lines.map((line) => line.at(-1)![1]);
  const labels = spread(ends, LABEL_GAP, [top, bottom]);
  return {
    ...{ height: bottom + BOTTOM, left, right, top, bottom },
    xTicks: ticksWithin(xAxis, left, right),
    yTicks: ticksWithin(yAxis, bottom, top),
    curves: curves.map((curve, index) => ({
      curve,
      line: lines[index]!,
      /** The interval of each point: x, its upper and its lower end. */
      band: curve.points.map(
        ({ x: at, ci: [low, high] }) => [x(at) + aside(index), y(high), y(low)] as const,
      ),
      labelY: labels[index]!,
    })),
    crossings: crossings.map((crossing, lane) => {
      const [at, from, to] = [crossing.x, ...crossing.ci].map(x) as [number, ...Interval];
      // Those of a chart with fewer are next to its plot.
      const laneY = TOP + LANE * (lanes - crossings.length + lane + 0.5);
      return { crossing, x: at, from, to, laneY, y: heightAt(lines[0] ?? [], at) ?? bottom };
    }),
    published: published.map((mark) => ({ mark, place: [x(mark.x), y(mark.y)] as const })),
  };
}

/** Moved to the right and to the left in turns, one curve does not hide the others; the first stays. */
const asideOf = (curve: number, curves: number): number =>
  (curve % 2 === 0 ? -1 : 1) * Math.ceil(curve / 2) * Math.min(ASIDE, MOST_ASIDE / curves);

const ticksWithin = ({ ticks }: Axis, from: number, to: number) =>
  ticks.map(({ at, text }) => ({ at: from + ((to - from) * at) / 100, text }));

const formatSize = (value: number, unit: Unit): string => {
  const [size, sign] =
    value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, ''];
  const isShort = unit === 'count' && Number.isInteger(value / size);
  return isShort ? `${count(value / size)}${sign}` : TICK_TEXTS[unit](value);
};

/** From end to end. Logarithmic; where 0 is one of the sizes, it is the axis of log(1 + size). */
export function sizeAxis([low, high]: Interval, unit: Unit): Axis {
  if (!(low < high)) return { at: () => 50, ticks: [{ at: 50, text: formatSize(low, unit) }] };
  const scale = (low > 0 ? scaleLog() : scaleSymlog()).domain([low, high]).range([0, 100]).clamp(true);
  const at = (value: number) => Math.round(scale(value) * 100) / 100;
  const ticks = [...(low > 0 ? [] : [0]), ...logTicks([Math.max(1, low), high], unit)];
  return { at, ticks: spaced(ticks, at, (value) => formatSize(value, unit)) };
}

/** Neighbours in one block have one mean: the least squares fit that never descends (pool adjacent violators). */
function ascending(values: readonly number[]): number[] {
  const blocks: { mean: number; size: number }[] = [];
  for (const value of values) {
    let block = { mean: value, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean > block.mean; last = blocks.at(-1)) {
      blocks.pop();
      const size = last.size + block.size;
      block = { mean: (last.mean * last.size + block.mean * block.size) / size, size };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ mean, size }) => new Array<number>(size).fill(mean));
}

/**
 * Places between `low` and `high`, each as near to the wanted one as can be, with `gap` between neighbours; less where
 * there is no room for it. In the order of `wanted`.
 */
export function spread(wanted: readonly number[], gap: number, [low, high]: Interval): number[] {
  const step = Math.min(gap, (high - low) / Math.max(1, wanted.length - 1));
  const order = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const highest = high - step * (wanted.length - 1);
  const fitted = ascending(order.map((index, nth) => wanted[index]! - nth * step));
  const placed = new Array<number>(wanted.length);
  for (const [nth, index] of order.entries())
    placed[index] = Math.min(highest, Math.max(low, fitted[nth]!)) + nth * step;
  return placed;
}

/** Where a line of ascending x has this x; its nearest end outside of it. Null for a line without points. */
export function heightAt(line: readonly (readonly [number, number])[], x: number): number | null {
  const [xs, ys] = [line.map(([at]) => at), line.map(([, height]) => height)];
  return line.length < 2 ? (ys[0] ?? null) : scaleLinear(xs, ys).clamp(true)(x);
}

/** Where everything of a chart of curves stands: numbers only. */
import type { Interval } from '../../../../model/documents/measurement.ts';
import type { Curve, CurveCrossing, CurvesChart, PublishedMark } from '../../../section/model/curves.ts';
import { type Axis, logAxis } from '../axes.ts';
import { sizeAxis } from './size-axis.ts';
import { heightAt, spread } from './spread.ts';

/** In units of the view box, which are CSS pixels on a page of phone width. */
export const WIDTH = 420;
const LEFT = 52;
const RIGHT = 132;
const TOP = 8;
/** The name of the quantity, above its axis. */
const HEAD = 14;
/** A crossing has a line of its own above the plot. */
const LANE = 18;
const PLOT = 210;
const BOTTOM = 36;
const LABEL_GAP = 14;

export type Point = readonly [x: number, y: number];

export interface CurvesLayout {
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Positions of the ticks in the view box. */
  xTicks: { at: number; text: string }[];
  yTicks: { at: number; text: string }[];
  curves: {
    curve: Curve;
    line: Point[];
    /** The interval of each point: x, its upper and its lower end. */
    band: (readonly [x: number, high: number, low: number])[];
    labelY: number;
  }[];
  crossings: {
    crossing: CurveCrossing;
    x: number;
    /** Ends of the interval. */
    from: number;
    to: number;
    laneY: number;
    /** On the first curve. */
    y: number;
  }[];
  published: { mark: PublishedMark; place: Point }[];
}

export function curvesLayout(chart: CurvesChart): CurvesLayout {
  const { curves, crossings, lanes, published, unit } = chart;
  const top = TOP + LANE * lanes + HEAD;
  const bottom = top + PLOT;
  const [right, left] = [WIDTH - RIGHT, LEFT];
  const xAxis = sizeAxis(chart.x, unit === 'bytes' ? 'bytes' : 'count');
  const yAxis = logAxis(chart.y, 'time');
  const x = (value: number) => left + ((right - left) * xAxis.at(value)) / 100;
  const y = (value: number) => bottom - (PLOT * yAxis.at(value)) / 100;
  const lines = curves.map(({ points }) => points.map((point): Point => [x(point.x), y(point.y)]));
  const ends = lines.map((line) => line.at(-1)![1]);
  const labels = spread(ends, LABEL_GAP, [top, bottom]);
  return {
    ...{ height: bottom + BOTTOM, left, right, top, bottom },
    xTicks: ticksOf(xAxis, left, right),
    yTicks: ticksOf(yAxis, bottom, top),
    curves: curves.map((curve, index) => ({
      curve,
      line: lines[index]!,
      band: curve.points.map(({ x: at, ci: [low, high] }) => [x(at), y(high), y(low)] as const),
      labelY: labels[index]!,
    })),
    crossings: crossings.map((crossing, lane) => {
      const [at, from, to] = [crossing.x, ...crossing.ci].map(x) as [number, ...Interval];
      // Those of a chart with fewer are next to its plot.
      const laneY = TOP + LANE * (lanes - crossings.length + lane + 0.5);
      return { crossing, x: at, from, to, laneY, y: heightAt(lines[0] ?? [], at) ?? bottom };
    }),
    published: published.map((mark) => ({ mark, place: [x(mark.x), y(mark.y)] })),
  };
}

const ticksOf = ({ ticks }: Axis, from: number, to: number) =>
  ticks.map(({ at, text }) => ({ at: from + ((to - from) * at) / 100, text }));

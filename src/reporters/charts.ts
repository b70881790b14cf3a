/**
 * Charts as data: numbers, names and the table behind them. A format that draws chooses scales, marks and colours;
 * other formats show the table.
 */

import type { Estimate, Histogram, Interval, RatioEstimate } from '../model/documents/measurement.ts';
import type { RecordedMessages } from '../model/documents/recorded/recording.ts';
import type { CostClass } from '../model/names.ts';
import type { Column } from './columns.ts';
import type { StyledText, Tone } from './words.ts';

interface ChartFrame {
  title: string;
  /** Payload or file of the chart, if a page has several charts with this title. */
  of?: string;
  /** Content of the chart in one sentence, for readers who cannot see it. */
  about: string;
  /** Table behind the chart, with all numbers that are drawn. */
  columns: readonly Column[];
  /** Formats that do not draw omit the table too, because they show the same numbers elsewhere. */
  isDrawnOnly?: true;
}

interface RowsChart<Kind extends string, Row> extends ChartFrame {
  kind: Kind;
  rows: readonly Row[];
}

/** A round trip now and with the advised rewrite, ns. */
export interface GainRow {
  name: string;
  status: StyledText;
  now: Estimate | null;
  best: Estimate | null;
  floor: number | null;
  advice: string;
  isSure: boolean;
}

export type GainChart = RowsChart<'gain', GainRow>;

interface ForestPoint extends RatioEstimate {
  tone: Tone;
}

export interface ForestRow {
  name: string;
  /** Null if the estimate cannot be drawn. */
  point: ForestPoint | null;
  outcome: StyledText;
}

/** Ratios with their intervals: new time over old time. */
export interface ForestChart extends RowsChart<'forest', ForestRow> {
  /** Effects within this range of ratios count as no effect. */
  band: Interval;
}

/** A value on the axis of a distribution, ns. */
export interface DensityMark {
  name: 'floor' | 'best' | 'median' | 'p95';
  at: number;
}

export interface DensityRow {
  name: string;
  histogram: Histogram;
  /** Histogram with the advised rewrite; null if none is advised. */
  best: Histogram | null;
  marks: readonly DensityMark[];
}

export type DensityChart = RowsChart<'density', DensityRow>;

export interface BarRow {
  name: string;
  value: number;
  /** The value with its unit, and related facts. */
  text: string;
  /** Part of the value that is drawn filled; the remainder is drawn as an outline. */
  rest?: number;
  /** Text below the bar. */
  note?: string;
}

export interface BarChart extends RowsChart<'bars', BarRow> {
  unit: 'time' | 'bytes' | 'count';
}

/** A part of a payload: all values at one path pattern, with all that they contain. */
export interface IcicleCell {
  /** The last step of its path; "and 12 more" for small parts. */
  name: string;
  /** Null for a group of small parts, which have several paths. */
  path: string | null;
  kinds: readonly string[];
  count: number;
  /** Estimated bytes in the message, including all nested values. */
  bytes: number;
  /** Share of the send time that is saved by leaving the part out, if that was measured. */
  send: number | null;
  class: CostClass;
  /** Titles of the rules that block a better path here. */
  blockers: readonly string[];
  children: readonly IcicleCell[];
}

export interface IcicleChart extends ChartFrame {
  kind: 'icicle';
  root: IcicleCell;
  /** True if the root is only the sum of its children. */
  isForest?: true;
}

export type Chart =
  | GainChart
  | ForestChart
  | DensityChart
  | BarChart
  | IcicleChart
  | CurvesChart
  | TimelineChart;

export interface Curve {
  name: string;
  /** Number of the mark, dash and colour: equal names share a style in all charts of a page. */
  style: number;
  /** x from 0 up, ascending; y and its interval in ns. */
  points: readonly { x: number; y: number; ci: Interval }[];
}

/** Crossing of a curve with the first curve. */
export interface CurveCrossing {
  style: number;
  x: number;
  ci: Interval;
  /** "json-text 30 (26–35)" */
  label: string;
  about: string;
}

/** A figure that others have published. */
export interface PublishedMark {
  style: number;
  x: number;
  /** ns */
  y: number;
  label: string;
  source: string;
}

export interface CurvesChart extends ChartFrame {
  kind: 'curves';
  /** Labels of the axes: "items", "round trip". */
  unit: string;
  quantity: string;
  /** Ends of the axes, equal in charts that are compared. */
  x: Interval;
  y: Interval;
  curves: readonly Curve[];
  /** Crossings by size. `lanes`: maximum number of crossings in any of the compared charts. */
  crossings: readonly CurveCrossing[];
  lanes: number;
  published: readonly PublishedMark[];
}

export interface TimelineRow {
  name: string;
  /** Counts for equal time steps from the start. */
  times: RecordedMessages['times'];
  text: string;
}

export interface TimelineChart extends RowsChart<'timeline', TimelineRow> {
  lengthMs: number;
}

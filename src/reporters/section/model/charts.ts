/**
 * Charts as data: numbers, names and the table behind them. A format that draws decides scales, marks and colours; one that
 * does not draw shows the table.
 */

import type { Estimate, Histogram, Interval, RatioEstimate } from '../../../model/documents/measurement.ts';
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { CostClass } from '../../../model/names.ts';
import type { Column } from './columns.ts';
import type { StyledText, Tone } from './sentence.ts';

interface ChartFrame {
  title: string;
  /** Payload or file of the chart, if a page has several charts with this title. */
  of?: string;
  /** What it shows, in one sentence, for readers who cannot see it. */
  about: string;
  /** The table behind it: all numbers that are drawn. */
  columns: readonly Column[];
  /** Formats that do not draw leave out its table too: they say the same elsewhere. */
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
  /** Null if nothing of it can be drawn. */
  point: ForestPoint | null;
  outcome: StyledText;
}

/** Ratios with their intervals: new time over old time. */
export interface ForestChart extends RowsChart<'forest', ForestRow> {
  /** Effects within these ratios count as none. */
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
  /** With the advised rewrite; null without one. */
  best: Histogram | null;
  marks: readonly DensityMark[];
}

export type DensityChart = RowsChart<'density', DensityRow>;

export interface StripRow {
  name: string;
  /** ns; the parts may overlap. */
  total: number;
  /** ns, in order. */
  parts: readonly { name: string; value: number }[];
}

export type StripChart = RowsChart<'strip', StripRow>;

export interface BarRow {
  name: string;
  value: number;
  /** The value with its unit, and what belongs to it. */
  text: string;
  /** A part of the value that is drawn full; what is beyond it is drawn as an outline. */
  rest?: number;
  /** Below the bar. */
  note?: string;
}

export interface BarChart extends RowsChart<'bars', BarRow> {
  unit: 'time' | 'bytes' | 'count';
}

/** A part of a payload: all values at one path pattern, with all that is in them. */
export interface IcicleCell {
  /** The last step of its path; "and 12 more" for small parts. */
  name: string;
  /** Null for small parts, which have several. */
  path: string | null;
  kinds: string;
  count: number;
  /** Estimated bytes of the message, with all that is in it. */
  bytes: number;
  /** Share of the send time that goes away without it, where that was measured. */
  send: number | null;
  class: CostClass;
  /** Titles of the rules that block a better path here. */
  blockers: readonly string[];
  children: readonly IcicleCell[];
}

export interface IcicleChart extends ChartFrame {
  kind: 'icicle';
  root: IcicleCell;
  /** The root is only the sum of its children. */
  isForest?: true;
}

export type Chart =
  | GainChart
  | ForestChart
  | DensityChart
  | StripChart
  | BarChart
  | IcicleChart
  | CurvesChart
  | TimelineChart;

export interface Curve {
  name: string;
  /** Which mark, dash and colour: the same name has the same in all charts of a page. */
  style: number;
  /** x from 0 on, ascending; y and its interval in ns. */
  points: readonly { x: number; y: number; ci: Interval }[];
}

/** Where a curve meets the first one. */
export interface CurveCrossing {
  style: number;
  x: number;
  ci: Interval;
  /** "json-text 30 (26–35)" */
  label: string;
  about: string;
}

/** What others measured. */
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
  /** What is on the axes: "items", "round trip". */
  unit: string;
  quantity: string;
  /** Ends of the axes, the same in charts that are compared. */
  x: Interval;
  y: Interval;
  curves: readonly Curve[];
  /** By size; and how many the charts that are compared have at most. */
  crossings: readonly CurveCrossing[];
  lanes: number;
  published: readonly PublishedMark[];
}

export interface TimelineRow {
  name: string;
  /** Counts for equal steps from the start on. */
  times: RecordedMessages['times'];
  text: string;
}

export interface TimelineChart extends RowsChart<'timeline', TimelineRow> {
  lengthMs: number;
}

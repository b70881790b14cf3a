/**
 * Charts as data: numbers, names and the table behind them. A format that draws decides scales, marks and colours; one that
 * does not draw shows the table.
 */

import type { Estimate, Histogram, Interval, RatioEstimate } from '../../../model/documents/measurement.ts';
import type { CostClass } from '../../../model/names.ts';
import type { CurvesChart } from './curves.ts';
import type { ChartFrame } from './frame.ts';
import type { StyledText, Tone } from './sentence.ts';
import type { TimelineChart } from './timeline.ts';

/** A round trip now and with the advised rewrite, ns. */
export interface GainRow {
  /** "node 24.21.0" */
  name: string;
  status: StyledText;
  now: Estimate | null;
  best: Estimate | null;
  /** Time of an empty message, ns. */
  floor: number | null;
  /** "columns: 2.4x", "no rewrite" */
  advice: string;
  isSure: boolean;
}

/** The runs of one payload on a common axis of time. */
export interface GainChart extends ChartFrame {
  kind: 'gain';
  rows: readonly GainRow[];
}

export interface ForestPoint extends RatioEstimate {
  /** Index into `series`. */
  series: number;
  tone: Tone;
}

export interface ForestRow {
  name: string;
  points: readonly ForestPoint[];
  /** "faster", "slower, lossy" */
  outcome: StyledText;
}

/** Ratios with their intervals: new time over old time. */
export interface ForestChart extends ChartFrame {
  kind: 'forest';
  /** Names of the runtimes. */
  series: readonly string[];
  /** Effects within these ratios count as none. */
  band: Interval;
  rows: readonly ForestRow[];
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

/** Distributions on a common logarithmic axis of time. */
export interface DensityChart extends ChartFrame {
  kind: 'density';
  rows: readonly DensityRow[];
}

export interface StripRow {
  name: string;
  /** ns; the parts may overlap. */
  total: number;
  /** ns, in order. */
  parts: readonly { name: string; value: number }[];
}

/** Parts of a time, side by side, on a common axis from 0. */
export interface StripChart extends ChartFrame {
  kind: 'strip';
  rows: readonly StripRow[];
}

export interface BarRow {
  name: string;
  value: number;
  /** The value with its unit, and what belongs to it. */
  text: string;
  tone?: Tone;
  /** A part of the value that is drawn full; what is beyond it is drawn as an outline. */
  rest?: number;
  /** Below the bar. */
  note?: string;
}

/** Amounts on a common axis from 0. */
export interface BarChart extends ChartFrame {
  kind: 'bars';
  unit: 'time' | 'bytes' | 'count';
  rows: readonly BarRow[];
}

/** A part of a payload: all values at one path pattern, with all that is in them. */
export interface IcicleCell {
  /** The last step of its path; "and 12 more" for small parts. */
  name: string;
  /** Null for small parts, which have several. */
  path: string | null;
  /** "object", "string, null" */
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

/** A payload by its bytes. */
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

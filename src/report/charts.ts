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
  /** Table behind the chart, with all numbers that are drawn. Its first rows are read to who cannot see the drawing. */
  columns: readonly Column[];
}

interface Kinds {
  /** Round trips now and with the advised rewrite. */
  times: { rows: readonly TimesRow[] };
  /** Ratios with their intervals: new time over old time. Effects within `band` count as no effect. */
  forest: { rows: readonly ForestRow[]; band: Interval };
  /** A forest: the root is only the sum of its children. */
  icicle: { root: IcicleCell; isForest?: true };
  curves: Curves;
  timeline: { rows: readonly TimelineRow[]; lengthMs: number };
}

export type ChartOf<Kind extends keyof Kinds> = ChartFrame & { kind: Kind } & Kinds[Kind];
export type Chart = { [Kind in keyof Kinds]: ChartOf<Kind> }[keyof Kinds];
export type IcicleChart = ChartOf<'icicle'>;
export type TimelineChart = ChartOf<'timeline'>;

/** Round trips of a run with their distribution, if it is known, ns. */
type Distributed = Estimate & { histogram: Histogram | null };

export interface TimesRow {
  name: string;
  status: StyledText;
  advice: StyledText;
  now: Distributed;
  /** With the advised rewrite; null if none is advised, or if the size of its gain is not known. */
  best: Distributed | null;
  floor: number;
  p95: number | null;
}

export interface ForestRow {
  name: string;
  /** Null if the estimate cannot be drawn. */
  point: (RatioEstimate & { tone: Tone }) | null;
  outcome: StyledText;
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

export interface PublishedMark {
  style: number;
  x: number;
  /** ns */
  y: number;
  label: string;
  source: string;
}

interface Curves {
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

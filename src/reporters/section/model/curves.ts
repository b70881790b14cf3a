/** Cost against size: curves on two logarithmic axes. */
import type { Interval } from '../../../model/documents/measurement.ts';
import type { ChartFrame } from './frame.ts';

export interface CurvePoint {
  /** From 0 on. */
  x: number;
  /** ns */
  y: number;
  ci: Interval;
}

export interface Curve {
  name: string;
  /** Which mark, dash and colour: the same name has the same in all charts of a page. */
  style: number;
  /** x ascends. */
  points: readonly CurvePoint[];
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

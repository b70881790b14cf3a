import { RAW } from '../../model/vocabulary/sweep.ts';
/** Summarizes the points of a sweep: sizes where strategies cross, and the faster and slower sizes of each strategy. */

import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint } from '../../model/documents/sweep.ts';
import { type Decision, decide } from '../stats/decision.ts';
import { quantile } from '../stats/quantiles.ts';
import { type Random, seeded } from '../stats/random.ts';
import { normalQuantile } from '../stats/student.ts';

/** Groups points into curves: one strategy of one series, on one runtime over one channel, sizes ascending. */
function groupCurves(points: readonly SweepPoint[]): SweepPoint[][] {
  const curves = new Map<string, SweepPoint[]>();
  for (const point of points) {
    const { runtime, channel, payload, strategy } = point;
    const key = JSON.stringify([runtime.name, runtime.version, channel, payload, strategy]);
    curves.set(key, [...(curves.get(key) ?? []), point]);
  }
  return [...curves.values()].map((curve) => [...curve].sort((a, b) => a.size - b.size));
}

const comparedWithRaw = (points: readonly SweepPoint[]) =>
  groupCurves(points.filter(({ strategy }) => strategy !== RAW));

export function findCrossovers(points: readonly SweepPoint[], seed: number): Crossover[] {
  return comparedWithRaw(points).flatMap((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const ratios = curve.flatMap(({ size, ratio }) => (ratio === null ? [] : [{ size, ratio }]));
    return crossings(ratios, seed).map(({ size, ci, belowFirst }): Crossover => {
      const cheaper = belowFirst ? { below: strategy, above: RAW } : { below: RAW, above: strategy };
      return { runtime, channel, payload, between: [RAW, strategy], unit, size, ci, cheaper };
    });
  });
}

export function strategyResults(points: readonly SweepPoint[]): StrategyResult[] {
  return comparedWithRaw(points).map((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const timed = curve.filter(({ ratio }) => ratio !== null);
    const sizes = (wanted: Decision) =>
      timed.filter(({ ratio }) => decide(ratio) === wanted).map(({ size }) => size);
    const even = sizes('same');
    const series = { runtime, channel, payload, strategy, unit };
    return { ...series, faster: sizes('faster'), slower: sizes('slower'), even, undecided: sizes('open') };
  });
}

export interface RatioAt {
  size: number;
  /** Ratio of the costs of two strategies, with its 95 % interval. */
  ratio: RatioEstimate;
}

interface Crossing {
  size: number;
  ci: Interval;
  /** True if the ratio is below 1 on the side of the smaller sizes. */
  belowFirst: boolean;
}

interface LogPoint {
  /** Log of the size plus one, because a size may be zero. */
  at: number;
  log: number;
  deviation: number;
}

const REPLICATES = 1000;
const Z95 = normalQuantile(0.975);

/**
 * Finds crossings: sizes with a ratio of 1 on the line through the ratios, both axes logarithmic. A crossing lies
 * between two sizes with opposite decisions; undecided sizes between them only widen its interval. The interval comes
 * from a parametric bootstrap: each ratio is drawn from its interval, 1000 times, seeded.
 */
export function crossings(ratios: readonly RatioAt[], seed: number): Crossing[] {
  const points = [...ratios].sort((a, b) => a.size - b.size);
  const found: Crossing[] = [];
  let from = -1;
  for (const [to, { ratio }] of points.entries()) {
    const side = decide(ratio);
    if (side !== 'faster' && side !== 'slower') continue;
    const before = points[from];
    if (before && decide(before.ratio) !== side)
      found.push(crossingIn(points.slice(from, to + 1), seed + to));
    from = to;
  }
  return found;
}

function crossingIn(points: readonly RatioAt[], seed: number): Crossing {
  const logPoints = points.map(({ size, ratio: { ratio, ci } }): LogPoint => {
    const deviation = (Math.log(ci[1]) - Math.log(ci[0])) / 2 / Z95;
    return { at: Math.log1p(size), log: Math.log(ratio), deviation };
  });
  const random = seeded(seed);
  const logs = logPoints.map(({ log }) => log);
  const drawn = Array.from({ length: REPLICATES }, () => {
    const noisy = logPoints.map(({ log, deviation }) => log + deviation * normal(random));
    return zeroCrossing(logPoints, noisy);
  });
  const middle = zeroCrossing(logPoints, logs);
  return {
    size: Math.expm1(middle),
    ci: [Math.expm1(quantile(drawn, 0.025)), Math.expm1(quantile(drawn, 0.975))],
    belowFirst: logPoints[0]!.log < 0,
  };
}

/** Position of zero on the line: the middle of several crossings; an end of the line if it does not cross zero. */
function zeroCrossing(points: readonly LogPoint[], logs: readonly number[]): number {
  const crossed: number[] = [];
  for (let right = 1; right < points.length; right++) {
    const [a, b] = [logs[right - 1]!, logs[right]!];
    if (a < 0 === b < 0) continue;
    const [from, to] = [points[right - 1]!.at, points[right]!.at];
    crossed.push(from + ((to - from) * a) / (a - b));
  }
  if (crossed.length > 0) return crossed[crossed.length >> 1]!;
  const isAfterEnd = logs[0]! < 0 === points[0]!.log < 0;
  return isAfterEnd ? points.at(-1)!.at : points[0]!.at;
}

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The size at which two strategies cost the same, and how well it is known. */
import type { Interval, RatioEstimate } from '../../model/report.ts';
import { decide } from '../stats/decision.ts';
import { quantile } from '../stats/quantiles.ts';
import { type Random, seeded } from '../stats/random.ts';
import { normalQuantile } from '../stats/student.ts';

export interface RatioAt {
  size: number;
  /** Cost of one over the other, with its 95 % interval. */
  ratio: RatioEstimate;
}

export interface Crossing {
  size: number;
  ci: Interval;
  /** Is the ratio below 1 on the side of the smaller sizes? */
  belowFirst: boolean;
}

interface LogPoint {
  /** Log of the size plus one: zero is a size too. */
  at: number;
  log: number;
  deviation: number;
}

const REPLICATES = 1000;
const Z95 = normalQuantile(0.975);

/**
 * A crossing lies between two sizes at which the answer is decided, once each way; sizes between them at which it is
 * not decided only widen the interval. The place is where the line through the ratios, both axes logarithmic, passes
 * 1; its interval comes from a parametric bootstrap: each ratio is drawn anew by its own interval, 1000 times, seeded.
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
  const places = points.map(logPointOf);
  const random = seeded(seed);
  const drawn = Array.from({ length: REPLICATES }, () =>
    zeroCrossing(
      places,
      places.map(({ log, deviation }) => log + deviation * normal(random)),
    ),
  );
  const middle = zeroCrossing(
    places,
    places.map(({ log }) => log),
  );
  return {
    size: Math.expm1(middle),
    ci: [Math.expm1(quantile(drawn, 0.025)), Math.expm1(quantile(drawn, 0.975))],
    belowFirst: places[0]!.log < 0,
  };
}

function logPointOf({ size, ratio }: RatioAt): LogPoint {
  const [low, high] = ratio.ci;
  return {
    at: Math.log1p(size),
    log: Math.log(ratio.ratio),
    deviation: (Math.log(high) - Math.log(low)) / 2 / Z95,
  };
}

/** Where the line passes zero: the middle one of several places, an end when there is none. */
function zeroCrossing(places: readonly LogPoint[], logs: readonly number[]): number {
  const passed: number[] = [];
  for (let right = 1; right < places.length; right++) {
    const [a, b] = [logs[right - 1]!, logs[right]!];
    if (a < 0 === b < 0) continue;
    const [from, to] = [places[right - 1]!.at, places[right]!.at];
    passed.push(from + ((to - from) * a) / (a - b));
  }
  if (passed.length > 0) return passed[passed.length >> 1]!;
  const stayed = logs[0]! < 0 === places[0]!.log < 0;
  return stayed ? places.at(-1)!.at : places[0]!.at;
}

/** Box-Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

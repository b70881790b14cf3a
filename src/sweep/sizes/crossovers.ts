/** Sizes where strategies cross, and where each is faster or slower; selects the next size that a sweep measures. */
import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint } from '../../model/documents/sweep.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { RAW } from '../../model/vocabulary/words.ts';
import { type Decision, decide } from '../../stats/evidence.ts';

/** A curve for each place and each strategy that is compared with raw, sizes ascending. */
function comparedWithRaw(points: readonly SweepPoint[]): SweepPoint[][] {
  const compared = points.filter(({ strategy }) => strategy !== RAW);
  const curves = groupedBy(compared, ({ runtime: { name, version }, channel, payload, strategy }) =>
    JSON.stringify([name, version, channel, payload, strategy]),
  );
  return [...curves.values()].map((curve) => curve.sort((a, b) => a.size - b.size));
}

export function findCrossovers(points: readonly SweepPoint[]): Crossover[] {
  return comparedWithRaw(points).flatMap((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const ratios = curve.flatMap(({ size, ratio }) => (ratio === null ? [] : [{ size, ratio }]));
    return crossings(ratios).map(({ size, ci, belowFirst }): Crossover => {
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

/**
 * Finds crossings: sizes with a ratio of 1 on the line through the ratios, both axes logarithmic. A crossing lies
 * between two sizes with opposite decisions; undecided sizes between them only widen its interval, which holds all
 * sizes where 1 lies between the lines through the lower and the upper ends of the ratios' intervals.
 * @param points sizes ascending
 */
export function crossings(points: readonly RatioAt[]): Crossing[] {
  const found: Crossing[] = [];
  let from = -1;
  for (const [to, { ratio }] of points.entries()) {
    const side = decide(ratio);
    if (side !== 'faster' && side !== 'slower') continue;
    const before = points[from];
    if (before && decide(before.ratio) !== side) found.push(crossingIn(points.slice(from, to + 1)));
    from = to;
  }
  return found;
}

/** @param points the first and the last are decided, so that each line through them crosses 1 */
function crossingIn(points: readonly RatioAt[]): Crossing {
  const even = evenSizes(points, ({ ratio }) => ratio);
  const ends = [...evenSizes(points, ({ ci }) => ci[0]), ...evenSizes(points, ({ ci }) => ci[1])];
  return {
    size: even[even.length >> 1]!,
    ci: [Math.min(...ends), Math.max(...ends)],
    belowFirst: points[0]!.ratio.ratio < 1,
  };
}

function evenSizes(points: readonly RatioAt[], heightOf: (ratio: RatioEstimate) => number): number[] {
  const sizes: number[] = [];
  for (const [index, right] of points.entries()) {
    const left = points[index - 1];
    if (left === undefined) continue;
    // A coarse clock measures a ratio of zero, whose logarithm would not be a number to divide by.
    const heights = [left, right].map(({ ratio }) => Math.log(Math.max(heightOf(ratio), Number.MIN_VALUE)));
    const [a, b] = heights as [number, number];
    if (a < 0 === b < 0) continue;
    // A size may be zero.
    const [from, to] = [Math.log1p(left.size), Math.log1p(right.size)];
    sizes.push(Math.expm1(from + ((to - from) * a) / (a - b)));
  }
  return sizes;
}

interface NextSize {
  size: number;
  /** Strategy whose crossover with `raw` this size brackets more closely. */
  strategy: string;
  /** Maximum number of sizes that will be requested, including this one. */
  left: number;
}

/** A crossover is known if a size near it was measured, and its interval is at most this wide. */
const NARROW = 1.25;
/**
 * Maximum sizes per strategy. If many sizes have similar costs, one soon seems decided, but wrongly. Few sizes get more
 * time each.
 */
const MAX_SIZES = 3;

/**
 * Bisects, on a logarithmic axis, between the measured sizes around the crossover with the widest interval.
 * @param coarse points of one payload on one runtime over one channel
 * @param refined points of sizes that were returned here before
 * @returns null if all are known, or were bisected as often as is useful
 */
export function nextSize(
  coarse: readonly SweepPoint[],
  refined: readonly SweepPoint[],
  grain: number,
): NextSize | null {
  const points = [...coarse, ...refined];
  const open = findCrossovers(points).flatMap(({ between: [, strategy], size: crossing, ci }) => {
    const done = refined.filter((one) => one.strategy === strategy).length;
    const sizes = points.filter((one) => one.strategy === strategy).map((one) => one.size);
    const below = Math.max(...sizes.filter((one) => one <= crossing));
    const above = Math.min(...sizes.filter((one) => one > crossing));
    const middle = Math.expm1((Math.log1p(below) + Math.log1p(above)) / 2);
    const size = Math.round(middle / grain) * grain;
    // Plus one, because a size may be zero.
    const width = (ci[1] + 1) / (ci[0] + 1);
    if (sizes.includes(size) || done >= MAX_SIZES || (done > 0 && width <= NARROW)) return [];
    return { size, strategy, width, left: MAX_SIZES - done };
  });
  const [widest] = open.sort((a, b) => b.width - a.width);
  return widest === undefined ? null : { ...widest, left: sumOf(open, ({ left }) => left) };
}

// Estimated costs of the sizes of a sweep, learnt from earlier sizes. Times in ms.

/** Minimum rounds of one process. A large payload leaves time for few processes, so their rounds show the noise. */
const MIN_ROUNDS = 4;
/** Each round of round trips is accompanied by one-way messages, which take half as long. */
const ROUND = 1.5;
/** Building the payload at both ends and warming up take as long as this number of rounds. */
const ROUNDS_BEFORE = 3;
/** Initial guess for the first size: the time of nested rows. */
const NS_A_BYTE = 20;
/** Minimum time of a size: three processes start and measure briefly, and a further process measures the memory. */
export const LEAST_OF_SIZE_MS = 800;

export class SizeCosts {
  readonly #strategies: number;
  /** Time of one message of each strategy, at the last size that was timed. */
  readonly #nsAByte = new Map<string, number>();

  /** @param strategies number of timed strategies, including raw */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  /** `inAllMs`: starting processes, and enough messages for an interval. `sliceMs`: timed rounds of one process. */
  of({ payload, bytes }: { payload: string; bytes: number }) {
    const roundMs = (bytes * (this.#nsAByte.get(payload) ?? this.#strategies * NS_A_BYTE)) / 1e6;
    const sliceMs = MIN_ROUNDS * ROUND * roundMs;
    const messagesMs = ROUNDS_BEFORE * roundMs + sliceMs;
    return { inAllMs: LEAST_OF_SIZE_MS + messagesMs, messagesMs, sliceMs };
  }

  learn(
    { payload, bytes }: { payload: string; bytes: number },
    points: readonly Pick<SweepPoint, 'roundTrip'>[],
  ): void {
    const ns = sumOf(points, ({ roundTrip }) => roundTrip?.median ?? 0);
    if (ns > 0) this.#nsAByte.set(payload, ns / Math.max(1, bytes));
  }
}

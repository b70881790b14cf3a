/** Sizes where strategies cross, and where each is faster or slower; selects the next size that a sweep measures. */
import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint } from '../../model/documents/sweep.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { RAW } from '../../model/vocabulary/words.ts';
import { type Decision, decide } from '../../stats/evidence.ts';
import { quantile } from '../../stats/intervals/intervals.ts';
import { type Random, seeded } from '../../stats/intervals/random.ts';

/** A curve for each place and each strategy that is compared with raw, sizes ascending. */
function comparedWithRaw(points: readonly SweepPoint[]): SweepPoint[][] {
  const compared = points.filter(({ strategy }) => strategy !== RAW);
  const curves = groupedBy(compared, ({ runtime: { name, version }, channel, payload, strategy }) =>
    JSON.stringify([name, version, channel, payload, strategy]),
  );
  return [...curves.values()].map((curve) => curve.sort((a, b) => a.size - b.size));
}

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

const REPLICATES = 1000;
/** Deviations of a normal distribution that 95 % lie within. */
const Z95 = 1.959963984540054;

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
  const logPoints = points.map(({ size, ratio: { ratio, ci } }) => ({
    // A size may be zero.
    at: Math.log1p(size),
    log: Math.log(ratio),
    deviation: (Math.log(ci[1]) - Math.log(ci[0])) / 2 / Z95,
  }));
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
function zeroCrossing(points: readonly { at: number; log: number }[], logs: readonly number[]): number {
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
 * Maximum sizes per strategy. If many sizes have similar costs, one soon seems decided, but wrongly: under strong
 * noise, 80 % of the intervals contained the truth with eight sizes, 92 % with three. Few sizes get more time each.
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
  { grain, seed }: { grain: number; seed: number },
): NextSize | null {
  const points = [...coarse, ...refined];
  const open = findCrossovers(points, seed).flatMap(({ between: [, strategy], size: crossing, ci }) => {
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

/** Selects the next size that a sweep measures, near its crossovers. */
import type { Crossover, SweepPoint } from '../../model/documents/sweep.ts';
import { findCrossovers } from './crossovers.ts';

interface NextSize {
  size: number;
  /** Strategies whose crossover with `raw` this size brackets more closely. */
  strategies: string[];
  /** Maximum number of sizes that will be requested, including this one. */
  left: number;
}

/** A crossover is known if its interval is at most this wide (high over low) ... */
const NARROW = 1.25;
/** ... and the sizes measured around it are at most this far apart: a longer curve is not a straight line. */
const CLOSE = 2;
/**
 * Maximum sizes per crossover. If many sizes have similar costs, one soon seems decided, but wrongly: under strong
 * noise, 80 % of the intervals contained the truth with eight sizes, 92 % with three. Few sizes get more time each.
 */
const MAX_SIZES = 3;

type SizeGap = Record<'from' | 'to', number>;

/** Ratio of the sizes plus one, because sizes may be zero. */
const factor = ({ from, to }: SizeGap): number => (to + 1) / (from + 1);

/**
 * Bisects, on a logarithmic axis, between two measured sizes around the crossover with the widest interval. Null if all
 * crossovers are known, or if there is no size left in between. Pure.
 *
 * @param coarse points of one payload on one runtime over one channel
 * @param refined points of sizes that were returned here before
 * @param grain sizes are multiples of it
 */
export function nextSize(
  coarse: readonly SweepPoint[],
  refined: readonly SweepPoint[],
  { grain, seed }: { grain: number; seed: number },
): NextSize | null {
  const points = [...coarse, ...refined];
  const crossovers = findCrossovers(points, seed);
  const open = crossovers
    .map((crossover) => ({
      strategy: cheaperAbove(crossover),
      gap: gapAt(points, crossover),
      width: factor({ from: crossover.ci[0], to: crossover.ci[1] }),
      left: sizesLeft(crossover, crossovers, refined),
    }))
    .filter(({ width, gap, left }) => left > 0 && (width > NARROW || factor(gap) > CLOSE))
    .sort((a, b) => b.width - a.width);
  const left = open.reduce((sum, one) => sum + one.left, 0);
  const tried = new Set(points.map(({ size }) => size));
  for (const { gap } of open) {
    const middle = Math.expm1((Math.log1p(gap.from) + Math.log1p(gap.to)) / 2);
    const size = Math.round(middle / grain) * grain;
    if (size <= gap.from || size >= gap.to || tried.has(size)) continue;
    const around = open.filter((other) => other.gap.from < size && size < other.gap.to);
    return { size, strategies: [...new Set(around.map(({ strategy }) => strategy))], left };
  }
  return null;
}

const cheaperAbove = ({ between }: Crossover): string => between[1];

/** Number of sizes left for the crossover; all crossovers of a strategy share its measured sizes. */
function sizesLeft(crossover: Crossover, all: readonly Crossover[], refined: readonly SweepPoint[]): number {
  const strategy = cheaperAbove(crossover);
  const done = refined.filter((point) => point.strategy === strategy).length;
  const crossings = all.filter((other) => cheaperAbove(other) === strategy).length;
  return MAX_SIZES - done / crossings;
}

/** Gap between measured sizes that contains most of the crossover's interval. */
function gapAt(points: readonly SweepPoint[], crossover: Crossover): SizeGap {
  const sizes = points
    .filter(({ strategy, ratio }) => strategy === cheaperAbove(crossover) && ratio !== null)
    .map(({ size }) => size)
    .sort((a, b) => a - b);
  const gaps = sizes.slice(1).map((to, at): SizeGap => ({ from: sizes[at]!, to }));
  const [low, high] = crossover.ci;
  const inside = (gap: SizeGap) => factor({ from: Math.max(gap.from, low), to: Math.min(gap.to, high) });
  return gaps.reduce((most, gap) => (inside(gap) > inside(most) ? gap : most));
}

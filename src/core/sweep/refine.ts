/** Where a sweep measures next: near its crossovers. */
import type { Crossover, SweepPoint } from '../../model/documents/sweep.ts';
import { findCrossovers } from './crossovers.ts';

interface NextSize {
  size: number;
  /** Strategies whose crossover with `raw` this size brackets more closely. */
  strategies: string[];
  /** How many sizes may be asked for, this one included. */
  left: number;
}

/** A crossover is known when its interval is so narrow (high over low) ... */
const NARROW = 1.25;
/** ... and the sizes measured around it are so close: a curve between distant sizes is not a straight line. */
const CLOSE = 2;
/**
 * For each crossover. Of many sizes that all cost about the same, one would soon seem decided, and the wrong way: with
 * eight, 80 % of the intervals held the truth where the noise was high, with three 92 %. So few sizes get more time each.
 */
const MAX_SIZES = 3;

type SizeGap = Record<'from' | 'to', number>;

/** Sizes may be zero. */
const factor = ({ from, to }: SizeGap): number => (to + 1) / (from + 1);

/**
 * Bisects, on a logarithmic axis, between two measured sizes around the least known crossover; null when each is known,
 * or when no size is left between. Pure.
 *
 * @param coarse points of one payload on one runtime over one channel
 * @param refined points of sizes that were asked for here before
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

/** Shared by the crossovers of one strategy. */
function sizesLeft(crossover: Crossover, all: readonly Crossover[], refined: readonly SweepPoint[]): number {
  const strategy = cheaperAbove(crossover);
  const done = refined.filter((point) => point.strategy === strategy).length;
  const crossings = all.filter((other) => cheaperAbove(other) === strategy).length;
  return MAX_SIZES - done / crossings;
}

/** Gap between sizes that were compared which most of the crossover's interval lies in. */
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

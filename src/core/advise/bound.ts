import type { Trial } from '../../model/report/report.ts';

/**
 * What no equal rewrite can be faster than, as a ratio of times, at most 1. All intervals hold together, so the least of
 * their lower ends holds for all. One that was never timed has no bound.
 *
 * @param least ratio from which on none is advised: what was dropped had no part below it, or was behind another that is
 *   still judged
 */
export function boundOf(equal: readonly Trial[], least: number): { bound?: number } {
  const lows = equal.flatMap(({ withConversion, outcome }) => {
    if (withConversion === null) return [];
    const [low] = withConversion.ci;
    return outcome === 'dropped' ? Math.max(low, least) : low;
  });
  return lows.length === 0 ? {} : { bound: Math.min(1, ...lows) };
}

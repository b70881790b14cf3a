import type { Trial } from '../../model/report/report.ts';
import { NO_DIFFERENCE } from '../stats/decision.ts';

/**
 * What no equal rewrite can be faster than, as a ratio of times, at most 1. All intervals hold together, so the least of
 * their lower ends holds for all. A rewrite that was dropped is no faster than the original, or than another that is
 * still judged. One that was never timed has no bound.
 */
export function boundOf(equal: readonly Trial[]): { bound?: number } {
  const lows = equal.flatMap(({ withConversion, outcome }) => {
    if (withConversion === null) return [];
    const [low] = withConversion.ci;
    return outcome === 'dropped' ? Math.max(low, NO_DIFFERENCE.from) : low;
  });
  return lows.length === 0 ? {} : { bound: Math.min(1, ...lows) };
}

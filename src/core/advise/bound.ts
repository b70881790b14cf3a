import type { Trial } from '../../model/documents/trial.ts';
import { carries } from '../evidence.ts';

/**
 * What no equal rewrite can be faster than, as a ratio of times, at most 1. All intervals hold together, so the least of
 * their lower ends holds for all. One that was never timed has no bound; an interval that says nothing takes it from all.
 */
export function boundOf(equal: readonly Trial[]): { bound?: number } {
  const timed = equal.flatMap(({ withConversion }) => withConversion ?? []);
  const isKnown = timed.every((one) => carries(one, 'size') || (carries(one, 'side') && one.ci[0] >= 1));
  if (timed.length === 0 || !isKnown) return {};
  return { bound: Math.min(1, ...timed.map(({ ci }) => ci[0])) };
}

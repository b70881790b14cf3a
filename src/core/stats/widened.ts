import type { Interval } from '../../model/documents/measurement.ts';

/**
 * Resampling cannot show what affects all samples alike: time taken by a hypervisor or a quota, a floor that drifts up all
 * the time. So the interval is widened at both ends by that share.
 */
export function widened<T extends { ci: Interval }>(estimate: T | null, share: number): T | null {
  if (estimate === null) return null;
  const [low, high] = estimate.ci;
  return { ...estimate, ci: [low / (1 + share), high * (1 + share)] };
}

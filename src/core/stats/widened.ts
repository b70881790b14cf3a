import type { Estimate, Interval, RatioEstimate } from '../../model/report.ts';

/**
 * Resampling cannot show what affects all samples alike: time taken by a hypervisor or a quota, a floor that drifts up all
 * the time. So the interval is widened at both ends by that share.
 */
const widened = ([low, high]: Interval, share: number): Interval => [low / (1 + share), high * (1 + share)];

export function widenedTime(estimate: Estimate | null, share: number): Estimate | null {
  return estimate && { ...estimate, ci: widened(estimate.ci, share) };
}

export function widenedRatio(estimate: RatioEstimate | null, share: number): RatioEstimate | null {
  return estimate && { ...estimate, ci: widened(estimate.ci, share) };
}

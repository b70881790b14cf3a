import type { Estimate, Interval, RatioEstimate } from '../../model/report.ts';

/**
 * What every sample has in common no resampling of them can show: time that a hypervisor or a quota took away, a floor
 * that crept up all the while. So the interval is opened at both ends by that share.
 */
const opened = ([low, high]: Interval, share: number): Interval => [low / (1 + share), high * (1 + share)];

export function widenedTime(estimate: Estimate | null, share: number): Estimate | null {
  return estimate && { ...estimate, ci: opened(estimate.ci, share) };
}

export function widenedRatio(estimate: RatioEstimate | null, share: number): RatioEstimate | null {
  return estimate && { ...estimate, ci: opened(estimate.ci, share) };
}

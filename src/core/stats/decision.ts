import type { RatioEstimate, TrialOutcome } from '../../model/report/report.ts';

/** An effect under 5 % counts as none: ratios between these are no difference. */
export const NO_DIFFERENCE = { from: 0.95, to: 1.05 } as const;

/** `same`: the whole interval lies within the 5 % that count as none. `open`: undecided. */
export type Decision = 'faster' | 'slower' | 'same' | 'open';

export function decide(estimate: RatioEstimate | null): Decision {
  if (estimate === null) return 'open';
  const { ratio, ci } = estimate;
  if (ci[1] < 1 && ratio <= NO_DIFFERENCE.from) return 'faster';
  if (ci[0] > 1 && ratio >= NO_DIFFERENCE.to) return 'slower';
  if (ci[0] >= NO_DIFFERENCE.from && ci[1] <= NO_DIFFERENCE.to) return 'same';
  return 'open';
}

/** The report has three outcomes: `same` and `open` are both `unsure`, with the interval beside it. */
export function outcomeOf(estimate: RatioEstimate | null): TrialOutcome {
  const decision = decide(estimate);
  return decision === 'faster' || decision === 'slower' ? decision : 'unsure';
}

/**
 * Decided beyond what further processes are likely to change: the whole interval lies on one side of the 5 %. Stopping at
 * the first interval that excludes 1, after any process, would find differences in equal code.
 */
export function isSettled(estimate: RatioEstimate | null): boolean {
  if (estimate === null) return false;
  const [low, high] = estimate.ci;
  return high < NO_DIFFERENCE.from || low > NO_DIFFERENCE.to || decide(estimate) === 'same';
}

/**
 * Decided on one side of a limit. Staying below it is accepted at once; exceeding it must be clear by 5 %, because each
 * further test is a further chance of a false alarm.
 */
export function isClearOf(estimate: RatioEstimate | null, limit: number): boolean {
  if (estimate === null) return false;
  const [low, high] = estimate.ci;
  return high <= limit || low > limit * NO_DIFFERENCE.to;
}

/** True when the interval leaves no room for a gain that counts: none down to `least` of the time. */
export function cannotBeFaster(estimate: RatioEstimate | null, least: number = NO_DIFFERENCE.from): boolean {
  return estimate !== null && (estimate.ci[0] >= least || decide(estimate) === 'slower');
}

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { TrialOutcome } from '../../model/documents/trial.ts';
import { carries } from '../evidence.ts';

/** An effect under 5 % counts as none: ratios between these are no difference. */
export const NO_DIFFERENCE = { from: 0.95, to: 1.05 } as const;

/** Below this multiple of an empty message's round trip, cloning is so small a part that no rewrite can gain a third. */
const NEAR_THE_FLOOR = 1.5;

/** A simpler remedy is preferred up to this much more time. */
export const SIMPLER_MAY_COST = 1.3;

/** Of two ways of one remedy, which take as many lines, the one for the outer path is preferred up to this much more time. */
export const OUTER_MAY_COST = 1.1;

/** `same`: the whole interval lies within the 5 % that count as none. `open`: undecided. */
export type Decision = 'faster' | 'slower' | 'same' | 'open';

export function decide(estimate: RatioEstimate | null): Decision {
  if (!carries(estimate, 'side')) return 'open';
  const { ratio, ci } = estimate;
  if (ci[1] < 1 && ratio <= NO_DIFFERENCE.from) return 'faster';
  if (ci[0] > 1 && ratio >= NO_DIFFERENCE.to) return 'slower';
  if (ci[0] >= NO_DIFFERENCE.from && ci[1] <= NO_DIFFERENCE.to) return 'same';
  return 'open';
}

/** The report has three outcomes: `same` and `open` are both `unsure`, with the interval beside it. */
export function judgeRatio(estimate: RatioEstimate | null): TrialOutcome {
  const decision = decide(estimate);
  return decision === 'faster' || decision === 'slower' ? decision : 'unsure';
}

/** The whole interval lies on one side of the 5 %, or within them: further processes would not change the answer. */
export function isSettled(estimate: RatioEstimate | null): boolean {
  if (!carries(estimate, 'side')) return false;
  const [low, high] = estimate.ci;
  return high < NO_DIFFERENCE.from || low > NO_DIFFERENCE.to || decide(estimate) === 'same';
}

/** Decided on one side of a limit. */
export function isClearOf(estimate: RatioEstimate | null, limit: number): boolean {
  if (!carries(estimate, 'side')) return false;
  const [low, high] = estimate.ci;
  return high <= limit || low > limit;
}

/**
 * True when the interval leaves no room for a gain that counts: none down to `least` of the time. That is a bound, which an
 * interval of few messages does not carry although it may begin there.
 */
export const cannotBeFaster = (estimate: RatioEstimate | null, least: number = NO_DIFFERENCE.from): boolean =>
  decide(estimate) === 'slower' || (carries(estimate, 'size') && estimate.ci[0] >= least);

/** What another was preferred to while both were timed need not be known as well as that one. */
const LITTLE = 0.85;

/** As `cannotBeFaster`, of what was dropped for another one that is no faster either: its own interval leaves little room. */
export const gainsLittle = (estimate: RatioEstimate | null, least: number = NO_DIFFERENCE.from): boolean =>
  cannotBeFaster(estimate, Math.min(least, LITTLE));

/** The round trip is within `NEAR_THE_FLOOR` of an empty message's. */
export const isNearFloor = (overFloor: RatioEstimate | null): boolean =>
  carries(overFloor, 'side') && overFloor.ci[1] <= NEAR_THE_FLOOR;

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { TrialOutcome } from '../../model/documents/trial.ts';
import { carries } from '../evidence.ts';

/** Ratios that do not count as a difference: an effect under 5 %. */
export const NO_DIFFERENCE = { from: 0.95, to: 1.05 } as const;

/** Below this multiple of an empty message's round trip, cloning takes so little that no rewrite can gain a third. */
const NEAR_THE_FLOOR = 1.5;

/** A simpler remedy is preferred if it takes at most this many times as long. */
export const SIMPLER_MAY_COST = 1.3;

/** If two plans have the same remedy, the plan for the outer path is preferred up to this ratio of times. */
export const OUTER_MAY_COST = 1.1;

/** `same` means that the whole interval lies within the 5 % that do not count, `open` means undecided. */
export type Decision = 'faster' | 'slower' | 'same' | 'open';

export function decide(estimate: RatioEstimate | null): Decision {
  if (!carries(estimate, 'side')) return 'open';
  const { ratio, ci } = estimate;
  if (ci[1] < 1 && ratio <= NO_DIFFERENCE.from) return 'faster';
  if (ci[0] > 1 && ratio >= NO_DIFFERENCE.to) return 'slower';
  if (ci[0] >= NO_DIFFERENCE.from && ci[1] <= NO_DIFFERENCE.to) return 'same';
  return 'open';
}

/** Outcome in a report, which has only three: both `same` and `open` become `unsure`, with the interval next to it. */
export function judgeRatio(estimate: RatioEstimate | null): TrialOutcome {
  const decision = decide(estimate);
  return decision === 'faster' || decision === 'slower' ? decision : 'unsure';
}

/** True if the whole interval lies on one side of the 5 %, or within: further processes would not change the result. */
export function isSettled(estimate: RatioEstimate | null): boolean {
  if (!carries(estimate, 'side')) return false;
  const [low, high] = estimate.ci;
  return high < NO_DIFFERENCE.from || low > NO_DIFFERENCE.to || decide(estimate) === 'same';
}

export function isClearOf(estimate: RatioEstimate | null, limit: number): boolean {
  if (!carries(estimate, 'side')) return false;
  const [low, high] = estimate.ci;
  return high <= limit || low > limit;
}

/** No room for a gain down to `least` of the time: a bound, which an interval of few messages does not support. */
export const cannotBeFaster = (estimate: RatioEstimate | null, least: number = NO_DIFFERENCE.from): boolean =>
  decide(estimate) === 'slower' || (carries(estimate, 'size') && estimate.ci[0] >= least);

/** A candidate that was dropped in favour of a different one does not have to be known as precisely as the other. */
const LITTLE = 0.85;

/** Like `cannotBeFaster`, for a candidate dropped in favour of a different one that turned out not to be faster. */
export const gainsLittle = (estimate: RatioEstimate | null, least: number = NO_DIFFERENCE.from): boolean =>
  cannotBeFaster(estimate, Math.min(least, LITTLE));

/** True if the round trip is at most `NEAR_THE_FLOOR` times that of an empty message. */
export const isNearFloor = (overFloor: RatioEstimate | null): boolean =>
  carries(overFloor, 'side') && overFloor.ci[1] <= NEAR_THE_FLOOR;

/** Minimum saving of an advised rewrite, ns a message: 1 % of a core at 500 messages a second. */
export const LEAST_SAVED_NS = 20_000;

/** Minimum extra saving of a less simple rewrite, ns a message. It must also be `SIMPLER_MAY_COST` times as fast. */
export const MUST_SAVE_MORE_NS = 50_000;

/** Minimum saving that matters, as a share of a core. */
const MATTERS = 0.01;

/** Minimum messages a second for a saving (ns a message) to matter. */
export const rateThatMatters = (savedNs: number): number => (MATTERS * 1e9) / savedNs;

import type { RatioEstimate } from '../../model/report.ts';
import type { LimitCheck } from './limit-check.ts';

/** Fewer processes than this do not show how much processes vary. */
const LEAST_PROCESSES = 3;

const UNDECIDED = 'the limit is within the interval; a longer --budget narrows it';
const TOO_FEW = 'too few processes within the budget; a longer --budget allows more';

const signed = (ratio: number): string => {
  const percent = Math.round(100 * (ratio - 1));
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent)} %`;
};

/** Fails when the whole interval is beyond the limit, passes when none of it is; else unsure. */
export function judgeRatio({ ratio, ci }: RatioEstimate, limit: number, processes: number): LimitCheck {
  const [low, high] = ci;
  const actual = `${signed(ratio)} (95 %: ${signed(low)} to ${signed(high)})`;
  if (high <= limit) return { outcome: 'passed', actual, path: null };
  if (low > limit && processes >= LEAST_PROCESSES) return { outcome: 'failed', actual, path: '$' };
  return { outcome: 'unsure', actual, path: null, reason: low > limit ? TOO_FEW : UNDECIDED };
}

import type { RatioEstimate } from '../../model/report/report.ts';
import type { LimitCheck } from './limit-check.ts';

/** Fewer processes than this do not show how much processes vary. */
const LEAST_PROCESSES = 3;

const UNDECIDED = 'the limit is within the interval; a longer --budget narrows it';
const TOO_FEW = 'too few processes within the budget; a longer --budget allows more';

/** Fails when the whole interval is beyond the limit, passes when none of it is; else unsure. */
export function judgeRatio({ ratio, ci }: RatioEstimate, limit: number, processes: number): LimitCheck {
  const [low, high] = ci;
  const judged = { expected: limit, actual: ratio, change: ratio, ci, path: null };
  if (high <= limit) return { outcome: 'passed', ...judged };
  if (low > limit && processes >= LEAST_PROCESSES) return { outcome: 'failed', ...judged, path: '$' };
  return { outcome: 'unsure', ...judged, reason: low > limit ? TOO_FEW : UNDECIDED };
}

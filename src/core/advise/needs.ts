import type { RatioEstimate } from '../../model/documents/measurement.ts';
import { budgetForSamples, carries, lackOf, usualBudget } from '../evidence.ts';
import { NO_DIFFERENCE } from '../stats/decision.ts';

export interface OpenTrial {
  /** Null when it was never timed. */
  estimate: RatioEstimate | null;
  /** It is out as soon as its whole interval lies above this ratio. */
  outAbove: number;
}

const PROBABLY = 2 / 3;

/** Intervals that hold together for several comparisons are about three standard errors to each side. */
const ERRORS_A_SIDE = 3;

/**
 * The least of the usual budgets (ms) that would probably decide; null when five minutes would not. Assumes that
 * intervals of logarithms shrink with 1/sqrt(time), that the next estimate scatters about this one as its interval says,
 * that the rewrites are independent, and that one without a time needs as much of it as the others. An interval that
 * says nothing does not say how wide it will be: then as much as gives enough samples.
 *
 * @param spentMs what this run took
 */
export function budgetToDecide(open: readonly OpenTrial[], spentMs: number): number | null {
  const starved = open.flatMap(({ estimate }) =>
    estimate !== null && lackOf(estimate, 'size') === 'samples' ? (estimate.samples ?? []) : [],
  );
  if (starved.length > 0) return budgetForSamples(Math.min(...starved), spentMs);
  const estimates = open.flatMap(({ estimate, outAbove }): LogEstimate[] => {
    if (!carries(estimate, 'side')) return [];
    const [low, high] = estimate.ci;
    return [
      { middle: Math.log(estimate.ratio), half: Math.log(high / low) / 2, outAbove: Math.log(outAbove) },
    ];
  });
  const neededMs = (spentMs * open.length) / Math.max(1, estimates.length);
  return usualBudget((budgetMs) => {
    const longer = budgetMs / neededMs;
    return budgetMs > spentMs && longer >= 1 && probabilityOfDecision(estimates, longer) >= PROBABLY;
  });
}

/** `half`: of the interval. */
type LogEstimate = Record<'middle' | 'half' | 'outAbove', number>;

/** One is found faster, or none can be: after so many times the time. */
function probabilityOfDecision(estimates: readonly LogEstimate[], longer: number): number {
  let noneFaster = 1;
  let allOut = 1;
  for (const { middle, half, outAbove } of estimates) {
    const then = half / Math.sqrt(longer);
    const error = (half / ERRORS_A_SIDE) * Math.sqrt(1 - 1 / longer);
    const faster = below(Math.min(-then, Math.log(NO_DIFFERENCE.from)), middle, error);
    noneFaster *= 1 - faster;
    allOut *= Math.min(1 - faster, 1 - below(outAbove + then, middle, error));
  }
  return 1 - noneFaster + allOut;
}

/** P(X < limit) of a normal X, by the logistic curve: within 0.01. */
function below(limit: number, middle: number, deviation: number): number {
  if (deviation === 0) return middle < limit ? 1 : 0;
  return 1 / (1 + Math.exp((-1.702 * (limit - middle)) / deviation));
}

/** Checks if an interval and its samples support a claim. Decisions, sentences, signs, colours and bounds use it. */
import type { Interval, Sampled } from '../model/documents/measurement.ts';

/** An estimate with its 95 % interval. Reports of earlier versions do not always have the number of samples. */
export type Evidence = Sampled & { ci: Interval };

/**
 * Claim about an estimate.
 * - side: it lies on one side of a limit: faster, slower, the same, within the limit
 * - size: its value: "2.9x faster", "no rewrite saves more than 8 %", an interval
 * - failure: it lies beyond a limit, so a build of the user breaks
 */
export type Claim = 'side' | 'size' | 'failure';

/** Minimum samples for an interval: two samples do not show how much samples vary. */
const MIN_SAMPLES = 3;
/** The same of processes, for a failure. */
const MIN_PROCESSES = 3;
/** Maximum ratio of the two ends of an interval. If they are an order of magnitude apart, the size is unknown. */
const MAX_SPAN = 10;
/** A wide interval of fewer samples than this is wide because there are too few samples. */
const MIN_ENOUGH_SAMPLES = 12;

/** "width": a narrower interval although samples are many. Null if the claim is supported. */
export function lackOf(evidence: Evidence, claim: Claim): 'samples' | 'processes' | 'width' | null {
  const { samples = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = evidence;
  if (samples < MIN_SAMPLES) return 'samples';
  if (claim === 'failure' && processes < MIN_PROCESSES) return 'processes';
  const [low, high] = evidence.ci;
  // If both ends are 0, the time is known: it is less than one step of the clock.
  if (claim !== 'size' || high <= MAX_SPAN * low || high <= 0) return null;
  if (samples < MIN_ENOUGH_SAMPLES) return 'samples';
  return processes < MIN_PROCESSES ? 'processes' : 'width';
}

export function carries(evidence: Evidence, claim: Claim): boolean;
export function carries<E extends Evidence>(evidence: E | null | undefined, claim: Claim): evidence is E;
export function carries(evidence: Evidence | null | undefined, claim: Claim): boolean {
  return evidence != null && lackOf(evidence, claim) === null;
}

/** "p95" needs 20 samples: otherwise it would be the largest. 1e-9 allows for rounding, as in 20 * (1 - 0.95). */
export const carriesQuantile = (samples: number, share: number): boolean => samples * (1 - share) >= 1 - 1e-9;

/** "too few samples: 3", "too few processes: 2", "too wide an interval"; null if the claim is supported. */
export function lackText(evidence: Evidence, claim: Claim): string | null {
  const lack = lackOf(evidence, claim);
  if (lack === null) return null;
  if (lack === 'width') return 'too wide an interval';
  return `too few ${lack}: ${evidence[lack]}`;
}

/** Compares the estimates of two runs: "unsure" unless both support a claim and their intervals do not overlap. */
export function differenceOf(before: Evidence, now: Evidence): 'lower' | 'higher' | 'unsure' {
  if (!carries(before, 'side') || !carries(now, 'side')) return 'unsure';
  if (now.ci[1] < before.ci[0]) return 'lower';
  return now.ci[0] > before.ci[1] ? 'higher' : 'unsure';
}

/** Budgets that are proposed, s. More than five minutes for one payload is more than a user would wait. */
const BUDGETS = [1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300];

/** null if five minutes are not enough. */
export const usualBudget = (isEnough: (budgetMs: number) => boolean): number | null =>
  BUDGETS.map((seconds) => seconds * 1000).find(isEnough) ?? null;

/** Budget for enough samples, given that `samples` took `spentMs`; null if five minutes are not enough. */
export const budgetForSamples = (samples: number, spentMs: number): number | null =>
  usualBudget((budgetMs) => budgetMs * Math.max(1, samples) >= spentMs * MIN_ENOUGH_SAMPLES);

/** "-b 20s", "-b 5m" */
export function budgetOption(ms: number): string {
  const seconds = ms / 1000;
  return `-b ${seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`}`;
}

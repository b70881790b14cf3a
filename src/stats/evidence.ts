/** Checks if an interval and its samples support a claim. Decisions, sentences, signs, colours and bounds use it. */
import type { Interval, RatioEstimate, Sampled } from '../model/documents/measurement.ts';
import type { TrialOutcome } from '../model/documents/trial.ts';

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

// Decisions about a ratio, candidate over original.

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

export const isNearFloor = (overFloor: RatioEstimate | null): boolean =>
  carries(overFloor, 'side') && overFloor.ci[1] <= NEAR_THE_FLOOR;

/** Minimum saving of an advised rewrite, ns a message: 1 % of a core at 500 messages a second. */
export const LEAST_SAVED_NS = 20_000;

/** Minimum extra saving of a less simple rewrite, ns a message. It must also be `SIMPLER_MAY_COST` times as fast. */
export const MUST_SAVE_MORE_NS = 50_000;

const MATTERS = 0.01;

/** Minimum messages a second for a saving (ns a message) to matter. */
export const rateThatMatters = (savedNs: number): number => (MATTERS * 1e9) / savedNs;

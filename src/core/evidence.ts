/** Whether an interval and its samples carry what is said of them. Decisions, sentences, signs, colours and bounds ask here. */
import type { Interval, Sampled } from '../model/documents/measurement.ts';

/** An estimate with its 95 % interval. Reports of earlier versions do not know the samples of all. */
export interface Evidence extends Sampled {
  ci: Interval;
}

/**
 * What is said of an estimate.
 * - side: it lies on one side of a limit: faster, slower, the same, within the limit
 * - size: how large it is: "2.9x faster", "no rewrite saves more than 8 %", an interval
 * - failure: somebody's build breaks, because it lies beyond a limit
 */
export type Claim = 'side' | 'size' | 'failure';

/** Two samples do not show how much samples vary: there is no interval. */
const MIN_SAMPLES = 3;
/** Fewer do not show how much processes vary. */
const MIN_PROCESSES = 3;
/** Ends that are an order of magnitude apart say nothing about the size. */
const MAX_SPAN = 10;
/** A wide interval of fewer samples is wide because of that. */
const MIN_ENOUGH_SAMPLES = 12;

/** What is missing for the claim: a narrower interval where there are many samples. Null where it is carried. */
export function lackOf(evidence: Evidence, claim: Claim): 'samples' | 'processes' | 'width' | null {
  const { samples = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = evidence;
  if (samples < MIN_SAMPLES) return 'samples';
  if (claim === 'failure' && processes < MIN_PROCESSES) return 'processes';
  const [low, high] = evidence.ci;
  // A time of which both ends are 0 is known: less than a step of the clock.
  if (claim !== 'size' || high <= MAX_SPAN * low || high <= 0) return null;
  if (samples < MIN_ENOUGH_SAMPLES) return 'samples';
  return processes < MIN_PROCESSES ? 'processes' : 'width';
}

export function carries(evidence: Evidence, claim: Claim): boolean;
export function carries<E extends Evidence>(evidence: E | null | undefined, claim: Claim): evidence is E;
export function carries(evidence: Evidence | null | undefined, claim: Claim): boolean {
  return evidence != null && lackOf(evidence, claim) === null;
}

/** "p95" needs 20 samples: of fewer it is the largest, or beyond it. 20 * (1 - 0.95) is not 1, but for rounding. */
export const carriesQuantile = (samples: number, share: number): boolean => samples * (1 - share) >= 1 - 1e-9;

/** "too few samples: 3", "too few processes: 2", "too wide an interval"; null where the claim is carried. */
export function lackText(evidence: Evidence, claim: Claim): string | null {
  const lack = lackOf(evidence, claim);
  if (lack === null) return null;
  if (lack === 'width') return 'too wide an interval';
  return `too few ${lack}: ${evidence[lack]}`;
}

/** How two estimates differ, each of its own run: only where both carry it, and their intervals do not overlap. */
export function differenceOf(before: Evidence, now: Evidence): 'lower' | 'higher' | 'unsure' {
  if (!carries(before, 'side') || !carries(now, 'side')) return 'unsure';
  if (now.ci[1] < before.ci[0]) return 'lower';
  return now.ci[0] > before.ci[1] ? 'higher' : 'unsure';
}

/** Proposed budgets, s. Whoever waits longer than five minutes for one payload has another question. */
const BUDGETS = [1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300];

/** The least of the usual budgets that is long enough, ms; null where none is. */
export const usualBudget = (isEnough: (budgetMs: number) => boolean): number | null =>
  BUDGETS.map((seconds) => seconds * 1000).find(isEnough) ?? null;

/** Budget of enough samples, when so many took `spentMs`, ms; null where five minutes are not enough. */
export const budgetForSamples = (samples: number, spentMs: number): number | null =>
  usualBudget((budgetMs) => budgetMs * Math.max(1, samples) >= spentMs * MIN_ENOUGH_SAMPLES);

/** "-b 20s", "-b 5m": as on the command line. */
export function budgetOption(ms: number): string {
  const seconds = ms / 1000;
  return `-b ${seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`}`;
}

import type { Estimate, RatioEstimate } from '../../model/report.ts';
import { summaryOfRatio, summaryOfTimes } from './blocks.ts';
import { clockStep } from './clock-step.ts';
import { moderatedInterval, type Prior } from './moderated-interval.ts';
import { median } from './quantiles.ts';
import { seeded } from './random.ts';

/** Samples of one thing: one list a process, in the order taken, ns. */
export type Samples = readonly (readonly number[])[];

const CONFIDENCE = 0.95;

/** Equal processes differ in memory layout, core and clock rate: 5 to 25 % are usual. */
const PROCESS_SPREAD: Prior = { spread: 0.15, degrees: 1.5 };
/** In a ratio of turns taken in one process most of that cancels; equal code stays within a few percent of 1. */
const RATIO_SPREAD: Prior = { spread: 0.025, degrees: 3 };

const finite = (samples: readonly number[]): number[] => samples.filter(Number.isFinite);

/**
 * Median of a typical process (geometric mean of the processes' medians) with its 95 % interval, in ns; null without
 * samples. The same seed gives the same interval.
 */
export function medianInterval(processes: Samples, seed: number): Estimate | null {
  const filled = processes.map(finite).filter((samples) => samples.length > 0);
  if (filled.length === 0) return null;
  const step = clockStep(filled);
  const medians = filled.map(median);
  if (Math.min(...medians) <= 0) return betweenTicks(filled, medians, step);
  const views = filled.map((samples) => summaryOfTimes(samples, filled.length === 1));
  const { centre, half } = moderatedInterval(views, PROCESS_SPREAD, CONFIDENCE, seeded(seed));
  const middle = Math.exp(centre);
  const low = Math.max(0, middle * Math.exp(-half) - step / 2);
  return { median: middle, ci: [low, middle * Math.exp(half) + step / 2] };
}

/** The clock did not move within half the messages: there is no logarithm, and the step is what is known. */
function betweenTicks(filled: Samples, medians: readonly number[], step: number): Estimate {
  return { median: median(filled.flat()), ci: [Math.min(...medians), Math.max(...medians) + step] };
}

interface Pair {
  candidate: readonly number[];
  original: readonly number[];
}

/** One variant's and the original's samples of the same rounds, process by process. */
function pairs(candidate: Samples, original: Samples): Pair[] {
  return candidate
    .map((samples, process) => sameRounds(samples, original[process] ?? []))
    .filter((pair) => pair.candidate.length > 0);
}

function sameRounds(candidate: readonly number[], original: readonly number[]): Pair {
  if (
    candidate.length === original.length &&
    candidate.every(Number.isFinite) &&
    original.every(Number.isFinite)
  )
    return { candidate, original };
  const held = (_: number, round: number): boolean =>
    Number.isFinite(candidate[round]) && Number.isFinite(original[round]);
  return { candidate: candidate.filter(held), original: original.filter(held) };
}

/**
 * Ratio of medians, candidate over original, paired by process and by round. Entry i of both lists is process i and
 * may be empty; only rounds that both have count. With several `comparisons` in one run each interval is widened so
 * that all of them hold together with 95 % (Bonferroni: holds for comparisons that share the original, and unlike
 * Holm's procedure gives intervals that say the same as the outcome). Null when nothing can be compared.
 */
export function ratioInterval(
  candidate: Samples,
  original: Samples,
  seed: number,
  comparisons = 1,
): RatioEstimate | null {
  const both = pairs(candidate, original);
  const views = both.map((pair) => summaryOfRatio(pair.candidate, pair.original, both.length === 1));
  const defined = views.every((view) => Number.isFinite(view.centre) && view.blocks.every(Number.isFinite));
  if (views.length === 0 || !defined) return null;
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, comparisons);
  const { centre, half } = moderatedInterval(views, RATIO_SPREAD, confidence, seeded(seed));
  const wide =
    half + stepShare(both.map((pair) => pair.candidate)) + stepShare(both.map((pair) => pair.original));
  return { ratio: Math.exp(centre), ci: [Math.exp(centre - wide), Math.exp(centre + wide)] };
}

/** Half a step of the clock as a share of the median: about what the log of the median is uncertain by. */
function stepShare(processes: Samples): number {
  return clockStep(processes) / 2 / median(processes.map(median));
}

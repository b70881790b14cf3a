import type { Estimate, RatioEstimate } from '../../model/report/report.ts';
import { summaryOfRatio, summaryOfTimes } from './blocks.ts';
import { clockStep } from './clock-step.ts';
import { moderatedInterval, type Prior } from './moderated-interval.ts';
import { median } from './quantiles.ts';
import { seeded } from './random.ts';

/** Samples of one variant: one list per process, in the order taken, ns. */
export type Samples = readonly (readonly number[])[];

const CONFIDENCE = 0.95;

/** Equal processes differ in memory layout, core and clock rate: 5 to 25 % are usual. */
const PROCESS_SPREAD: Prior = { spread: 0.15, degrees: 1.5 };
/** In a ratio within one process most of that cancels; equal code stays within a few percent of 1. */
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
  const summaries = filled.map((samples) => summaryOfTimes(samples, filled.length === 1));
  const { centre, half } = moderatedInterval(summaries, PROCESS_SPREAD, CONFIDENCE, seeded(seed));
  const middle = Math.exp(centre);
  const low = Math.max(0, middle * Math.exp(-half) - step / 2);
  return { median: middle, ci: [low, middle * Math.exp(half) + step / 2] };
}

/** Half of the messages took less than a step of the clock: a time of 0 has no logarithm, so only the step is known. */
function betweenTicks(filled: Samples, medians: readonly number[], step: number): Estimate {
  return { median: median(filled.flat()), ci: [Math.min(...medians), Math.max(...medians) + step] };
}

interface Pair {
  candidate: readonly number[];
  original: readonly number[];
}

/** Samples of a candidate and of the original from the same rounds, process by process. */
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
  const isInBoth = (_: number, round: number): boolean =>
    Number.isFinite(candidate[round]) && Number.isFinite(original[round]);
  return { candidate: candidate.filter(isInBoth), original: original.filter(isInBoth) };
}

/**
 * Ratio of medians, candidate over original, paired by process and by round. Entry i of both lists is process i and may
 * be empty; only rounds with both count. With several `comparisons` in one run each interval is widened so that all hold
 * simultaneously with 95 % (Bonferroni: valid for comparisons that share the original, and unlike Holm's procedure its
 * intervals agree with the outcome). Null when nothing can be compared.
 */
export function ratioInterval(
  candidate: Samples,
  original: Samples,
  seed: number,
  comparisons = 1,
): RatioEstimate | null {
  const both = pairs(candidate, original);
  const summaries = both.map((pair) => summaryOfRatio(pair.candidate, pair.original, both.length === 1));
  const defined = summaries.every(
    ({ centre, blocks }) => Number.isFinite(centre) && blocks.every(Number.isFinite),
  );
  if (summaries.length === 0 || !defined) return null;
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, comparisons);
  const { centre, half } = moderatedInterval(summaries, RATIO_SPREAD, confidence, seeded(seed));
  const width =
    half + stepShare(both.map((pair) => pair.candidate)) + stepShare(both.map((pair) => pair.original));
  return { ratio: Math.exp(centre), ci: [Math.exp(centre - width), Math.exp(centre + width)] };
}

/** Half a step of the clock as a share of the median: approximately the uncertainty of the log of the median. */
function stepShare(processes: Samples): number {
  return clockStep(processes) / 2 / median(processes.map(median));
}

import type { Estimate, Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import { moderatedInterval, type Prior, summaryOfRatio, summaryOfTimes } from './moderated-interval.ts';
import { median } from './quantiles.ts';
import { seeded } from './random.ts';

/** Samples of one variant: one list per process, in the order taken, ns. */
export type Samples = readonly (readonly number[])[];

/** Confidence in the interval of a median: looked at once, at the end. */
const CONFIDENCE = 0.95;
/** More looks than these no level allows for. */
export const MAX_LOOKS = 12;
/**
 * A ratio is looked at after each process until it is decided: how often it may miss at each of as many looks
 * as its place says, so that all looks together hold in 95 % of runs (Pocock 1977; repeated confidence intervals:
 * Jennison & Turnbull 1989, table 2.1). Twice Pocock's levels, which simulation allows for: docs/measuring.md.
 */
const MISSES_AT_EACH_LOOK = [
  0.05, 0.05, 0.05, 0.046, 0.038, 0.033, 0.029, 0.027, 0.025, 0.023, 0.022, 0.021, 0.02,
];

/** Equal processes differ in memory layout, core and clock rate: 5 to 25 % are usual. */
const PROCESS_SPREAD: Prior = { spread: 0.15, degrees: 1.5 };
/** In a ratio within one process most of that cancels; equal code stays within a few percent of 1. */
const RATIO_SPREAD: Prior = { spread: 0.035, degrees: 3 };

/** The same list where all are: what is known of it is cached. */
const finite = (samples: readonly number[]): readonly number[] =>
  samples.every(Number.isFinite) ? samples : samples.filter(Number.isFinite);

/**
 * Median of a typical process (geometric mean of the processes' medians) with its 95 % interval, in ns; null without
 * samples. The same seed gives the same interval.
 */
export function medianInterval(processes: Samples, seed: number): Estimate | null {
  const filled = processes.map(finite).filter((samples) => samples.length > 0);
  if (filled.length === 0) return null;
  const step = clockStep(filled);
  const medians = filled.map(median);
  const counts = {
    samples: filled.reduce((sum, { length }) => sum + length, 0),
    processes: filled.length,
  };
  const summaries = filled.map(summaryOfTimes);
  const hasLogs = summaries.every(({ centre, blocks }) => [centre, ...blocks].every(Number.isFinite));
  if (!hasLogs) return { ...betweenTicks(filled, medians, step), ...counts };
  const { centre, half } = moderatedInterval(summaries, PROCESS_SPREAD, CONFIDENCE, seeded(seed));
  const middle = Math.exp(centre);
  const low = Math.max(0, middle * Math.exp(-half) - step / 2);
  return { median: middle, ci: [low, middle * Math.exp(half) + step / 2], ...counts };
}

/** Messages of a whole block took less than a step of the clock: a time of 0 has no logarithm, so only the step is known. */
const betweenTicks = (filled: Samples, medians: readonly number[], step: number): Estimate => ({
  median: median(filled.flat()),
  ci: [Math.min(...medians), Math.max(...medians) + step],
});

/**
 * Ratio of medians, candidate over original, paired by process and by time. Entry i of both lists is process i, of the
 * same rounds, and may be empty. The interval holds with 95 % however often it was looked at before, up to `looks` times,
 * which must not depend on what was measured. With several `comparisons` in one run each is widened so that all hold
 * simultaneously (Bonferroni: valid for comparisons that share the original). Null when nothing can be compared.
 */
export function ratioInterval(
  candidate: Samples,
  original: Samples,
  seed: number,
  comparisons = 1,
  looks = MAX_LOOKS,
): RatioEstimate | null {
  const both = candidate
    .map((samples, process) => ({
      ...{ candidate: finite(samples), original: finite(original[process] ?? []) },
    }))
    .filter((pair) => pair.candidate.length > 0 && pair.original.length > 0);
  const summaries = both.map((pair) => summaryOfRatio(pair.candidate, pair.original));
  const defined = summaries.every(
    ({ centre, blocks }) => Number.isFinite(centre) && blocks.every(Number.isFinite),
  );
  if (summaries.length === 0 || !defined) return null;
  const confidence = 1 - MISSES_AT_EACH_LOOK[looks]! / Math.max(1, comparisons);
  const { centre, half } = moderatedInterval(summaries, RATIO_SPREAD, confidence, seeded(seed));
  const width =
    half + stepShare(both.map((pair) => pair.candidate)) + stepShare(both.map((pair) => pair.original));
  return {
    ratio: Math.exp(centre),
    ci: [Math.exp(centre - width), Math.exp(centre + width)],
    samples: both.reduce((sum, pair) => sum + Math.min(pair.candidate.length, pair.original.length), 0),
    processes: both.length,
  };
}

/** Half a step of the clock as a share of the median: approximately the uncertainty of the log of the median. */
const stepShare = (processes: Samples): number => clockStep(processes) / 2 / median(processes.map(median));

/** Samples of each process that are examined: enough to contain two neighbouring ticks of a coarse clock. */
const EXAMINED = 256;
/** Differences below this share of the value are rounding of floating point, not ticks. */
const ROUNDING = 1e-9;

/**
 * The step of the clock, estimated by the smallest difference of the samples, in ns; 0 when all are equal. A browser's
 * clock may advance in steps of 100 us: then medians agree to the last digit, but are only known to within a step.
 */
export function clockStep(processes: readonly (readonly number[])[]): number {
  const seen = Float64Array.from(processes.flatMap((samples) => samples.slice(0, EXAMINED))).sort();
  let step = Number.POSITIVE_INFINITY;
  for (let at = 1; at < seen.length; at++) {
    const apart = seen[at]! - seen[at - 1]!;
    if (apart > ROUNDING * seen[at]! && apart < step) step = apart;
  }
  return Number.isFinite(step) ? step : 0;
}

/**
 * Resampling cannot show what affects all samples alike: time taken by a hypervisor or a quota, a floor that drifts up all
 * the time. So the interval is widened at both ends by that share.
 */
export function widened<T extends { ci: Interval }>(estimate: T | null, share: number): T | null {
  if (estimate === null) return null;
  const [low, high] = estimate.ci;
  return { ...estimate, ci: [low / (1 + share), high * (1 + share)] };
}

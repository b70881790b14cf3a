/** Order statistics, and intervals of times and ratios. */

import type { Estimate, Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import { type Random, randomBelow, seeded } from './random.ts';

/** Type 7 of Hyndman & Fan 1996 (linear interpolation, the default of R and NumPy). NaN if there are no samples. */
export function quantile(samples: ArrayLike<number>, p: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = new Float64Array(samples).sort();
  const position = Math.min(Math.max(p, 0), 1) * (sorted.length - 1);
  const k = Math.floor(position);
  return position === k ? sorted[k]! : sorted[k]! + (position - k) * (sorted[k + 1]! - sorted[k]!);
}

export const median = (samples: ArrayLike<number>): number => quantile(samples, 0.5);

/** The lower of the two in the middle; undefined if there are no values. */
export const lowerMedian = <T>(sorted: readonly T[]): T | undefined => sorted[(sorted.length - 1) >> 1];

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample standard deviation; 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** Samples of one variant, ns: one list per process, in the order taken. */
export type Samples = readonly (readonly number[])[];

/** Confidence of the interval of a median, which is looked at only once, at the end. */
const CONFIDENCE = 0.95;
/** Maximum number of looks that the levels allow for. */
export const MAX_LOOKS = 12;
/**
 * Probability of a miss at each look, indexed by the number of looks. A ratio is looked at after each process until it
 * is decided; with these levels, all looks together hold in 95 % of runs (Pocock 1977; repeated confidence intervals:
 * Jennison & Turnbull 1989, table 2.1). Twice Pocock's levels, which simulation allows for: docs/measuring.md.
 */
const MISSES_AT_EACH_LOOK = [
  0.05, 0.05, 0.05, 0.046, 0.038, 0.033, 0.029, 0.027, 0.025, 0.023, 0.022, 0.021, 0.02,
];

/** Equal processes differ in memory layout, core and clock rate: 5 to 25 % are usual. */
const PROCESS_SPREAD: Prior = { spread: 0.15, degrees: 1.5 };
/** In a ratio within one process, most of that cancels out; equal code stays within a few percent of 1. */
const RATIO_SPREAD: Prior = { spread: 0.035, degrees: 3 };

/** The same list if all are finite, so that its medians are kept. */
const finite = (all: readonly number[]) => (all.every(Number.isFinite) ? all : all.filter(Number.isFinite));

/** Median of a typical process (geometric mean of the processes' medians), ns; null without samples. */
export function medianInterval(processes: Samples, seed: number): Estimate | null {
  const filled = processes.map(finite).filter((samples) => samples.length > 0);
  if (filled.length === 0) return null;
  const step = clockStep(filled);
  const counts = { samples: filled.flat().length, processes: filled.length };
  const summaries = filled.map(summaryOfTimes);
  // A block of messages took less than a step of the clock: 0 does not have a logarithm, so only the step is known.
  if (!summaries.every(hasLogs)) {
    const medians = filled.map(median);
    const ci: Interval = [Math.min(...medians), Math.max(...medians) + step];
    return { median: median(filled.flat()), ci, ...counts };
  }
  const { centre, half } = moderatedInterval(summaries, PROCESS_SPREAD, CONFIDENCE, seeded(seed));
  const middle = Math.exp(centre);
  const low = Math.max(0, middle * Math.exp(-half) - step / 2);
  return { median: middle, ci: [low, middle * Math.exp(half) + step / 2], ...counts };
}

/**
 * Ratio of medians, candidate over original, paired by process and by time. Entry i of both lists is process i with the
 * same rounds, and may be empty. The interval holds with 95 % for up to `looks` earlier looks; this number must not
 * depend on the measured times. If a run has several `comparisons`, each interval is widened so that all hold
 * simultaneously (Bonferroni: valid for comparisons that share the original). Null if nothing can be compared.
 */
export function ratioInterval(
  candidate: Samples,
  original: Samples,
  seed: number,
  comparisons = 1,
  looks = MAX_LOOKS,
): RatioEstimate | null {
  const both = candidate
    .map((samples, at) => ({ candidate: finite(samples), original: finite(original[at] ?? []) }))
    .filter((pair) => pair.candidate.length > 0 && pair.original.length > 0);
  const summaries = both.map((pair) => summaryOfRatio(pair.candidate, pair.original));
  if (summaries.length === 0 || !summaries.every(hasLogs)) return null;
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

/** Uncertainty of the log of the median, about: half a step of the clock as a share of it. At most 1: a pause is no step. */
const stepShare = (processes: Samples): number =>
  Math.min(1, clockStep(processes) / 2 / median(processes.flatMap((all) => mediansOf(all, MAX_BLOCKS))));

/** Samples of each process that are examined: enough to contain two neighbouring ticks of a coarse clock. */
const EXAMINED = 256;
/** Differences below this share of the value are rounding errors of floating point, not ticks. */
const ROUNDING = 1e-9;

/**
 * Step of the clock, ns: the smallest difference of the samples, 0 if all are equal. A browser's clock may advance in
 * steps of 100 us: then medians agree to the last digit, but are only known to within a step.
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

/** Widens by noise that affects all samples alike: time taken by a hypervisor or a quota, or a floor that drifts. */
export function widened<T extends { ci: Interval }>(estimate: T | null, share: number): T | null {
  if (estimate === null) return null;
  const [low, high] = estimate.ci;
  return { ...estimate, ci: [low / (1 + share), high * (1 + share)] };
}

/**
 * Maximum blocks of a process. Consecutive messages are correlated (a neighbour takes the CPU, the collector runs, the
 * clock rate changes), so samples carry less information than independent samples. They are therefore summarized in
 * contiguous blocks, which are resampled (non-overlapping block bootstrap: Carlstein 1986). If a payload is slow, each
 * of its few messages is a block: the correlation that they hide shows as variation between processes.
 */
const MAX_BLOCKS = 20;

/** Minimum number of blocks whose trimmed mean is stable enough to represent the process. */
const ENOUGH_BLOCKS = 8;

/** On the log scale. `blocks` is empty if there are too few samples for blocks. */
type ProcessSummary = { centre: number; blocks: readonly number[] };

/** By samples, which do not change, and number of blocks: all rewrites are compared with one original, at each look again. */
const known = new WeakMap<readonly number[], Map<number, readonly number[]>>();

function mediansOf(samples: readonly number[], most: number): readonly number[] {
  const blocks = Math.min(most, samples.length);
  const own = known.get(samples) ?? new Map<number, readonly number[]>();
  const bound = (block: number): number => Math.floor((block * samples.length) / blocks);
  const medians =
    own.get(blocks) ??
    Array.from({ length: blocks }, (_, block) => median(samples.slice(bound(block), bound(block + 1))));
  known.set(samples, own.set(blocks, medians));
  return medians;
}

const logMedians = (samples: readonly number[], blocks: number): readonly number[] =>
  mediansOf(samples, blocks).map(Math.log);

const hasLogs = ({ centre, blocks }: ProcessSummary) => [centre, ...blocks].every(Number.isFinite);

function summarize(samples: number, valuesIn: (blocks: number) => readonly number[]): ProcessSummary {
  const blocks = Math.min(MAX_BLOCKS, samples);
  const values = valuesIn(blocks);
  const centre = blocks < ENOUGH_BLOCKS ? valuesIn(1)[0]! : interquartileMean(Float64Array.from(values));
  return { centre, blocks: values.length > 1 ? values : [] };
}

function summaryOfTimes(samples: readonly number[]): ProcessSummary {
  const { blocks } = summarize(samples.length, (count) => logMedians(samples, count));
  return { centre: Math.log(median(samples)), blocks };
}

/**
 * Log ratio of medians, candidate over original, block by block. Both were sent in the same rounds, so noise that slows
 * a block slows both and cancels out; either may have had several turns in each round. Over the whole process, a
 * bimodal machine could put one median in the fast mode and the other in the slow mode.
 */
function summaryOfRatio(candidate: readonly number[], original: readonly number[]): ProcessSummary {
  return summarize(Math.min(candidate.length, original.length), (blocks) => {
    const base = logMedians(original, blocks);
    return logMedians(candidate, blocks).map((log, block) => log - base[block]!);
  });
}

/** Almost as precise as the mean, without blocks of collector pauses. @param values are sorted in place */
function interquartileMean(values: Float64Array): number {
  const sorted = values.sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let at = cut; at < sorted.length - cut; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * cut);
}

/** Prior deviation of the log over processes, and its degrees of freedom, which are added to the measured ones. */
type Prior = { spread: number; degrees: number };

/** Prior for one message in each of one or two processes, which shows no spread. Wide but finite: a report is JSON. */
const UNINFORMED: Prior = { spread: 0.5, degrees: 3 };

/** Blocks are drawn from all processes: a few messages of one do not show how rare a pause is. */
function withinProcesses(processes: readonly ProcessSummary[], random: Random) {
  const withBlocks = processes.filter(({ blocks }) => blocks.length > 1);
  if (withBlocks.length === 0) return { variance: 0, degrees: 0 };
  const deviations = withBlocks.flatMap(({ blocks }) => pairDeviations(blocks));
  const counts = [...new Set(withBlocks.map(({ blocks }) => blocks.length))];
  const byCount = new Map(counts.map((count) => [count, varianceOfCentre(deviations, count, random)]));
  return {
    variance: mean(withBlocks.map(({ blocks }) => byCount.get(blocks.length)!)),
    degrees: withBlocks.reduce((sum, { blocks }) => sum + blocks.length - 1, 0),
  };
}

/** Deviations from the centre of the process, widened because so few blocks pull the centre towards themselves. */
function pairDeviations(blocks: readonly number[]): number[] {
  const centre = mean(blocks);
  const widened = Math.sqrt(blocks.length / (blocks.length - 1));
  return blocks.map((block) => (block - centre) * widened);
}

/**
 * Interval of the mean over processes. Processes are the independent repetitions (Kalibera & Jones 2013, "Rigorous
 * Benchmarking in Reasonable Time"), and there are 3 to 8. Resampling so few covers far less than the nominal level
 * (Cameron, Gelbach & Miller 2008: use Student's t and a correction). Plain t with two degrees of freedom is four
 * standard errors wide, but its width is zero if three processes agree by chance. So the variance over processes
 * is moderated: pooled with the block bootstrap inside the processes and with `prior` (Smyth 2004, "moderated t"), and
 * t takes the degrees of freedom of both. `npm run bench -- statistics` shows the coverage.
 *
 * @returns centre and half width on the log scale
 */
function moderatedInterval(
  processes: readonly ProcessSummary[],
  usualPrior: Prior,
  confidence: number,
  random: Random,
): { centre: number; half: number } {
  const centre = mean(processes.map((process) => process.centre));
  const measured = processes.length - 1;
  const squares = processes.reduce((sum, process) => sum + (process.centre - centre) ** 2, 0);
  const within = withinProcesses(processes, random);
  const noSpread = measured <= 1 && within.degrees === 0;
  const prior = noSpread ? UNINFORMED : usualPrior;
  const priorDegrees = noSpread ? prior.degrees : Math.min(prior.degrees, within.degrees);
  const degrees = priorDegrees + measured;
  const pooled = (priorDegrees * (within.variance + prior.spread ** 2) + squares) / degrees;
  // A few messages in each process do not show the noise: their medians may agree by chance.
  const variance = within.degrees === 0 ? Math.max(pooled, prior.spread ** 2) : pooled;
  return { centre, half: studentFactor(confidence, degrees) * Math.sqrt(variance / processes.length) };
}

const REPLICATES = 100;

/** Variance over seeded resamples (Hesterberg 2015, "What Teachers Should Know About the Bootstrap"). */
function varianceOfCentre(deviations: readonly number[], count: number, random: Random): number {
  const drawn = new Float64Array(count);
  let [mean, squares] = [0, 0];
  for (let replicate = 1; replicate <= REPLICATES; replicate++) {
    for (let at = 0; at < count; at++) drawn[at] = deviations[randomBelow(deviations.length, random)]!;
    const value = interquartileMean(drawn);
    const apart = value - mean;
    mean += apart / replicate;
    squares += apart * (value - mean);
  }
  return squares / (REPLICATES - 1);
}

/** Even: of the rule of Simpson, whose error is then below a hundred-thousandth. */
const STEPS = 100;
/** Degrees times squared angle beyond which nothing is left, as 12 deviations of a normal distribution. */
const NOTHING_BEYOND = 12;
const NO_CHANGE = 1e-10;

/** Integral of sin(a)^(degrees - 1) up to `end`, over the root of a: there it is smooth, also where a is 0. */
function tailOf(end: number, degrees: number): number {
  const from = Math.sqrt(Math.max(0, Math.PI / 2 - NOTHING_BEYOND / Math.sqrt(degrees)));
  const step = (Math.sqrt(end) - from) / STEPS;
  let sum = 0;
  for (let at = 0; at <= STEPS; at++) {
    const root = from + at * step;
    const weight = at === 0 || at === STEPS ? 1 : at % 2 === 0 ? 2 : 4;
    sum += weight * 2 * root * Math.sin(root ** 2) ** (degrees - 1);
  }
  return (sum * step) / 3;
}

/**
 * Half-width factor of a two-sided interval: t with P(|T| <= t) = confidence, for `degrees` >= 1, which may be
 * fractional. With t = sqrt(degrees) / tan(a), the tail beyond t is proportional to `tailOf(a)`, which is convex: Newton's
 * steps from its end never pass the solution.
 */
export function studentFactor(confidence: number, degrees: number): number {
  const wanted = (1 - confidence) * tailOf(Math.PI / 2, degrees);
  let angle = Math.PI / 2;
  for (let change = angle; change > NO_CHANGE; angle -= change)
    change = (tailOf(angle, degrees) - wanted) / Math.sin(angle) ** (degrees - 1);
  return Math.sqrt(degrees) / Math.tan(angle);
}

import type { Measured, RequestOf, Variant } from '../../model/wire/wire.ts';
import { isClearOf, isSettled } from '../stats/decision.ts';
import { medianInterval } from '../stats/intervals.ts';
import { median } from '../stats/quantiles.ts';
import { seedFor } from '../stats/random.ts';
import {
  comparisonsIn,
  errorOf,
  isCandidate,
  processesOf,
  ratioToOriginal,
  remedyKey,
  samplesOf,
} from '../stats/variant-samples.ts';

/** What does not change while one payload is measured on one runtime over one channel. */
export interface SamplingPlan {
  /** ms in all: starts of processes, warm-up and timed rounds. */
  budgetMs: number;
  /** Floor, original and candidates, the most promising candidates first. */
  variants: readonly Variant[];
  seed: number;
  /** Time to start a process and build the payload there, ms. */
  startMs: number;
  /** Estimate of one round trip of the original, ms, where known; keeps slow payloads within the budget. */
  tripMs?: number;
  /** A process measures at least so long: for payloads so slow that few rounds fit, ms. */
  sliceMs?: number;
  /** The ratio that candidates are compared with instead of 1. */
  limit?: number;
}

export interface SamplingProgress {
  results: readonly Measured[];
  /** ms since sampling began, starts of processes included. */
  spentMs: number;
  /** Processes that crashed, timed out or did not start. */
  failures: number;
}

/** The fields of a `measure` request that sampling decides; one fresh process and worker each. */
export type Slice = Omit<RequestOf<'measure'>, 'type' | 'recipe' | 'channel'>;

export type SamplingStep =
  | { step: 'slice'; slice: Slice }
  | { step: 'done'; reason: 'decided' | 'budget' | 'error' };

const LEAST_PROCESSES = 3;
const USUAL_PROCESSES = 8;
/** The start of a process takes at most this share (1/n) of its time. */
const STARTS_PER_PROCESS = 3;
const WARMUP_SHARE = 0.2;
const MOST_WARMUP_MS = 150;
const MOST_ROUNDS = 20_000;
const MOST_FAILURES = 3;
/** A candidate that is so much slower in one process is no longer timed. */
const CLEARLY_SLOWER = 1.25;
/** Without candidates: sampling ends when the median is known this well, or after this many processes. */
const MEDIAN_WITHIN = 0.1;
const ENOUGH_PROCESSES = 5;

/** What to measure next, or why to stop. Pure: the same plan and progress give the same step. */
export function nextStep(plan: SamplingPlan, progress: SamplingProgress): SamplingStep {
  if (isHopeless(plan, progress)) return { step: 'done', reason: 'error' };
  const open = undecidedVariants(plan, progress.results);
  if (isDecided(plan, progress.results, open)) return { step: 'done', reason: 'decided' };
  const timeMs = nextProcessMs(plan, progress);
  if (timeMs === null) return { step: 'done', reason: 'budget' };
  const usableMs = Math.max(timeMs - plan.startMs, timeMs / STARTS_PER_PROCESS);
  const warmupMs = Math.min(MOST_WARMUP_MS, WARMUP_SHARE * usableMs);
  const sliceMs = usableMs - warmupMs;
  return {
    step: 'slice',
    slice: {
      variants: fittingVariants(plan, progress.results, open, sliceMs),
      sliceMs: Math.round(sliceMs),
      warmupMs: Math.round(warmupMs),
      minRounds: 1,
      maxRounds: MOST_ROUNDS,
      seed: firstSeed(plan.seed) + progress.results.length + progress.failures,
    },
  };
}

/** Even, and incremented for each process: its parity tells the guest which variant sends the first, cold message. */
const firstSeed = (seed: number): number => 2 * Math.floor(seedFor(seed, 0) / 4);

const originalOf = (plan: SamplingPlan): string =>
  plan.variants.find((one) => one.mode === 'original')?.id ?? 'original';

/** Too many processes failed, or the original cannot be timed: further processes would fail as well. */
function isHopeless(plan: SamplingPlan, { results, failures }: SamplingProgress): boolean {
  if (failures >= MOST_FAILURES && failures >= results.length) return true;
  return results.length > 0 && processesOf(samplesOf(results, originalOf(plan))) === 0;
}

/** Floor, original, and every candidate whose comparison is still undecided. */
export function undecidedVariants(plan: SamplingPlan, results: readonly Measured[]): Variant[] {
  const dropped = new Set(plan.variants.filter((one) => isClearlySlower(plan, results, one)).map(remedyKey));
  return plan.variants.filter(
    (one) => !isCandidate(one) || !(dropped.has(remedyKey(one)) || isCompared(plan, results, one)),
  );
}

function ratioOf(plan: SamplingPlan, results: readonly Measured[], one: Variant) {
  const comparisons = comparisonsIn(plan.variants);
  return ratioToOriginal(results, originalOf(plan), one.id, plan.seed, comparisons);
}

function isCompared(plan: SamplingPlan, results: readonly Measured[], one: Variant): boolean {
  if (errorOf(results, one.id) !== null) return true;
  if (processesOf(samplesOf(results, one.id)) < LEAST_PROCESSES) return false;
  const ratio = ratioOf(plan, results, one);
  return plan.limit === undefined ? isSettled(ratio) : isClearOf(ratio, plan.limit);
}

/** Every mode of its remedy was timed and is clearly slower. */
function isClearlySlower(plan: SamplingPlan, results: readonly Measured[], one: Variant): boolean {
  if (!isCandidate(one) || plan.limit !== undefined) return false;
  const modes = plan.variants.filter((other) => remedyKey(other) === remedyKey(one));
  return modes.every((mode) => (ratioOf(plan, results, mode)?.ci[0] ?? 0) > CLEARLY_SLOWER);
}

function isDecided(plan: SamplingPlan, results: readonly Measured[], open: readonly Variant[]): boolean {
  const original = samplesOf(results, originalOf(plan));
  const processes = processesOf(original);
  if (processes < LEAST_PROCESSES || open.some(isCandidate)) return false;
  if (comparisonsIn(plan.variants) > 0 || processes >= ENOUGH_PROCESSES) return true;
  const known = medianInterval(original, plan.seed);
  return known !== null && known.ci[1] - known.ci[0] <= 2 * MEDIAN_WITHIN * known.median;
}

/** ms that the next process may take, start included; null when the rest of the budget is too short. */
function nextProcessMs(plan: SamplingPlan, { results, spentMs, failures }: SamplingProgress): number | null {
  const { budgetMs, startMs, sliceMs = 0 } = plan;
  const short = Math.min(
    budgetMs / LEAST_PROCESSES,
    Math.max(budgetMs / USUAL_PROCESSES, STARTS_PER_PROCESS * startMs),
  );
  const usual = sliceMs > 0 ? Math.max(short, Math.min(budgetMs, sliceMs + startMs)) : short;
  const done = results.length + failures;
  const room = Math.max(usual, 1.5 * startMs);
  if (done === 0) return room;
  const left = budgetMs - spentMs;
  const costsSoFar = spentMs / done;
  if (left < usual / 2 || left < 1.2 * startMs || left < 0.8 * costsSoFar) return null;
  return left / Math.max(1, Math.round(left / Math.max(room, costsSoFar)));
}

/**
 * Floor, original and as many candidates as fit one round into the slice, those with the fewest processes first. A payload
 * that takes a second per message cannot be timed in ten variants within five seconds; the others stay unsure.
 */
function fittingVariants(
  plan: SamplingPlan,
  results: readonly Measured[],
  open: readonly Variant[],
  sliceMs: number,
): Variant[] {
  const usual = tripMs(results, originalOf(plan)) ?? plan.tripMs ?? 0;
  const cost = (one: Variant): number => tripMs(results, one.id) ?? (one.mode === 'floor' ? 0 : usual);
  const turns = (one: Variant): number => processesOf(samplesOf(results, one.id));
  const candidates = open.filter(isCandidate).sort((a, b) => turns(a) - turns(b));
  let room = sliceMs - usual;
  const chosen = new Set<Variant>();
  for (const one of candidates) {
    room -= cost(one);
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  return open.filter((one) => !isCandidate(one) || chosen.has(one));
}

function tripMs(results: readonly Measured[], variant: string): number | null {
  const medians = samplesOf(results, variant)
    .filter((samples) => samples.length > 0)
    .map(median);
  return medians.length === 0 ? null : median(medians) / 1e6;
}

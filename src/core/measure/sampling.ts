import type { Measured, RequestOf, Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { isClearOf, isSettled } from '../stats/decision.ts';
import { MAX_LOOKS, medianInterval } from '../stats/intervals.ts';
import { median } from '../stats/quantiles.ts';
import { seedFor } from '../stats/random.ts';
import {
  comparedIn,
  countProcesses,
  findError,
  findSamples,
  isCandidate,
  ratioToOriginal,
} from '../stats/variant-samples.ts';
import { raceStanding, type Standing } from './race.ts';

/** Constant options of the measurement of one payload on one runtime over one channel. */
export interface SamplingPlan extends TimeBudget {
  /** Floor, original and candidates; the most promising candidates come first. */
  variants: readonly Variant[];
  seed: number;
  /** Ratio that candidates are compared with instead of 1. */
  limit?: number;
  /**
   * Ids of candidates that may be advised, the simplest first: only the best counts, and others are dropped. If absent,
   * each candidate is timed until its own comparison is decided.
   */
  eligible?: readonly string[];
  /** Ratio at or above which a candidate is not advised, by id. */
  worthFrom?: Readonly<Record<string, number>>;
  /** Ids of the variants whose send and receive are timed too; if absent, all variants. */
  oneWay?: readonly string[];
}

interface SamplingProgress extends Spent {
  results: readonly Measured[];
  /** Dropped candidates, as returned by the previous step. */
  dropped?: readonly string[];
}

/** Fields of a `measure` request that sampling decides; each slice runs in a new process and worker. */
export type Slice = Omit<RequestOf<'measure'>, 'type' | 'recipe' | 'channel'>;

/** `dropped` has the ids of all candidates that left the race so far, `looks` is the maximum number of looks. */
export type SamplingStep = { dropped: readonly string[]; looks: number } & (
  | { step: 'slice'; slice: Slice }
  | { step: 'done'; reason: 'decided' | 'budget' | 'error' }
);

const WARMUP_SHARE = 0.2;
const MAX_WARMUP_MS = 150;
const MAX_ROUNDS = 20_000;
const MAX_FAILURES = 3;
/** A candidate that is slower by this factor in one process is no longer timed. */
const CLEARLY_SLOWER = 1.25;
/** The guest drops a candidate from a race if each message takes this many times the original's fastest. */
const DROP_BEYOND = 4;
/** If there are no candidates, sampling ends at this precision of the median, or after `ENOUGH_PROCESSES`. */
const MEDIAN_WITHIN = 0.1;
const ENOUGH_PROCESSES = 5;

/** Minimum gain that is shown before its interval is known. */
const MIN_GAIN = 1.1;

/** Ratio of the original's time to the best candidate's, without an interval; null if none is faster yet. */
export function gainSoFar(
  { variants, eligible = [] }: Pick<SamplingPlan, 'variants' | 'eligible'>,
  results: readonly Measured[],
): number | null {
  const medianOf = (id: string): number => median(findSamples(results, id).flat());
  const original = medianOf(originalId({ variants }));
  const gains = comparedIn(variants)
    .filter(({ id }) => eligible.includes(id) && findError(results, id) === null)
    .map(({ id }) => original / medianOf(id));
  const best = Math.max(0, ...gains.filter(Number.isFinite));
  return best >= MIN_GAIN ? best : null;
}

/** Returns what to measure next, or why to stop. Pure: the same plan and progress give the same step. */
export function nextStep(plan: SamplingPlan, progress: SamplingProgress): SamplingStep {
  const { results, dropped: before = [] } = progress;
  const looks = plan.eligible ? plannedLooks(plan, progress) : MAX_LOOKS;
  if (isHopeless(plan, progress)) return { step: 'done', reason: 'error', dropped: before, looks };
  const { dropped, open, isWon, decided } = plan.eligible
    ? standingInRace(plan, results, before, looks)
    : standingOfEach(plan, results);
  if (decided && countProcesses(findSamples(results, originalId(plan))) >= MIN_PROCESSES) {
    return { step: 'done', reason: 'decided', dropped, looks };
  }
  // The extra time is only for undecided races.
  const budget = isWon ? { ...plan, extraMs: 0 } : plan;
  const timeMs =
    results.length >= MAX_LOOKS ? null : nextProcessMs(budget, progress, tripMs(results, originalId(plan)));
  if (timeMs === null) return { step: 'done', reason: 'budget', dropped, looks };
  return { step: 'slice', slice: nextSlice(plan, progress, open, timeMs), dropped, looks };
}

function nextSlice(plan: SamplingPlan, progress: SamplingProgress, open: Variant[], timeMs: number): Slice {
  const { results, failures } = progress;
  const usableMs = Math.max(timeMs - plan.startMs, timeMs / STARTS_PER_PROCESS);
  const warmupMs = Math.min(MAX_WARMUP_MS, WARMUP_SHARE * usableMs);
  const sliceMs = usableMs - warmupMs;
  const always = plan.variants.filter((one) => !isCandidate(one));
  const measuredMs = tripMs(results, originalId(plan));
  const usualMs = measuredMs ?? plan.tripMs ?? 0;
  const { candidates, originalTurns } = fittingVariants(results, open, sliceMs, usualMs);
  // One-way times are only shown, so the minimum number of processes is enough, or one process if messages are slow.
  const isOneWay = results.length < ((measuredMs ?? 0) <= QUICK_TRIP_MS ? MIN_PROCESSES : 1);
  // Even, and incremented for each process: by its parity, the guest selects the variant of the first, cold message.
  const firstSeed = 2 * Math.floor(seedFor(plan.seed, 0) / 4);
  return {
    variants: [...always, ...candidates],
    sliceMs: Math.round(sliceMs),
    warmupMs: Math.round(warmupMs),
    minRounds: 1,
    maxRounds: MAX_ROUNDS,
    seed: firstSeed + results.length + failures,
    ...(plan.oneWay === undefined ? {} : { oneWay: isOneWay ? [...plan.oneWay] : [] }),
    ...(plan.eligible === undefined ? {} : { originalTurns, dropBeyond: DROP_BEYOND }),
  };
}

const variantId = (plan: Pick<SamplingPlan, 'variants'>, mode: Variant['mode']): string =>
  plan.variants.find((one) => one.mode === mode)?.id ?? mode;

const originalId = (plan: Pick<SamplingPlan, 'variants'>): string => variantId(plan, 'original');

/** True if too many processes failed, or the original cannot be timed: further processes would fail as well. */
function isHopeless(plan: SamplingPlan, { results, failures }: SamplingProgress): boolean {
  if (failures >= MAX_FAILURES && failures >= results.length) return true;
  return results.length > 0 && countProcesses(findSamples(results, originalId(plan))) === 0;
}

function standingInRace(
  plan: SamplingPlan,
  results: readonly Measured[],
  before: readonly string[],
  looks: number,
): Standing {
  const { variants, seed, eligible = [], worthFrom } = plan;
  const [original, floor] = [originalId(plan), variantId(plan, 'floor')];
  const race = { variants, eligible, worthFrom, original, floor, seed, looks, results };
  const { decided, ...standing } = raceStanding(race, before);
  return { ...standing, decided: decided && (comparedIn(variants).length > 0 || isKnown(plan, results)) };
}

function standingOfEach(plan: SamplingPlan, results: readonly Measured[]): Standing {
  const candidates = comparedIn(plan.variants);
  const open = candidates.filter(({ id }) => !isCompared(plan, results, id, candidates.length));
  return {
    dropped: [],
    open,
    isWon: false,
    decided: candidates.length > 0 ? open.length === 0 : isKnown(plan, results),
  };
}

function isCompared(plan: SamplingPlan, results: readonly Measured[], id: string, comparisons: number) {
  if (findError(results, id) !== null) return true;
  const ratio = ratioToOriginal(results, originalId(plan), id, plan.seed, comparisons);
  const isSure = countProcesses(findSamples(results, id)) >= MIN_PROCESSES;
  if (plan.limit !== undefined) return isSure && isClearOf(ratio, plan.limit);
  return (isSure && isSettled(ratio)) || (carries(ratio, 'side') && ratio.ci[0] > CLEARLY_SLOWER);
}

/** True if the median of the original is known well enough, for plans without candidates. */
function isKnown(plan: SamplingPlan, results: readonly Measured[]): boolean {
  const original = findSamples(results, originalId(plan));
  if (countProcesses(original) >= ENOUGH_PROCESSES) return true;
  const known = medianInterval(original, plan.seed);
  return carries(known, 'size') && known.ci[1] - known.ci[0] <= 2 * MEDIAN_WITHIN * known.median;
}

// Time of the next process, and number of processes that fit into the budget.

interface TimeBudget {
  /** Total ms: starts of processes, warm-up and timed rounds. */
  budgetMs: number;
  /** Time allowed beyond the budget while the result is undecided, ms. */
  extraMs?: number;
  /** Time to start a process and build the payload there, ms. */
  startMs: number;
  /** Estimated round trip of the original, ms, if known; keeps slow payloads within the budget. */
  tripMs?: number;
  /** Minimum time that a process measures, ms, for payloads so slow that few rounds fit. */
  sliceMs?: number;
  /** The budget may grow later, so the number of processes is unknown. */
  mayGrow?: boolean;
}

interface Spent {
  /** Results of the processes that completed. */
  results: readonly unknown[];
  /** Time since sampling began, ms, including starts of processes. */
  spentMs: number;
  /** Processes that crashed, timed out or did not start. */
  failures: number;
}

const MIN_PROCESSES = 3;
const USUAL_PROCESSES = 10;
/** Divisor of the budget until the minimum of processes is reached: short runs often decide for quick messages. */
const FIRST_PROCESSES = 14;
const QUICK_TRIP_MS = 10;
/** The start of a process takes at most this fraction (1/n) of its time. */
const STARTS_PER_PROCESS = 3;

const wholeMs = ({ budgetMs, extraMs = 0 }: TimeBudget): number => budgetMs + extraMs;

/** Number of processes that fit into the budget, by the time of the processes so far. */
export function plannedLooks(plan: TimeBudget, { results, spentMs, failures }: Spent): number {
  const done = results.length + failures;
  if (plan.mayGrow || done === 0) return MAX_LOOKS;
  const room = Math.ceil((wholeMs(plan) / spentMs) * done);
  return Math.min(Math.max(room, results.length, MIN_PROCESSES), MAX_LOOKS);
}

/** Time for the next process, ms, including its start; null if the rest of the budget is too short. */
export function nextProcessMs(
  plan: TimeBudget,
  { results, spentMs, failures }: Spent,
  measuredTripMs: number | null,
): number | null {
  const { budgetMs, startMs, sliceMs = 0 } = plan;
  const trip = measuredTripMs ?? plan.tripMs ?? 0;
  const isFirst = results.length < MIN_PROCESSES && trip <= QUICK_TRIP_MS;
  const processes = isFirst ? FIRST_PROCESSES : USUAL_PROCESSES;
  const short = Math.min(
    wholeMs(plan) / MIN_PROCESSES,
    Math.max(budgetMs / processes, STARTS_PER_PROCESS * startMs),
  );
  const usual = sliceMs > 0 ? Math.max(short, Math.min(wholeMs(plan), sliceMs + startMs)) : short;
  const done = results.length + failures;
  const room = Math.max(usual, 1.5 * startMs);
  if (done === 0) return room;
  const left = wholeMs(plan) - spentMs;
  const costsSoFar = spentMs / done;
  if (left < usual / 2 || left < 1.2 * startMs || left < 0.8 * costsSoFar) return null;
  return left / Math.max(1, Math.round(left / Math.max(room, costsSoFar)));
}

/**
 * Selects the candidates that fit one round into the slice together with the original, fewest processes first. If a
 * message takes a second, ten variants cannot be timed in five seconds; the others stay unsure.
 *
 * The original takes part in every comparison. Intervals are narrowest if its messages are sqrt(k) times those of each
 * of k candidates (Dunnett 1955): these are its turns in each round, or one if the slice is too short.
 *
 * @param usual one round trip of the original, ms
 */
function fittingVariants(
  results: readonly Measured[],
  open: readonly Variant[],
  sliceMs: number,
  usual: number,
): { candidates: Variant[]; originalTurns: number } {
  // A comparison in place is optional: it never takes the turn of a comparison that decides.
  const turns = (one: Variant): number =>
    one.mode === 'in-place' ? Number.MAX_SAFE_INTEGER : countProcesses(findSamples(results, one.id));
  let room = sliceMs - usual;
  const chosen = new Set<Variant>();
  for (const one of [...open].sort((a, b) => turns(a) - turns(b))) {
    room -= tripMs(results, one.id) ?? usual;
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  const ofOriginal = Math.max(1, Math.round(Math.sqrt(chosen.size)));
  const originalTurns = (ofOriginal + chosen.size) * usual <= sliceMs ? ofOriginal : 1;
  return { candidates: open.filter((one) => chosen.has(one)), originalTurns };
}

/** Median round trip of a variant, ms; null if it was not timed. */
function tripMs(results: readonly Measured[], variant: string): number | null {
  const medians = findSamples(results, variant)
    .filter((samples) => samples.length > 0)
    .map(median);
  return medians.length === 0 ? null : median(medians) / 1e6;
}

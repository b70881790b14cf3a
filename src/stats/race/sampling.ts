import type { Measured, RequestOf, Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { isClearOf, isSettled } from '../intervals/decision.ts';
import { MAX_LOOKS } from '../intervals/intervals.ts';
import { median } from '../intervals/quantiles.ts';
import { seedFor } from '../intervals/random.ts';
import { comparedIn, isCandidate, ORIGINAL, RunSamples } from '../intervals/variant-samples.ts';
import { type RaceTerms, raceStanding, type Standing } from './race.ts';

/**
 * Constant options of the measurement of one payload on one runtime over one channel. The variants are floor, original
 * and candidates, of which the most promising come first.
 */
export interface SamplingPlan extends TimeBudget, Omit<RaceTerms, 'eligible'> {
  seed: number;
  /** Ratio that candidates are compared with instead of 1. */
  limit?: number;
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
  { variants, eligible = [], seed }: Pick<SamplingPlan, 'variants' | 'eligible' | 'seed'>,
  results: readonly Measured[],
): number | null {
  const samples = new RunSamples(results, seed);
  const medianOf = (id: string): number => median(samples.of(id).flat());
  const original = medianOf(originalId({ variants }));
  const gains = comparedIn(variants)
    .filter(({ id }) => eligible.includes(id) && samples.error(id) === null)
    .map(({ id }) => original / medianOf(id));
  const best = Math.max(0, ...gains.filter(Number.isFinite));
  return best >= MIN_GAIN ? best : null;
}

/** Returns what to measure next, or why to stop. Pure: the same plan and progress give the same step. */
export function nextStep(plan: SamplingPlan, progress: SamplingProgress): SamplingStep {
  const { results, failures, dropped: before = [] } = progress;
  const { eligible } = plan;
  const looks = eligible ? plannedLooks(plan, progress) : MAX_LOOKS;
  const samples = new RunSamples(results, plan.seed, looks);
  const timed = samples.processes(originalId(plan));
  // Too many processes failed, or the original cannot be timed: further processes would fail as well.
  const isHopeless = failures >= MAX_FAILURES && failures >= results.length;
  if (isHopeless || (results.length > 0 && timed === 0))
    return { step: 'done', reason: 'error', dropped: before, looks };
  const { dropped, open, isWon, decided } = eligible
    ? standingInRace({ ...plan, eligible }, samples, before)
    : standingOfEach(plan, samples);
  if (decided && timed >= MIN_PROCESSES) return { step: 'done', reason: 'decided', dropped, looks };
  // The extra time is only for undecided races.
  const budget = isWon ? { ...plan, extraMs: 0 } : plan;
  const tripMs = samples.tripMs(originalId(plan));
  const timeMs = results.length >= MAX_LOOKS ? null : nextProcessMs(budget, progress, tripMs);
  if (timeMs === null) return { step: 'done', reason: 'budget', dropped, looks };
  return { step: 'slice', slice: nextSlice(plan, samples, failures, open, timeMs), dropped, looks };
}

function nextSlice(
  plan: SamplingPlan,
  samples: RunSamples,
  failures: number,
  open: Variant[],
  timeMs: number,
): Slice {
  const usableMs = Math.max(timeMs - plan.startMs, timeMs / STARTS_PER_PROCESS);
  const warmupMs = Math.min(MAX_WARMUP_MS, WARMUP_SHARE * usableMs);
  const sliceMs = usableMs - warmupMs;
  const always = plan.variants.filter((one) => !isCandidate(one));
  const measuredMs = samples.tripMs(originalId(plan));
  const { candidates, originalTurns } = fittingVariants(
    samples,
    open,
    sliceMs,
    measuredMs ?? plan.tripMs ?? 0,
  );
  const done = samples.results.length;
  // One-way times are only shown, so the minimum number of processes is enough.
  const isOneWay = done < ((measuredMs ?? 0) <= SLOW_TRIP_MS ? MIN_PROCESSES : 1);
  // Even, and incremented for each process: by its parity, the guest selects the variant of the first, cold message.
  const firstSeed = 2 * Math.floor(seedFor(plan.seed, 0) / 4);
  return {
    variants: [...always, ...candidates],
    sliceMs: Math.round(sliceMs),
    warmupMs: Math.round(warmupMs),
    minRounds: 1,
    maxRounds: MAX_ROUNDS,
    seed: firstSeed + done + failures,
    ...(plan.oneWay === undefined ? {} : { oneWay: isOneWay ? [...plan.oneWay] : [] }),
    ...(plan.eligible === undefined ? {} : { originalTurns, dropBeyond: DROP_BEYOND }),
  };
}

const originalId = ({ variants }: Pick<SamplingPlan, 'variants'>): string =>
  variants.find(({ mode }) => mode === 'original')?.id ?? ORIGINAL.id;

function standingInRace(
  plan: SamplingPlan & RaceTerms,
  samples: RunSamples,
  before: readonly string[],
): Standing {
  const standing = raceStanding(plan, samples, before);
  const isEnough = comparedIn(plan.variants).length > 0 || isKnown(plan, samples);
  return { ...standing, decided: standing.decided && isEnough };
}

function standingOfEach(plan: SamplingPlan, samples: RunSamples): Standing {
  const candidates = comparedIn(plan.variants);
  const open = candidates.filter(({ id }) => !isCompared(plan, samples, id, candidates.length));
  return {
    dropped: [],
    open,
    isWon: false,
    decided: candidates.length > 0 ? open.length === 0 : isKnown(plan, samples),
  };
}

function isCompared(plan: SamplingPlan, samples: RunSamples, id: string, comparisons: number): boolean {
  if (samples.error(id) !== null) return true;
  const ratio = samples.ratio(id, originalId(plan), comparisons);
  const isSure = samples.processes(id) >= MIN_PROCESSES;
  if (plan.limit !== undefined) return isSure && isClearOf(ratio, plan.limit);
  return (isSure && isSettled(ratio)) || (carries(ratio, 'side') && ratio.ci[0] > CLEARLY_SLOWER);
}

/** True if the median of the original is known well enough, for plans without candidates. */
function isKnown(plan: SamplingPlan, samples: RunSamples): boolean {
  const id = originalId(plan);
  if (samples.processes(id) >= ENOUGH_PROCESSES) return true;
  const known = samples.time(id);
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
  /** Only the best of these counts, and others are dropped. If absent, each candidate is timed until it is decided. */
  eligible?: RaceTerms['eligible'];
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
/** Divisor of the budget: between processes, equal code differs most. */
const USUAL_PROCESSES = 10;
/** The same for a race of rewrites: codecs have to be warm in each process, which then has more messages. */
const RACE_PROCESSES = 5;
/** The same until the minimum of processes is reached, for quick messages: short runs often decide. */
const FIRST_PROCESSES = 14;
const QUICK_TRIP_MS = 1;
/** Messages that take longer than this are timed one way in one process only. */
const SLOW_TRIP_MS = 10;
/** The start of a process takes at most this fraction (1/n) of its time. */
const STARTS_PER_PROCESS = 3;

const wholeMs = ({ budgetMs, extraMs = 0 }: TimeBudget): number => budgetMs + extraMs;

/**
 * Number of looks at which a race may end, by the processes that fit into the budget and the time of those so far: it goes on
 * until there is the minimum of processes.
 */
export function plannedLooks(plan: TimeBudget, { results, spentMs, failures }: Spent): number {
  const done = results.length + failures;
  if (plan.mayGrow || done === 0) return MAX_LOOKS;
  const room = Math.ceil((wholeMs(plan) / spentMs) * done);
  return Math.min(Math.max(room, results.length, MIN_PROCESSES), MAX_LOOKS) - MIN_PROCESSES + 1;
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
  const usually = plan.eligible ? RACE_PROCESSES : USUAL_PROCESSES;
  const processes = isFirst ? FIRST_PROCESSES : usually;
  const short = Math.min(
    budgetMs / MIN_PROCESSES,
    Math.max(budgetMs / processes, STARTS_PER_PROCESS * startMs),
  );
  const whole = wholeMs(plan);
  const usual = sliceMs > 0 ? Math.max(short, Math.min(whole, sliceMs + startMs)) : short;
  const done = results.length + failures;
  const room = Math.max(usual, 1.5 * startMs);
  if (done === 0) return room;
  const costsSoFar = spentMs / done;
  const least = Math.max(usual / 2, 1.2 * startMs, 0.8 * costsSoFar);
  // The extra time is divided once the budget is spent: by then the race may be won.
  const left = [budgetMs - spentMs, whole - spentMs].find((ms) => ms >= least);
  if (left === undefined) return null;
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
  samples: RunSamples,
  open: readonly Variant[],
  sliceMs: number,
  usual: number,
): { candidates: Variant[]; originalTurns: number } {
  // A comparison in place is optional: it never takes the turn of a comparison that decides.
  const turns = ({ id, mode }: Variant): number =>
    mode === 'in-place' ? Number.MAX_SAFE_INTEGER : samples.processes(id);
  let room = sliceMs - usual;
  const chosen = new Set<Variant>();
  for (const one of [...open].sort((a, b) => turns(a) - turns(b))) {
    room -= samples.tripMs(one.id) ?? usual;
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  const ofOriginal = Math.max(1, Math.round(Math.sqrt(chosen.size)));
  const originalTurns = (ofOriginal + chosen.size) * usual <= sliceMs ? ofOriginal : 1;
  return { candidates: open.filter((one) => chosen.has(one)), originalTurns };
}

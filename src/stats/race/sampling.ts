/** Decides what to measure next: which candidates stay in the race, in how many processes, each for how long. */

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Measured, RequestOf, Variant } from '../../model/wire/wire.ts';
import {
  cannotBeFaster,
  carries,
  decide,
  gainsLittle,
  isClearOf,
  isNearFloor,
  isSettled,
  SIMPLER_MAY_COST,
} from '../evidence.ts';
import { MAX_LOOKS, median } from '../intervals/intervals.ts';
import { seedFor } from '../intervals/random.ts';
import {
  comparedIn,
  FLOOR,
  isCandidate,
  ORIGINAL,
  RunSamples,
  remedyKey,
} from '../intervals/variant-samples.ts';

/** Options that stay the same. The variants are floor, original and candidates, the most promising first. */
export interface SamplingPlan extends TimeBudget {
  variants: readonly Variant[];
  seed: number;
  /** Ratio at or above which a candidate is not advised, even if it is certainly faster, by id. */
  worthFrom?: Readonly<Record<string, number>> | undefined;
  /** Ratio that candidates are compared with instead of 1. */
  limit?: number;
  /** Ids of the variants whose send and receive are timed too; if absent, all variants. */
  oneWay?: readonly string[];
}

/** What a caller chooses: the rest is known when the sampling starts. */
export type SamplingRequest = Omit<SamplingPlan, 'startMs' | 'seed'>;

interface SamplingProgress extends Spent {
  results: readonly Measured[];
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

/** Ratio of the original's time to the best candidate's; null if none is faster yet. */
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
    ? standingInRace({ ...plan, eligible, samples }, before)
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
  const usualMs = measuredMs ?? plan.tripMs ?? 0;
  const { candidates, originalTurns } = fittingVariants(samples, open, sliceMs, usualMs);
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
  /** Ids that may be advised, simplest first: only the best counts. If absent, each is timed until it is decided. */
  eligible?: readonly string[];
}

interface Spent {
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
/** The start of a process takes at most 1/n of its time. */
const STARTS_PER_PROCESS = 3;

const wholeMs = ({ budgetMs, extraMs = 0 }: TimeBudget): number => budgetMs + extraMs;

/** Number of looks: processes that fit into the budget, by the time of the processes so far. */
export function plannedLooks(plan: TimeBudget, { results, spentMs, failures }: Spent): number {
  const done = results.length + failures;
  if (plan.mayGrow || done === 0) return MAX_LOOKS;
  const room = Math.ceil((wholeMs(plan) / spentMs) * done);
  return Math.min(Math.max(room, results.length, MIN_PROCESSES), MAX_LOOKS) - MIN_PROCESSES + 1;
}

/** ms, including its start; null if the rest of the budget is too short. */
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
 * Selects the candidates that fit one round into the slice together with the original, fewest processes first.
 *
 * The original takes part in every comparison. Intervals are narrowest if its messages are sqrt(k) times those of each
 * of k candidates (Dunnett 1955): these are its turns in each round, or one if the slice is too short.
 *
 * @param usualMs one round trip of the original
 */
function fittingVariants(samples: RunSamples, open: readonly Variant[], sliceMs: number, usualMs: number) {
  // A comparison in place is optional: it never takes the turn of a comparison that decides.
  const turns = ({ id, mode }: Variant): number =>
    mode === 'in-place' ? Number.MAX_SAFE_INTEGER : samples.processes(id);
  let room = sliceMs - usualMs;
  const chosen = new Set<Variant>();
  for (const one of [...open].sort((a, b) => turns(a) - turns(b))) {
    room -= samples.tripMs(one.id) ?? usualMs;
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  const ofOriginal = Math.max(1, Math.round(Math.sqrt(chosen.size)));
  const originalTurns = (ofOriginal + chosen.size) * usualMs <= sliceMs ? ofOriginal : 1;
  return { candidates: open.filter((one) => chosen.has(one)), originalTurns };
}

type Race = SamplingPlan & Required<Pick<SamplingPlan, 'eligible'>> & { samples: RunSamples };

interface Standing {
  /** Ids of candidates that get no further turns, including those dropped earlier. */
  dropped: string[];
  open: Variant[];
  /** One candidate is proven faster and preferred to all that are left. */
  isWon: boolean;
  /** More samples would hardly change the advice. */
  decided: boolean;
}

type Candidate = { variant: Variant; gain: RatioEstimate };

/** Target ratio of the ends of the winner's interval, as long as there is budget. */
const NARROW = 1.25;
/** A candidate within 5 % of the limit for being preferred counts as equivalent to the leader. */
const EQUIVALENT = 1.05;
/** Minimum processes before time is spent on the leader in place; before that, the leader is not certain enough. */
const IN_PLACE_AFTER = 2;

/**
 * Decides which candidates stay in the race. A candidate leaves when its interval shows that it is not faster than the
 * original, or that a different candidate would be preferred; these intervals hold for any number of looks. If that
 * candidate turns out not to be faster either, the dropped one returns, unless its own interval excludes it too.
 */
function standingInRace(race: Race, before: readonly string[]): Standing {
  const { samples } = race;
  const candidates = comparedIn(race.variants);
  const compared = candidates.filter(({ id }) => samples.error(id) === null);
  const racing = compared.filter(({ id }) => !before.includes(id));
  const timed = timedOf(race, racing, racing.length);
  const leader = findLeader(race, timed);
  const out = timed.filter((one) => isOut(race, one, leader, racing.length)).map(({ variant }) => variant);
  const kept = racing.filter((one) => !out.includes(one));
  const left = kept.length > 0 ? kept : unproven(race, compared);
  const inPlace = samples.results.length < IN_PLACE_AFTER ? null : findInPlace(race, leader, compared);
  const isWon = left.every(({ id }) => !race.eligible.includes(id) || id === leader?.variant.id);
  const dropped = [...before, ...out.map(({ id }) => id)];
  return {
    dropped: dropped.filter((id) => left.every((one) => one.id !== id)),
    open: inPlace === null ? left : [...left, inPlace],
    isWon: isWon && leader !== undefined && decide(leader.gain) === 'faster',
    // A different channel may be worthwhile even if no rewrite is.
    decided:
      (candidates.length > 0 || isKnown(race, samples)) &&
      left.every(({ mode }) => mode !== 'other-channel') &&
      (hasNoGain(race, leader) || (isWon && isLeaderKnown(left, leader) && inPlace === null)),
  };
}

const timedOf = ({ samples }: Race, variants: readonly Variant[], comparisons: number): Candidate[] =>
  variants.flatMap((variant) => {
    const gain = samples.ratio(variant.id, ORIGINAL.id, comparisons);
    return gain === null ? [] : [{ variant, gain }];
  });

/** If no candidate is left or faster, returns the candidates that left the race only in favour of a different one. */
function unproven(race: Race, compared: readonly Variant[]): Variant[] {
  const timed = timedOf(race, compared, compared.length);
  if (timed.some(({ gain }) => decide(gain) === 'faster')) return [];
  const isOpen = (one: Candidate) =>
    candidateRank(race, one) >= 0 && !gainsLittle(one.gain, race.worthFrom?.[one.variant.id]);
  return timed.filter(isOpen).map(({ variant }) => variant);
}

const candidateRank = ({ eligible }: Race, { variant }: Candidate): number => eligible.indexOf(variant.id);

/** Those that may be advised, the fastest first. */
const eligibleIn = (race: Race, timed: readonly Candidate[]): Candidate[] =>
  timed.filter((one) => candidateRank(race, one) >= 0).sort((a, b) => a.gain.ratio - b.gain.ratio);

/** The candidate to advise now: the simplest of the proven faster ones near the fastest, else the fastest of all. */
function findLeader(race: Race, timed: readonly Candidate[]): Candidate | undefined {
  const sorted = eligibleIn(race, timed);
  const faster = sorted.filter(({ gain }) => decide(gain) === 'faster');
  const [fastest] = faster;
  if (fastest === undefined) return sorted[0];
  return faster
    .filter(({ gain }) => gain.ratio <= SIMPLER_MAY_COST * fastest.gain.ratio)
    .sort((a, b) => candidateRank(race, a) - candidateRank(race, b))[0];
}

function isOut(race: Race, one: Candidate, leader: Candidate | undefined, comparisons: number): boolean {
  const { id } = one.variant;
  if (cannotBeFaster(one.gain, race.worthFrom?.[id])) return true;
  if (candidateRank(race, one) < 0) return decide(one.gain) !== 'open';
  if (leader === undefined || one === leader) return false;
  const toLeader = race.samples.ratio(id, leader.variant.id, comparisons);
  return carries(toLeader, 'side') && toLeader.ci[0] > mayCost(race, one, leader);
}

/** Ratio to the leader above which a candidate is not preferred to it. */
function mayCost(race: Race, one: Candidate, leader: Candidate): number {
  if (candidateRank(race, one) < candidateRank(race, leader)) return SIMPLER_MAY_COST;
  return decide(leader.gain) === 'faster' ? 1 / SIMPLER_MAY_COST / EQUIVALENT : 1;
}

function isLeaderKnown(left: readonly Variant[], leader: Candidate | undefined): boolean {
  if (leader === undefined || !left.includes(leader.variant)) return true;
  const [low, high] = leader.gain.ci;
  return decide(leader.gain) === 'faster' && high <= NARROW * low;
}

/** Cloning is a small part of the round trip, and no rewrite is proven to make it smaller. */
function hasNoGain(race: Race, leader: Candidate | undefined): boolean {
  if (leader !== undefined && decide(leader.gain) === 'faster') return false;
  return isNearFloor(race.samples.ratio(ORIGINAL.id, FLOOR.id, 1));
}

/** The best candidate in place, timed in one process: the leader, or the fastest candidate if there is no leader. */
function findInPlace(race: Race, leader: Candidate | undefined, compared: readonly Variant[]) {
  const [fastest] = eligibleIn(race, timedOf(race, compared, 1));
  const best = (leader ?? fastest)?.variant;
  const found = race.variants.find(
    (one) => one.mode === 'in-place' && best && remedyKey(one) === remedyKey(best),
  );
  if (found === undefined || found === best || race.samples.error(found.id) !== null) return null;
  return race.samples.sets(found.id).length > 0 ? null : found;
}

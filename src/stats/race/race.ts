import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { cannotBeFaster, decide, gainsLittle, isNearFloor, SIMPLER_MAY_COST } from '../intervals/decision.ts';
import { comparedIn, FLOOR, ORIGINAL, type RunSamples, remedyKey } from '../intervals/variant-samples.ts';

/** Terms of a race, which stay the same. */
export interface RaceTerms {
  variants: readonly Variant[];
  /** Ids of candidates that may be advised, simplest first. Others are timed until they or the race are decided. */
  eligible: readonly string[];
  /** Ratio at or above which a candidate is not advised, even if it is certainly faster, by id. */
  worthFrom?: Readonly<Record<string, number>> | undefined;
}

interface Race extends RaceTerms {
  samples: RunSamples;
}

export interface Standing {
  /** Ids of candidates that get no further turns, including those dropped earlier. */
  dropped: string[];
  /** Candidates that get turns next. */
  open: Variant[];
  /** One candidate is proven faster and preferred to all that are left; more samples would only narrow its interval. */
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
 * candidate turns out not to be faster either, the dropped one returns, unless its own interval excludes it too. Pure.
 */
export function raceStanding(terms: RaceTerms, samples: RunSamples, before: readonly string[]): Standing {
  const race = { ...terms, samples };
  const compared = comparedIn(race.variants).filter(({ id }) => samples.error(id) === null);
  const racing = compared.filter(({ id }) => !before.includes(id));
  const timed = timedOf(race, racing, racing.length);
  const leader = findLeader(race, timed);
  const out = timed.filter((one) => isOut(race, one, leader, racing.length)).map(({ variant }) => variant);
  const kept = racing.filter((one) => !out.includes(one));
  const left = kept.length > 0 ? kept : unproven(race, compared);
  const inPlace = samples.results.length < IN_PLACE_AFTER ? null : findInPlace(race, leader);
  const isWon = left.every(({ id }) => !race.eligible.includes(id) || id === leader?.variant.id);
  const dropped = [...before, ...out.map(({ id }) => id)];
  return {
    dropped: dropped.filter((id) => left.every((one) => one.id !== id)),
    open: inPlace === null ? left : [...left, inPlace],
    isWon: isWon && leader !== undefined && decide(leader.gain) === 'faster',
    // A different channel may be worthwhile even if no rewrite is.
    decided:
      left.every(({ mode }) => mode !== 'other-channel') &&
      (hasNoGain(race, leader) || (isWon && isKnown(left, leader) && inPlace === null)),
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

/** The candidate to advise now: the simplest of the proven faster ones near the fastest, else the fastest of all. */
function findLeader(race: Race, timed: readonly Candidate[]): Candidate | undefined {
  const sorted = timed
    .filter((one) => candidateRank(race, one) >= 0)
    .sort((a, b) => a.gain.ratio - b.gain.ratio);
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

function isKnown(left: readonly Variant[], leader: Candidate | undefined): boolean {
  if (leader === undefined || !left.includes(leader.variant)) return true;
  const [low, high] = leader.gain.ci;
  return decide(leader.gain) === 'faster' && high <= NARROW * low;
}

/** True if cloning is a small part of the round trip, and no rewrite is proven to make it smaller. */
function hasNoGain(race: Race, leader: Candidate | undefined): boolean {
  if (leader !== undefined && decide(leader.gain) === 'faster') return false;
  return isNearFloor(race.samples.ratio(ORIGINAL.id, FLOOR.id, 1));
}

/** The best candidate in place, timed in one process: the leader, or the fastest candidate if there is no leader. */
function findInPlace(race: Race, leader: Candidate | undefined): Variant | null {
  const best = leader?.variant ?? findFastest(race);
  if (best === undefined) return null;
  const found = race.variants.find((one) => one.mode === 'in-place' && remedyKey(one) === remedyKey(best));
  if (found === undefined || found === best || race.samples.error(found.id) !== null) return null;
  return race.samples.sets(found.id).length > 0 ? null : found;
}

function findFastest({ variants, eligible, samples }: Race): Variant | undefined {
  const ratio = (id: string) => samples.ratio(id, ORIGINAL.id, 1)?.ratio ?? Number.POSITIVE_INFINITY;
  return comparedIn(variants)
    .filter(({ id }) => eligible.includes(id) && samples.error(id) === null)
    .map((variant) => ({ variant, ratio: ratio(variant.id) }))
    .sort((a, b) => a.ratio - b.ratio)[0]?.variant;
}

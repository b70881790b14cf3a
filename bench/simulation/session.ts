/** A measuring session without processes: the sampling plan with simulated round trips. */

import type { Measured, Proof, SampleSet, Variant } from '../../src/model/wire/wire.ts';
import { nextStep, type SamplingPlan, type Slice } from '../../src/stats/race/sampling.ts';
import { type Scenario, simulate } from './round-trips.ts';

export interface SimulatedSession {
  scenario: Scenario;
  /** True median of the original's round trip, ns. */
  originalNs: number;
  /** New over old time of each remedy, [in place, with conversion]. */
  ratios: readonly (readonly [number, number])[];
  budgetMs: number;
  extraMs?: number;
  startMs: number;
  seed: number;
  /** Only the best remedy counts; those given first are the simplest. Otherwise each is compared with the original. */
  race?: boolean;
  /** What the remedies are compared with instead of 1. */
  limit?: number;
}

export interface SessionEnd {
  variants: Variant[];
  results: Measured[];
  dropped: readonly string[];
  looks: number;
  spentMs: number;
  reason: 'decided' | 'budget' | 'error';
}

const FLOOR_SHARE = 0.3;
/** Send and receive of floor and original are timed in every second round; one way is half a round trip. */
const ONE_WAY_SHARE = 0.25;

export function variantsFor(remedies: number): Variant[] {
  const candidates = Array.from({ length: remedies }, (_, at) =>
    (['in-place', 'with-conversion'] as const).map((mode) => ({
      id: `remedy-${at}@$/${mode}`,
      remedy: `remedy-${at}`,
      plan: { path: '$' },
      mode,
    })),
  );
  return [
    { id: 'floor', remedy: null, plan: null, mode: 'floor' },
    { id: 'original', remedy: null, plan: null, mode: 'original' },
    ...candidates.flat(),
  ];
}

export function proofsFor(remedies: number): Proof[] {
  return Array.from({ length: remedies }, (_, at) => ({
    remedy: `remedy-${at}`,
    plan: { path: '$' },
    equality: 'equal' as const,
    losses: [],
    reason: null,
  }));
}

export function runSession(session: SimulatedSession): SessionEnd {
  const variants = variantsFor(session.ratios.length);
  const { budgetMs, extraMs = 0, startMs, seed } = session;
  const eligible = variants.filter(({ mode }) => mode === 'with-conversion').map(({ id }) => id);
  const race = session.race ? { eligible, oneWay: ['floor', 'original'] } : {};
  const plan: SamplingPlan = {
    ...{ budgetMs, extraMs, startMs, seed, variants, tripMs: session.originalNs / 1e6 },
    ...race,
    ...(session.limit === undefined ? {} : { limit: session.limit }),
  };
  const results: Measured[] = [];
  let spentMs = 0;
  let dropped: readonly string[] = [];
  for (;;) {
    const next = nextStep(plan, { results, spentMs, failures: 0, dropped });
    dropped = next.dropped;
    if (next.step === 'done') {
      return { variants, results, dropped, looks: next.looks, spentMs, reason: next.reason };
    }
    const { measured, tookMs } = answer(session, variants, next.slice);
    results.push(measured);
    spentMs += session.startMs + next.slice.warmupMs + tookMs;
  }
}

function trueMedian(session: SimulatedSession, variants: readonly Variant[], id: string): number {
  const at = variants.findIndex((one) => one.id === id);
  if (at === 0) return session.originalNs * FLOOR_SHARE;
  if (at === 1) return session.originalNs;
  return session.originalNs * session.ratios[(at - 2) >> 1]![at % 2]!;
}

/** One process, as the guest measures it. */
function answer(
  session: SimulatedSession,
  all: readonly Variant[],
  slice: Slice,
): { measured: Measured; tookMs: number } {
  const { originalTurns = 1, dropBeyond = Number.POSITIVE_INFINITY } = slice;
  const medians = slice.variants.map((one) => trueMedian(session, all, one.id));
  const [floorNs, originalNs] = [medians[0]!, medians[1]!];
  const isSlow = (ns: number): boolean => ns > dropBeyond * originalNs;
  const sum = (list: readonly number[]): number => list.reduce((total, ns) => total + ns, 0);
  const extraNs = (originalTurns - 1) * originalNs + ONE_WAY_SHARE * (floorNs + originalNs);
  const roundMs = (sum(medians.filter((ns) => !isSlow(ns))) + extraNs) / 1e6;
  const rounds = Math.min(
    slice.maxRounds,
    Math.max(slice.minRounds, Math.ceil(slice.sliceMs / Math.max(roundMs, 1e-6))),
  );
  const turns = Array.from({ length: originalTurns - 1 }, () => originalNs);
  const seed = slice.seed ^ Math.imul(session.seed, 0x9e3779b1);
  const times = simulate(session.scenario, [...medians, ...turns], 1, rounds, seed);
  const repeated = [times[1]![0]!, ...times.slice(medians.length).map(([only]) => only!)];
  const sets = slice.variants.map((one, at): SampleSet => {
    const taken = at === 1 ? alternating(repeated) : times[at]![0]!;
    const roundTrip = isSlow(medians[at]!) ? taken.slice(0, 1) : taken;
    return { variant: one.id, roundTrip, send: [], receive: [], cold: null, error: null };
  });
  const slowMs = sum(medians.filter(isSlow)) / 1e6;
  const tookMs = Math.max(slice.sliceMs, rounds * roundMs) + 2 * slowMs;
  return { measured: { type: 'measured', sets, rounds, gc: null }, tookMs };
}

/** The turns of one variant, round by round. */
const alternating = (turns: readonly (readonly number[])[]): number[] =>
  turns[0]!.flatMap((_, round) => turns.map((one) => one[round]!));

/** A measuring session without processes: the sampling plan with simulated round trips. */
import {
  nextStep,
  type SamplingPlan,
  type SamplingProgress,
  type Slice,
} from '../../src/core/measure/sampling.ts';
import type { Measured, Proof, SampleSet, Variant } from '../../src/model/wire/wire.ts';
import { type Scenario, simulate } from './round-trips.ts';

export interface SimulatedSession {
  scenario: Scenario;
  /** True median of the original's round trip, ns. */
  originalNs: number;
  /** New over old time of each remedy, [in place, with conversion]. */
  ratios: readonly (readonly [number, number])[];
  budgetMs: number;
  startMs: number;
  seed: number;
}

export interface SessionEnd {
  variants: Variant[];
  results: Measured[];
  spentMs: number;
  reason: 'decided' | 'budget' | 'error';
}

const FLOOR_SHARE = 0.3;
/** The rest of a slice goes to the receiver's times, as in the real guest. */
const ROUND_TRIP_SHARE = 0.6;

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
  const { budgetMs, startMs, seed } = session;
  const plan: SamplingPlan = { budgetMs, startMs, seed, variants, tripMs: session.originalNs / 1e6 };
  const results: Measured[] = [];
  const progress: SamplingProgress = { results, spentMs: 0, failures: 0 };
  for (;;) {
    const next = nextStep(plan, progress);
    if (next.step === 'done') return { variants, results, spentMs: progress.spentMs, reason: next.reason };
    const { measured, tookMs } = answer(session, variants, next.slice);
    results.push(measured);
    progress.spentMs += session.startMs + next.slice.warmupMs + tookMs;
  }
}

function trueMedian(session: SimulatedSession, variants: readonly Variant[], id: string): number {
  const at = variants.findIndex((one) => one.id === id);
  if (at === 0) return session.originalNs * FLOOR_SHARE;
  if (at === 1) return session.originalNs;
  return session.originalNs * session.ratios[(at - 2) >> 1]![at % 2]!;
}

function answer(
  session: SimulatedSession,
  all: readonly Variant[],
  slice: Slice,
): { measured: Measured; tookMs: number } {
  const medians = slice.variants.map((one) => trueMedian(session, all, one.id));
  const roundMs = medians.reduce((sum, ns) => sum + ns, 0) / 1e6;
  const rounds = Math.min(
    slice.maxRounds,
    Math.max(slice.minRounds, Math.ceil((ROUND_TRIP_SHARE * slice.sliceMs) / roundMs)),
  );
  const times = simulate(
    session.scenario,
    medians,
    1,
    rounds,
    slice.seed ^ Math.imul(session.seed, 0x9e3779b1),
  );
  const sets = slice.variants.map((one, at): SampleSet => {
    const roundTrip = times[at]![0]!;
    return { variant: one.id, roundTrip, send: [], receive: [], cold: null, error: null };
  });
  const tookMs = Math.max(slice.sliceMs, rounds * roundMs);
  return { measured: { type: 'measured', sets, rounds, gc: null }, tookMs };
}

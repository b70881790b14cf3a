import type { Estimate, Measurement, RatioEstimate, RoundTrip, Trial } from '../../model/report.ts';
import type { Measured, Proof, Variant } from '../../model/wire.ts';
import { outcomeOf } from '../stats/decision.ts';
import { histogram } from '../stats/histogram.ts';
import { medianInterval } from '../stats/intervals.ts';
import { median, quantile } from '../stats/quantiles.ts';
import {
  comparisonsIn,
  errorOf,
  processesOf,
  ratioToOriginal,
  remedyKey,
  samplesOf,
  setOf,
  type TimedPart,
} from '../stats/variant-samples.ts';
import { widenedRatio, widenedTime } from '../stats/widened.ts';
import { driftBeyond, type Noise, noiseOf } from './noise.ts';
import { blockedOf, phasesOf } from './phases.ts';

export interface JudgeOptions {
  seed: number;
  /** From `describe`; null where the engine does not tell. */
  wireBytes?: number | null;
  /** Share of the time that the machine took away while it was measured. */
  lost?: number;
}

export interface Judgement {
  /** Null when the original could not be timed. */
  measurement: Measurement | null;
  /** One for each proof, in their order. */
  trials: Trial[];
  /** How quiet the machine was; null when the floor was not timed often enough to tell. */
  noise: Noise | null;
  /** Share by which intervals of times were widened beyond what the samples themselves say. */
  widened: number;
}

/**
 * What the samples of all processes say: the original in numbers, and each remedy against it. Memory is measured in
 * runs of its own: see `withMemory`.
 */
export function judge(
  results: readonly Measured[],
  variants: readonly Variant[],
  proofs: readonly Proof[],
  options: JudgeOptions,
): Judgement {
  const noise = noiseOf(samplesOf(results, idOf(variants, 'floor')));
  const lost = options.lost ?? 0;
  const table: Timings = {
    results,
    variants,
    original: idOf(variants, 'original'),
    comparisons: comparisonsIn(variants),
    options,
    lost,
    widened: lost + driftBeyond(noise),
  };
  return {
    measurement: measurementOf(table),
    trials: proofs.map((proof) => trialOf(table, proof)),
    noise,
    widened: table.widened,
  };
}

interface Timings {
  results: readonly Measured[];
  variants: readonly Variant[];
  original: string;
  comparisons: number;
  options: JudgeOptions;
  /** Shares by which intervals of ratios, and of times, are widened. */
  lost: number;
  widened: number;
}

const idOf = (variants: readonly Variant[], mode: Variant['mode']): string =>
  variants.find((one) => one.mode === mode)?.id ?? mode;

function measurementOf(table: Timings): Measurement | null {
  const { results, original, options } = table;
  const roundTrip = roundTripOf(table);
  if (roundTrip === null) return null;
  const floor = idOf(table.variants, 'floor');
  const legOf = (variant: string, leg: TimedPart): Estimate | null =>
    widenedTime(medianInterval(samplesOf(results, variant, leg), options.seed), table.widened);
  const times = {
    roundTrip,
    send: legOf(original, 'send') ?? { median: 0, ci: [0, 0] },
    receive: legOf(original, 'receive'),
    floor: {
      roundTrip: legOf(floor, 'roundTrip')?.median ?? 0,
      send: legOf(floor, 'send')?.median ?? 0,
      receive: legOf(floor, 'receive')?.median ?? null,
    },
  };
  const allOf = (leg: TimedPart): number[] =>
    samplesOf(results, original, leg).flat().filter(Number.isFinite);
  return {
    ...times,
    cold: { roundTrip: coldOf(results, original) },
    phases: phasesOf(times),
    blocked: blockedOf(allOf('send'), allOf('receive')),
    wireBytes: options.wireBytes ?? null,
    peakMemory: null,
    gc: collectionsOf(results),
  };
}

function roundTripOf({ results, original, options, widened }: Timings): RoundTrip | null {
  const samples = samplesOf(results, original);
  const estimate = widenedTime(medianInterval(samples, options.seed), widened);
  if (estimate === null) return null;
  const all = samples.flat().filter(Number.isFinite);
  const shape = histogram(all);
  return {
    ...estimate,
    p95: quantile(all, 0.95),
    p99: quantile(all, 0.99),
    samples: all.length,
    processes: processesOf(samples),
    ...(shape === undefined ? {} : { histogram: shape }),
  };
}

/** Median over the processes in which the original came first; the first warm message where it never did. */
function coldOf(results: readonly Measured[], original: string): number {
  const sets = results.flatMap((result) => setOf(result, original) ?? []);
  const colds = sets.flatMap((set) => (set.cold === null ? [] : [set.cold]));
  return median(colds.length > 0 ? colds : sets.flatMap((set) => set.roundTrip.slice(0, 1)));
}

/** Counts add up; the share of time is the mean over processes, whose slices are alike. */
function collectionsOf(results: readonly Measured[]): Measurement['gc'] {
  const told = results.flatMap((result) => result.gc ?? []);
  if (told.length === 0) return null;
  return {
    count: told.reduce((sum, gc) => sum + gc.count, 0),
    share: told.reduce((sum, gc) => sum + gc.share, 0) / told.length,
  };
}

function trialOf(table: Timings, proof: Proof): Trial {
  const head = { remedy: proof.remedy, path: proof.plan.path, plan: proof.plan, losses: proof.losses };
  if (proof.equality === 'failed' || proof.equality === 'refused') {
    return { ...head, equality: 'failed', ...REFUSED, reason: proof.reason ?? proof.equality };
  }
  const withConversion = ratioOf(table, proof, 'with-conversion');
  const inPlace = ratioOf(table, proof, 'in-place');
  const error = failureOf(table, proof);
  if (error !== null && withConversion === null && inPlace === null) {
    return { ...head, equality: proof.equality, ...REFUSED, reason: error };
  }
  return {
    ...head,
    equality: proof.equality,
    withConversion,
    inPlace,
    peakMemory: null,
    outcome: outcomeOf(withConversion),
    outcomeInPlace: outcomeOf(inPlace),
    ...(error === null ? {} : { reason: error }),
  };
}

const REFUSED = {
  withConversion: null,
  inPlace: null,
  peakMemory: null,
  outcome: 'refused',
  outcomeInPlace: 'refused',
} as const;

const modesOf = (table: Timings, proof: Proof): Variant[] =>
  table.variants.filter((one) => one.remedy !== null && remedyKey(one) === remedyKey(proof));

function ratioOf(table: Timings, proof: Proof, mode: Variant['mode']): RatioEstimate | null {
  const variant = modesOf(table, proof).find((one) => one.mode === mode);
  if (variant === undefined) return null;
  const { results, original, options, comparisons, lost } = table;
  return widenedRatio(ratioToOriginal(results, original, variant.id, options.seed, comparisons), lost);
}

/** Why a remedy that was proved on one value could not be timed: the engine refused it, or it threw later. */
function failureOf(table: Timings, proof: Proof): string | null {
  for (const variant of modesOf(table, proof)) {
    const error = errorOf(table.results, variant.id);
    if (error !== null) return error;
  }
  return null;
}

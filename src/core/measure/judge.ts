import type { Measurement, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Trial, TrialOutcome } from '../../model/documents/trial.ts';
import type { Measured, Proof, Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { cannotBeFaster, decide, outcomeOf } from '../stats/decision.ts';
import { histogram } from '../stats/histogram.ts';
import { MAX_LOOKS, widened } from '../stats/intervals.ts';
import {
  comparedIn,
  errorOf,
  FLOOR,
  ORIGINAL,
  ratioToOriginal,
  remedyKey,
  samplesOf,
} from '../stats/variant-samples.ts';
import { measurementOf, type Timings } from './measurement.ts';
import { driftBeyond, type Noise, noiseOf } from './noise.ts';

interface JudgeOptions {
  seed: number;
  /** From `describe`; null where the engine's serializer does not give it. */
  wireBytes?: number | null;
  /** Share of the time lost to CPU contention while measuring. */
  lost?: number;
  /** Ids of the candidates that left the race. */
  dropped?: readonly string[];
  /** As the last step of sampling returned it. */
  looks?: number;
}

export interface Judgement {
  /** Null when the original could not be timed. */
  measurement: Measurement | null;
  /** One for each proof, in their order. */
  trials: Trial[];
  /** Null when the floor was not timed often enough. */
  noise: Noise | null;
  /** Share by which intervals of times were widened beyond what follows from the samples. */
  widened: number;
}

/**
 * Results of the samples of all processes: times of the original, and each remedy against it. Memory is measured in
 * separate runs: see `withMemory`.
 */
export function judge(
  results: readonly Measured[],
  variants: readonly Variant[],
  proofs: readonly Proof[],
  { seed, wireBytes = null, lost = 0, dropped = [], looks = MAX_LOOKS }: JudgeOptions,
): Judgement {
  const noise = noiseOf(samplesOf(results, FLOOR.id));
  const widened = lost + driftBeyond(noise);
  const timings = { results, variants, seed, looks, compared: comparedIn(variants), dropped, lost, widened };
  return {
    measurement: measurementOf(timings, wireBytes),
    trials: proofs.map((proof) => trialOf(timings, proof)),
    noise,
    widened,
  };
}

/** A proven remedy against the original. */
function trialOf(timings: Timings, proof: Proof): Trial {
  const { remedy, plan, losses, equality } = proof;
  const head = { remedy, path: plan.path, plan, losses };
  if (equality === 'failed' || equality === 'refused') {
    return { ...head, equality: 'failed', ...REFUSED, reason: proof.reason ?? equality };
  }
  const variants = timings.variants.filter(
    (one) => one.remedy !== null && remedyKey(one) === remedyKey(proof),
  );
  const withConversion = ratioOf(timings, variants, 'with-conversion');
  const inPlace = ratioOf(timings, variants, 'in-place');
  const error = firstFailure(timings, variants);
  if (error !== null && withConversion === null && inPlace === null) {
    return { ...head, equality, ...REFUSED, reason: error };
  }
  const outcome = outcomeInRace(timings, variants, withConversion, equality);
  const bins = outcome === 'faster' ? histogramOf(timings, variants) : undefined;
  return {
    ...head,
    equality,
    withConversion,
    inPlace,
    peakMemory: null,
    outcome,
    outcomeInPlace: outcomeOf(inPlace),
    ...(bins === undefined ? {} : { histogram: bins }),
    ...(error === null ? {} : { reason: error }),
  };
}

/**
 * A candidate that left the race is slower or no different, where that is proven; else it was dropped for a better one.
 * An interval that says neither leaves it open.
 */
function outcomeInRace(
  { dropped }: Timings,
  variants: readonly Variant[],
  ratio: RatioEstimate | null,
  equality: Trial['equality'],
): TrialOutcome {
  const outcome = outcomeOf(ratio);
  if (!variants.some(({ id }) => dropped.includes(id)) || outcome === 'slower') return outcome;
  if (decide(ratio) === 'same' || equality === 'lossy') return outcome;
  return carries(ratio, 'size') || cannotBeFaster(ratio) ? 'dropped' : outcome;
}

function histogramOf({ results }: Timings, variants: readonly Variant[]): Trial['histogram'] {
  const variant = variants.find(({ mode }) => mode === 'with-conversion');
  return variant && histogram(samplesOf(results, variant.id).flat().filter(Number.isFinite));
}

const REFUSED = {
  withConversion: null,
  inPlace: null,
  peakMemory: null,
  outcome: 'refused',
  outcomeInPlace: 'refused',
} as const;

/** Dropped candidates were compared beside all others, the rest beside those that are left. */
function ratioOf(
  { results, seed, looks, compared, dropped, lost }: Timings,
  variants: readonly Variant[],
  mode: Variant['mode'],
): RatioEstimate | null {
  const variant = variants.find((one) => one.mode === mode);
  if (variant === undefined) return null;
  const beside = compared.filter(({ id }) => dropped.includes(variant.id) || !dropped.includes(id));
  const comparisons = mode === 'in-place' && !compared.includes(variant) ? 1 : beside.length;
  return widened(ratioToOriginal(results, ORIGINAL.id, variant.id, seed, comparisons, looks), lost);
}

/** Why a proven remedy could not be timed: the engine refused its message, or it threw for another value. */
const firstFailure = ({ results }: Timings, variants: readonly Variant[]): string | null =>
  variants.map(({ id }) => errorOf(results, id)).find((error) => error !== null) ?? null;

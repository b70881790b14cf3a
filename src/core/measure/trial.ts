import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { TrialOutcome } from '../../model/vocabulary/trial.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { cannotBeFaster, decide, outcomeOf } from '../stats/decision.ts';
import { histogram } from '../stats/histogram.ts';
import { errorOf, ratioToOriginal, remedyKey, samplesOf } from '../stats/variant-samples.ts';
import { widened } from '../stats/widened.ts';
import type { Timings } from './timings.ts';
import { ORIGINAL } from './variant.ts';

/** A proven remedy against the original. */
export function trialOf(timings: Timings, proof: Proof): Trial {
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

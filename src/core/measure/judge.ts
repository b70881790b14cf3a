import type { Measurement, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Trial, TrialOutcome } from '../../model/documents/trial.ts';
import type { Channel } from '../../model/names.ts';
import type { Measured, Proof, Variant } from '../../model/wire/wire.ts';
import { carries } from '../evidence.ts';
import { cannotBeFaster, decide, judgeRatio } from '../stats/decision.ts';
import { histogram } from '../stats/histogram.ts';
import { MAX_LOOKS, widened } from '../stats/intervals.ts';
import { median } from '../stats/quantiles.ts';
import {
  comparedIn,
  FLOOR,
  findError,
  findSamples,
  ORIGINAL,
  ratioToOriginal,
  remedyKey,
} from '../stats/variant-samples.ts';
import { type Timings, toMeasurement } from './measurement.ts';
import { detectNoise, driftBeyond, type Noise } from './noise.ts';

interface JudgeOptions extends Partial<Pick<Timings, 'lost' | 'dropped' | 'looks'>> {
  seed: number;
  /** From `describe`; null where the engine's serializer does not give it. */
  wireBytes?: number | null;
  /** Absent: one with a receiver in another thread. */
  channel?: Channel;
}

export interface Judgement {
  /** Null when the original could not be timed. */
  measurement: Measurement | null;
  trials: Trial[];
  /** Of the payload over another channel; null where that was not timed. */
  otherChannel: RatioEstimate | null;
  /** Of a payload that was built when its thread had received one. */
  afterReceiving: RatioEstimate | null;
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
  { seed, wireBytes = null, channel = 'worker', lost = 0, dropped = [], looks = MAX_LOOKS }: JudgeOptions,
): Judgement {
  const noise = detectNoise(findSamples(results, FLOOR.id));
  const share = lost + driftBeyond(noise);
  const compared = comparedIn(variants);
  const timings = { results, variants, seed, looks, channel, compared, dropped, lost, widened: share };
  return {
    measurement: toMeasurement(timings, wireBytes),
    trials: proofs.map((proof) => toTrial(timings, proof)),
    otherChannel: ratioToSame(timings, variants, 'other-channel'),
    afterReceiving: ratioToSame(timings, variants, 'after-receiving'),
    noise,
    widened: share,
  };
}

function toTrial(timings: Timings, proof: Proof): Trial {
  const { remedy, plan, losses, equality, fileBytes } = proof;
  const head = { remedy, path: plan.path, plan, losses, ...(fileBytes !== undefined && { fileBytes }) };
  if (equality === 'failed' || equality === 'refused') {
    return { ...head, equality: 'failed', ...REFUSED, reason: proof.reason ?? equality };
  }
  const key = remedyKey(proof);
  const variants = timings.variants.filter((one) => one.remedy !== null && remedyKey(one) === key);
  const withConversion = ratioToSame(timings, variants, 'with-conversion');
  const inPlace = ratioToSame(timings, variants, 'in-place');
  // Why it could not be timed: the engine refused its message, or it threw for another value.
  const error =
    variants.map(({ id }) => findError(timings.results, id)).find((reason) => reason !== null) ?? null;
  if (error !== null && withConversion === null && inPlace === null) {
    return { ...head, equality, ...REFUSED, reason: error };
  }
  const outcome = outcomeInRace(timings, variants, withConversion, equality);
  const converted = variants.find(({ mode }) => mode === 'with-conversion');
  const shown = outcome === 'faster' ? converted : undefined;
  const puts = timings.channel === 'indexeddb' && converted ? sendsOf(timings, converted) : [];
  const bins = shown && histogram(findSamples(timings.results, shown.id).flat().filter(Number.isFinite));
  return {
    ...head,
    equality,
    withConversion,
    inPlace,
    peakMemory: null,
    outcome,
    outcomeInPlace: judgeRatio(inPlace),
    ...(bins === undefined ? {} : { histogram: bins }),
    ...(puts.length > 0 && { blocksNs: median(puts) }),
    ...(error === null ? {} : { reason: error }),
  };
}

const sendsOf = ({ results }: Timings, { id }: Variant): number[] =>
  findSamples(results, id, 'send').flat().filter(Number.isFinite);

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
  const outcome = judgeRatio(ratio);
  if (!variants.some(({ id }) => dropped.includes(id)) || outcome === 'slower') return outcome;
  if (decide(ratio) === 'same' || equality === 'lossy') return outcome;
  return carries(ratio, 'size') || cannotBeFaster(ratio) ? 'dropped' : outcome;
}

const REFUSED = {
  withConversion: null,
  inPlace: null,
  peakMemory: null,
  outcome: 'refused',
  outcomeInPlace: 'refused',
} as const;

/** Dropped candidates were compared beside all others, the rest beside those that are left. */
function ratioToSame(
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

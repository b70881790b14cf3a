import type { Measurement } from '../../model/documents/measurement.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { Measured, Proof, Variant } from '../../model/wire/wire.ts';
import { MAX_LOOKS } from '../stats/intervals.ts';
import { comparedIn, samplesOf } from '../stats/variant-samples.ts';
import { measurementOf } from './measurement.ts';
import { driftBeyond, type Noise, noiseOf } from './noise.ts';
import { trialOf } from './trial.ts';
import { FLOOR } from './variant.ts';

export interface JudgeOptions {
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

import type { Measured, Variant } from '../../model/wire/wire.ts';
import { median } from '../stats/quantiles.ts';
import { processesOf, samplesOf } from '../stats/variant-samples.ts';

/**
 * Turns of the original in each round. It takes part in every comparison, so that sqrt(k) times as many messages of it as
 * of each of k candidates give the narrowest intervals (Dunnett 1955). One where the slice has no room for more.
 */
export function turnsOfOriginal(
  results: readonly Measured[],
  original: string,
  candidates: number,
  sliceMs: number,
  guessMs = 0,
): number {
  const turns = Math.max(1, Math.round(Math.sqrt(candidates)));
  return (turns + candidates) * (tripMs(results, original) ?? guessMs) <= sliceMs ? turns : 1;
}

/**
 * As many candidates as fit one round into the slice beside the original, those with the fewest processes first. A payload
 * that takes a second per message cannot be timed in ten variants within five seconds; the others stay unsure.
 *
 * @param guessMs one round trip, while none was measured
 */
export function fittingVariants(
  results: readonly Measured[],
  original: string,
  candidates: readonly Variant[],
  sliceMs: number,
  guessMs = 0,
): Variant[] {
  const usual = tripMs(results, original) ?? guessMs;
  // In place is a bonus: it never takes the turn of a comparison that decides.
  const turns = (one: Variant): number =>
    one.mode === 'in-place' ? Number.MAX_SAFE_INTEGER : processesOf(samplesOf(results, one.id));
  let room = sliceMs - usual;
  const chosen = new Set<Variant>();
  for (const one of [...candidates].sort((a, b) => turns(a) - turns(b))) {
    room -= tripMs(results, one.id) ?? usual;
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  return candidates.filter((one) => chosen.has(one));
}

/** Median round trip of a variant, ms; null where it was not timed. */
export function tripMs(results: readonly Measured[], variant: string): number | null {
  const medians = samplesOf(results, variant)
    .filter((samples) => samples.length > 0)
    .map(median);
  return medians.length === 0 ? null : median(medians) / 1e6;
}

import type { RatioEstimate } from '../../model/report.ts';
import type { Measured, SampleSet, Variant } from '../../model/wire.ts';
import { ratioInterval, type Samples } from './intervals.ts';

export type TimedPart = 'roundTrip' | 'send' | 'receive';

/** The set of a variant in one process; a set with an error has no times that count. */
export function setOf(result: Measured, variant: string): SampleSet | null {
  const found = result.sets.find((set) => set.variant === variant);
  return found && found.error === null ? found : null;
}

/** One list a process, in the order of `results`; empty where the variant did not run or failed. */
export function samplesOf(
  results: readonly Measured[],
  variant: string,
  leg: TimedPart = 'roundTrip',
): Samples {
  return results.map((result) => setOf(result, variant)?.[leg] ?? []);
}

export const processesOf = (samples: Samples): number => samples.filter((list) => list.length > 0).length;

/** First error that a variant met, null when it never failed. */
export function errorOf(results: readonly Measured[], variant: string): string | null {
  for (const result of results) {
    const error = result.sets.find((set) => set.variant === variant)?.error;
    if (error) return error;
  }
  return null;
}

/** What belongs to one remedy and plan, whichever its mode. */
export function remedyKey(of: { remedy: string | null; plan: unknown }): string {
  return `${of.remedy} ${JSON.stringify(of.plan)}`;
}

/** Is it compared with the original? */
export const isCandidate = ({ mode }: Variant): boolean => mode === 'in-place' || mode === 'with-conversion';

/** How many comparisons with the original one run makes: their intervals are to hold all at once. */
export function comparisonsIn(variants: readonly Variant[]): number {
  return variants.filter(isCandidate).length;
}

/** A variant against the original, both from the same processes and rounds. */
export function ratioToOriginal(
  results: readonly Measured[],
  original: string,
  variant: string,
  seed: number,
  comparisons: number,
): RatioEstimate | null {
  return ratioInterval(samplesOf(results, variant), samplesOf(results, original), seed, comparisons);
}

import type { RatioEstimate } from '../../model/report.ts';
import type { Contestant, Measured, SampleSet } from '../../model/wire.ts';
import { ratioInterval, type Samples } from './intervals.ts';

export type Leg = 'roundTrip' | 'send' | 'receive';

/** The set of a contestant in one process; a set with an error has no times that count. */
export function setOf(result: Measured, contestant: string): SampleSet | null {
  const found = result.sets.find((set) => set.contestant === contestant);
  return found && found.error === null ? found : null;
}

/** One list a process, in the order of `results`; empty where the contestant did not run or failed. */
export function samplesOf(results: readonly Measured[], contestant: string, leg: Leg = 'roundTrip'): Samples {
  return results.map((result) => setOf(result, contestant)?.[leg] ?? []);
}

export const processesOf = (samples: Samples): number => samples.filter((list) => list.length > 0).length;

/** First error that a contestant met, null when it never failed. */
export function errorOf(results: readonly Measured[], contestant: string): string | null {
  for (const result of results) {
    const error = result.sets.find((set) => set.contestant === contestant)?.error;
    if (error) return error;
  }
  return null;
}

/** What belongs to one remedy and plan, whichever its mode. */
export function remedyKey(of: { remedy: string | null; plan: unknown }): string {
  return `${of.remedy} ${JSON.stringify(of.plan)}`;
}

/** Is it compared with the original? */
export const isCandidate = ({ mode }: Contestant): boolean =>
  mode === 'in-place' || mode === 'with-conversion';

/** How many comparisons with the original one run makes: their intervals are to hold all at once. */
export function comparisonsIn(contestants: readonly Contestant[]): number {
  return contestants.filter(isCandidate).length;
}

/** A contestant against the original, both from the same processes and rounds. */
export function ratioToOriginal(
  results: readonly Measured[],
  original: string,
  contestant: string,
  seed: number,
  comparisons: number,
): RatioEstimate | null {
  return ratioInterval(samplesOf(results, contestant), samplesOf(results, original), seed, comparisons);
}

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Measured, SampleSet, Variant } from '../../model/wire/wire.ts';
import { ratioInterval, type Samples } from './intervals.ts';

/** The round trip of an empty message: no rewrite can be faster. */
export const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };

/** The payload without any rewrite. */
export const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

/** The payload, built when its thread has received one. */
export const AFTER_RECEIVING: Variant = {
  ...{ id: 'after-receiving', remedy: null, plan: null },
  mode: 'after-receiving',
};

export type TimedPart = 'roundTrip' | 'send' | 'receive' | 'written' | 'result';

/** The samples of a variant in one process; null when it did not run or failed. */
export function findSet(result: Measured, variant: string): SampleSet | null {
  const found = result.sets.find((set) => set.variant === variant);
  return found && found.error === null ? found : null;
}

/** One list per process, in the order of `results`; empty where the variant did not run or failed. */
export function findSamples(
  results: readonly Measured[],
  variant: string,
  part: TimedPart = 'roundTrip',
): Samples {
  return results.map((result) => findSet(result, variant)?.[part] ?? []);
}

export const countProcesses = (samples: Samples): number => samples.filter((list) => list.length > 0).length;

/** First error of a variant; null when it never failed. */
export function findError(results: readonly Measured[], variant: string): string | null {
  const sets = results.flatMap((result) => result.sets.find((set) => set.variant === variant) ?? []);
  return sets.find(({ error }) => error)?.error ?? null;
}

/** The same key for all modes of one remedy and plan. */
export const remedyKey = ({ remedy, plan }: { remedy: string | null; plan: unknown }): string =>
  `${remedy} ${JSON.stringify(plan)}`;

const CANDIDATES: readonly Variant['mode'][] = [
  ...(['in-place', 'with-conversion', 'other-channel', 'after-receiving'] as const),
];

export const isCandidate = ({ mode }: Variant): boolean => CANDIDATES.includes(mode);

/**
 * The candidates whose comparison counts: each remedy with conversion, another channel, and later builds. In place it is timed only where it won, so that
 * this is no further chance to win.
 */
export function comparedIn(variants: readonly Variant[]): Variant[] {
  const converted = new Set(variants.filter(({ mode }) => mode === 'with-conversion').map(remedyKey));
  return variants.filter(
    (one) => isCandidate(one) && (one.mode === 'with-conversion' || !converted.has(remedyKey(one))),
  );
}

/**
 * A variant against the original, from the same processes and rounds: the part of a process in which the variant took
 * part, when it got no further turns after so many.
 */
export function ratioToOriginal(
  results: readonly Measured[],
  original: string,
  variant: string,
  seed: number,
  comparisons: number,
  looks?: number,
): RatioEstimate | null {
  const samples = findSamples(results, variant);
  const base = findSamples(results, original).map((all, process) => {
    const [turns, { rounds }] = [samples[process]!.length, results[process]!];
    return turns >= rounds ? all : all.slice(0, Math.ceil((all.length * turns) / rounds));
  });
  return ratioInterval(samples, base, seed, comparisons, looks);
}

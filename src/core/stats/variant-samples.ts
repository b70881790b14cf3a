import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Measured, SampleSet, Variant } from '../../model/wire/wire.ts';
import { ratioInterval, type Samples } from './intervals.ts';
import { median } from './quantiles.ts';

/** The round trip of an empty message: no rewrite can be faster. */
export const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };

/** The payload without any rewrite. */
export const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

/** The payload, built after its thread has received a payload. */
export const AFTER_RECEIVING: Variant = {
  ...{ id: 'after-receiving', remedy: null, plan: null },
  mode: 'after-receiving',
};

export type TimedPart = 'roundTrip' | 'send' | 'receive' | 'written' | 'result' | 'onCore';

/** Samples of a variant in one process; null if it did not run or failed. */
export function findSet(result: Measured, variant: string): SampleSet | null {
  const found = result.sets.find((set) => set.variant === variant);
  return found && found.error === null ? found : null;
}

/** Samples of a variant: one list per process, in the order of `results`; [] if the variant did not run or failed. */
export function findSamples(
  results: readonly Measured[],
  variant: string,
  part: TimedPart = 'roundTrip',
): Samples {
  return results.map((result) => findSet(result, variant)?.[part] ?? []);
}

export const countProcesses = (samples: Samples): number => samples.filter((list) => list.length > 0).length;

/** First error of a variant; null if it never failed. */
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
 * Candidates whose comparison counts: each remedy with conversion, a different channel, and later builds. A rewrite in
 * place is timed only if it won with conversion, so it does not count as a further chance to win.
 */
export function comparedIn(variants: readonly Variant[]): Variant[] {
  const converted = new Set(variants.filter(({ mode }) => mode === 'with-conversion').map(remedyKey));
  return variants.filter(
    (one) => isCandidate(one) && (one.mode === 'with-conversion' || !converted.has(remedyKey(one))),
  );
}

/** Maximum share of a round trip that a thread waits for a core on a quiet machine. */
const WAITED = 0.1;
/** Share of the round trips that each thread waited for a core, median of the processes; null if unknown. */
export function waitedShare(results: readonly Measured[]): number | null {
  const shares = results.flatMap(({ waited }) => waited ?? []);
  return shares.length === 0 || shares.length < results.length ? null : median(shares);
}

/** True if other programs take the cores, which lengthens round trips by chance: then the time on cores decides. */
export const isContended = (waited: number | null): boolean => waited !== null && waited > WAITED;

/**
 * Ratio of a variant to the original, from the same processes and rounds. If the variant got no further turns at some
 * point, only the earlier part of a process counts. Uses the time on cores if the machine was busy.
 */
export function ratioToOriginal(
  results: readonly Measured[],
  original: string,
  variant: string,
  seed: number,
  comparisons: number,
  looks?: number,
): RatioEstimate | null {
  const part = isContended(waitedShare(results)) ? 'onCore' : 'roundTrip';
  const samples = findSamples(results, variant, part);
  const base = findSamples(results, original, part).map((all, process) => {
    const [turns, { rounds }] = [samples[process]!.length, results[process]!];
    return turns >= rounds ? all : all.slice(0, Math.ceil((all.length * turns) / rounds));
  });
  return ratioInterval(samples, base, seed, comparisons, looks);
}

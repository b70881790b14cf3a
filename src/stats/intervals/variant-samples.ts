import type { Estimate, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Measured, SampleSet, Variant } from '../../model/wire/wire.ts';
import { median, medianInterval, ratioInterval, type Samples } from './intervals.ts';

/** The round trip of an empty message: no rewrite can be faster. */
export const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };

export const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

/** The payload, built after its thread has received a payload. */
export const AFTER_RECEIVING: Variant = {
  ...{ id: 'after-receiving', remedy: null, plan: null },
  mode: 'after-receiving',
};

export type TimedPart = 'roundTrip' | 'send' | 'receive' | 'written' | 'result' | 'onCore';

/** Maximum share of a round trip that a thread waits for a core on a quiet machine. */
const WAITED = 0.1;

/** True if other programs take the cores, which lengthens round trips by chance: then the time on cores decides. */
export const isContended = (waited: number | null): boolean => waited !== null && waited > WAITED;

/** Samples of the variants of a run: of each, one list per process. They do not change; a further process is a new run. */
export class RunSamples {
  readonly results: readonly Measured[];
  readonly #seed: number;
  readonly #looks: number | undefined;

  /** @param looks see `ratioInterval` */
  constructor(results: readonly Measured[], seed: number, looks?: number) {
    this.results = results;
    this.#seed = seed;
    this.#looks = looks;
  }

  /** Processes in which it did not run or failed are left out. */
  sets(id: string): SampleSet[] {
    return this.results.flatMap((result) => setIn(result, id) ?? []);
  }

  /** An empty list for a process where the variant did not run or failed. */
  of(id: string, part: TimedPart = 'roundTrip'): Samples {
    return this.results.map((result) => setIn(result, id)?.[part] ?? []);
  }

  all(id: string, part?: TimedPart): number[] {
    return this.of(id, part).flat().filter(Number.isFinite);
  }

  processes(id: string): number {
    return this.of(id).filter((list) => list.length > 0).length;
  }

  error(id: string): string | null {
    const sets = this.results.flatMap(({ sets }) => sets.find(({ variant }) => variant === id) ?? []);
    return sets.find(({ error }) => error)?.error ?? null;
  }

  time(id: string, part?: TimedPart): Estimate | null {
    return medianInterval(this.of(id, part), this.#seed);
  }

  /** Median round trip, ms; null if the variant was not timed. */
  tripMs(id: string): number | null {
    const medians = this.of(id)
      .filter((list) => list.length > 0)
      .map(median);
    return medians.length === 0 ? null : median(medians) / 1e6;
  }

  /** Share of the round trips that each thread waited for a core, median of the processes; null if unknown. */
  get waited(): number | null {
    const shares = this.results.flatMap(({ waited }) => waited ?? []);
    return shares.length === 0 || shares.length < this.results.length ? null : median(shares);
  }

  /** Compares the same processes, while both had turns. On a busy machine, it compares the time on cores. */
  ratio(id: string, to: string, comparisons: number): RatioEstimate | null {
    const part = isContended(this.waited) ? 'onCore' : 'roundTrip';
    const samples = this.of(id, part);
    const base = this.of(to, part).map((all, process) => {
      const [turns, { rounds }] = [samples[process]!.length, this.results[process]!];
      return turns >= rounds ? all : all.slice(0, Math.ceil((all.length * turns) / rounds));
    });
    return ratioInterval(samples, base, this.#seed, comparisons, this.#looks);
  }
}

function setIn({ sets }: Measured, id: string): SampleSet | null {
  const found = sets.find(({ variant }) => variant === id);
  return found && found.error === null ? found : null;
}

export const remedyKey = ({ remedy, plan }: { remedy: string | null; plan: unknown }): string =>
  `${remedy} ${JSON.stringify(plan)}`;

export const isCandidate = ({ mode }: Variant): boolean => !['floor', 'original', 'without'].includes(mode);

/** A rewrite in place is timed only if it won with conversion, so it is not a further chance to win. */
export function comparedIn(variants: readonly Variant[]): Variant[] {
  const converted = new Set(variants.filter(({ mode }) => mode === 'with-conversion').map(remedyKey));
  return variants.filter(
    (one) => isCandidate(one) && (one.mode === 'with-conversion' || !converted.has(remedyKey(one))),
  );
}

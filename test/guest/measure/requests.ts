import { fileURLToPath } from 'node:url';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Measured, RequestOf, SampleSet, Variant } from '../../../src/model/wire/wire.ts';
import { FLOOR, ORIGINAL } from '../../../src/stats/intervals/variant-samples.ts';

export { FLOOR, ORIGINAL };

/** A remedy for the whole payload, in both modes. */
export function bothModes(remedy: string, plan: Record<string, unknown> = { paths: ['$'] }): Variant[] {
  return (['in-place', 'with-conversion'] as const).map((mode) => ({
    id: `${remedy}/${mode}`,
    remedy,
    plan: { path: '$', ...plan },
    mode,
  }));
}

type MeasureRequest = RequestOf<'measure'>;

/** Of each variant, unless a request says otherwise. */
export const ROUNDS = 12;

/** Rounds, and not time, end the measuring: the result has as many on a busy machine. */
export function measureRequest(recipe: Recipe, options: Partial<MeasureRequest> = {}): MeasureRequest {
  return {
    type: 'measure',
    recipe,
    channel: 'worker',
    variants: [FLOOR, ORIGINAL],
    sliceMs: 120_000,
    warmupMs: 1,
    minRounds: 5,
    maxRounds: ROUNDS,
    seed: 2,
    ...options,
  };
}

const SPECIMENS = fileURLToPath(new URL('../../support/specimens.mjs', import.meta.url));

/** A payload that `test/support/specimens.mjs` makes anew each time. */
export function specimen(name: 'rows' | 'flat'): Recipe {
  const build = { form: 'module', file: SPECIMENS, original: name, export: name, generated: true } as const;
  return { id: name, source: { file: name, export: null }, build };
}

export function samplesOf(measured: Measured, id: string): SampleSet {
  const set = measured.sets.find(({ variant }) => variant === id);
  if (!set) throw new Error(`no samples of ${id}`);
  return set;
}

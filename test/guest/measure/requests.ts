import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/recipe.ts';
import type { GuestRequest, Measured, SampleSet, Variant } from '../../../src/model/wire.ts';

export const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };
export const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

/** A remedy for the whole payload, in both modes. */
export function both(remedy: string, plan: Record<string, unknown> = { paths: ['$'] }): Variant[] {
  return (['in-place', 'with-conversion'] as const).map((mode) => ({
    id: `${remedy}/${mode}`,
    remedy,
    plan: { path: '$', ...plan },
    mode,
  }));
}

export interface Wishes {
  channel?: Channel;
  variants?: Variant[];
  sliceMs?: number;
  minRounds?: number;
  maxRounds?: number;
  seed?: number;
}

type MeasureAsk = Extract<GuestRequest, { type: 'measure' }>;

export function measureOf(recipe: Recipe, wishes: Wishes = {}): MeasureAsk {
  return {
    type: 'measure',
    recipe,
    channel: 'worker',
    variants: [FLOOR, ORIGINAL],
    sliceMs: 60,
    warmupMs: 20,
    minRounds: 5,
    maxRounds: 200,
    seed: 2,
    ...wishes,
  };
}

export function specimen(name: string): Recipe {
  return { id: name, source: { file: name, export: null }, build: { form: 'specimen', name } };
}

export function setOf(measured: Measured, id: string): SampleSet {
  const set = measured.sets.find(({ variant }) => variant === id);
  if (!set) throw new Error(`no samples of ${id}`);
  return set;
}

/** The lower quartile: a busy machine only ever adds. */
export function typical(samples: readonly number[]): number {
  if (samples.length === 0) throw new Error('no samples');
  return [...samples].sort((a, b) => a - b)[samples.length >> 2] as number;
}

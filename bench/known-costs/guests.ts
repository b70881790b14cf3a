/** Guests for the known costs: payload modules measured in real runtimes, without the host's sampling. */

import type { Recipe } from '../../src/model/report/recipe.ts';
import type { FoundRuntime, Guest } from '../../src/model/run/runtime.ts';
import type { Measured, RequestOf, SampleSet, Variant } from '../../src/model/wire/wire.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { FLOOR, ORIGINAL } from '../../src/stats/intervals/variant-samples.ts';
import { PayloadFolder } from '../../test/support/payload-folder.ts';
import { runtime as cached } from '../../test/support/runtimes.ts';

export const folder = new PayloadFolder();

export function runtimeOf(spec: string): Promise<FoundRuntime> {
  return spec === 'node'
    ? Promise.resolve(cached('node'))
    : provision(spec, { onNote: (note) => console.error(note) });
}

/** One request to a fresh guest. */
export async function inGuest<T>(spec: string, ask: (guest: Guest) => Promise<T>): Promise<T> {
  const guest = await folder.startGuest(await runtimeOf(spec));
  try {
    return await ask(guest);
  } finally {
    await guest.close();
  }
}

let modules = 0;

/** The export `value` of a module of this text. */
export const payload = (text: string): Recipe => folder.module(`payload-${modules++}.mjs`, text);

type MeasureOptions = Partial<Omit<RequestOf<'measure'>, 'type' | 'recipe'>>;

export function measure(spec: string, recipe: Recipe, options: MeasureOptions = {}): Promise<Measured> {
  const limits = { sliceMs: 300, warmupMs: 50, minRounds: 5, maxRounds: 2000, seed: 2 };
  const variants = [FLOOR, ORIGINAL];
  return inGuest(spec, (guest) =>
    guest.ask({ type: 'measure', recipe, channel: 'worker', variants, ...limits, ...options }),
  );
}

export { FLOOR, ORIGINAL };

/** A remedy in both modes. */
export const bothModes = (remedy: string, plan: Record<string, unknown> = { paths: ['$'] }): Variant[] =>
  (['in-place', 'with-conversion'] as const).map((mode) => ({
    id: `${remedy}/${mode}`,
    remedy,
    plan: { path: '$', ...plan },
    mode,
  }));

/** The lower quartile, ns: other processes only add time. */
export function typical(
  measured: Measured,
  id: string,
  leg: keyof Pick<SampleSet, 'roundTrip' | 'send' | 'receive'>,
): number {
  const set = measured.sets.find(({ variant }) => variant === id);
  const samples = [...(set?.[leg] ?? [])].sort((a, b) => a - b);
  if (samples.length === 0) throw new Error(`no samples of ${id}: ${set?.error}`);
  return samples[samples.length >> 2] as number;
}

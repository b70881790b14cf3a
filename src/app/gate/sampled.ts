import type { Run } from '../../model/documents/report.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { GuestSlot } from '../guest-slot.ts';

/** Larger payloads are not kept: the baseline is read in code reviews. */
const MAX_BYTES = 64 * 1024;

/** Writes the text where guests can read it during the run; returns the path. */
export type KeepSample = (id: string, json: string) => Promise<string>;

export const canBeKept = (shape: Run['shape']): boolean =>
  shape?.jsonSafe === true && (shape.jsonBytes ?? MAX_BYTES + 1) <= MAX_BYTES;

/** The payload as JSON text; null when it is too large, or when JSON cannot express it. */
export async function sampleOf(
  recipe: Recipe,
  { shape }: Run,
  slot: GuestSlot,
  deadlineMs: number,
): Promise<string | null> {
  if (!canBeKept(shape)) return null;
  const context = { file: recipe.source.file, deadlineMs };
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'sample', recipe: plain, mostBytes: MAX_BYTES }, context)).json;
}

/** The payload kept in the baseline, in the same envelope as the current one. */
export function sampleRecipe({ id, source, via }: Recipe, file: string): Recipe {
  return { id: `${id} (baseline)`, source, build: { form: 'json', file }, via: via ?? null };
}

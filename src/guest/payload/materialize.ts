import { inEnvelope } from '../../core/recording/envelopes/envelopes.ts';
import { scaled } from '../../core/sweep/scale.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Scale } from '../../model/vocabulary/sweep.ts';
import { currentPlatform } from '../platform/current.ts';
import type { Built } from './built.ts';
import { parseJson, readText } from './files/read-file.ts';
import { moduleValue } from './module-value.ts';
import { replicaOf } from './replica.ts';
import { specimenOf } from './specimens/specimens.ts';
import { transferListOf } from './transfer-list.ts';

async function unscaled({ build: form, source: { file: name } }: Recipe): Promise<Built> {
  const { sources } = currentPlatform();
  switch (form.form) {
    case 'json':
      return { value: parseJson(await readText({ file: form.file, name }), name), how: 'parsed' };
    case 'ndjson': {
      const text = await sources.textRange({ file: form.file, name }, form.offset, form.length);
      return { value: parseJson(text, name, form.line), how: 'parsed' };
    }
    case 'text':
      return { value: await readText({ file: form.file, name }), how: 'parsed' };
    case 'bytes':
      return { value: await sources.bytes({ file: form.file, name }), how: 'parsed' };
    case 'module':
      return moduleValue(form);
    case 'specimen':
      return { value: specimenOf(form.name, form.size), how: 'built' };
    default:
      return form satisfies never;
  }
}

/** Copies class instances as such; other objects (a Date) are cloned, so that no two items share one. */
function copyOfOther(other: object): unknown {
  const replica = replicaOf(other);
  if (replica !== other) return replica;
  try {
    return structuredClone(other);
  } catch {
    // It cannot be posted either, and posting reports why.
    return other;
  }
}

/** What is not scaled is shared with the unscaled value, which nothing else uses. */
function inSize({ value }: Built, scale: Scale): Built {
  return { value: scaled(value, scale, copyOfOther), how: 'built' };
}

/**
 * Builds the user's value by its recipe, without the envelope of a library. Every call gives a value that nothing has
 * used yet, safe to post and to detach.
 *
 * @throws ToolError of the file, the module or the factory ('json-malformed', 'module-threw', 'factory-threw', ...)
 */
export async function buildPayload(recipe: Recipe): Promise<Built> {
  const original = await unscaled(recipe);
  const built = recipe.scale ? inSize(original, recipe.scale) : original;
  const list = await transferListOf(recipe);
  return list === null ? built : { ...built, transfer: list(built.value) };
}

/** The message as it is posted: the user's value, in the envelope of its library. @throws as `buildPayload` */
export async function build(recipe: Recipe): Promise<Built> {
  const built = await buildPayload(recipe);
  return recipe.via ? { ...built, value: inEnvelope(recipe.via, built.value) } : built;
}

/** The value alone; not for values that `runsCodeWhenAwaited`. */
export async function materialize(recipe: Recipe): Promise<unknown> {
  return (await build(recipe)).value;
}

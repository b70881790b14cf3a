import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { GuestRequest, Opened } from '../../model/wire.ts';
import { type LoadedModule, loadModule } from './module.ts';
import { openLines } from './ndjson.ts';

type Open = Extract<GuestRequest, { type: 'open' }>;

const isClass = (value: unknown) =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));

/** Why an export that nobody asked for by name is no payload; null when it is one. */
function passedOver(value: unknown): string | null {
  if (value === undefined) return 'is undefined';
  return isClass(value) ? 'is a class' : null;
}

function chosen(module: LoadedModule, file: string, wanted: string[] | null) {
  const all = [...module.exports.keys()];
  if (wanted) {
    const missing = wanted.find((name) => !module.exports.has(name));
    if (missing !== undefined) throw new ToolError('export-missing', { file, export: missing, names: all });
    return { names: wanted, notes: [] };
  }
  const skipped = all.flatMap((name) => {
    const reason = passedOver(module.exports.get(name));
    return reason === null ? [] : [{ name, note: `export '${name}' ${reason}, so it is passed over` }];
  });
  const names = all.filter((name) => !skipped.some((s) => s.name === name));
  if (names.length === 0) throw new ToolError('no-exports', { file });
  return { names, notes: skipped.map((s) => s.note) };
}

async function openModule(recipe: Recipe, wanted: string[] | null): Promise<Opened> {
  const form = recipe.build;
  if (form.form !== 'module') throw new ToolError('internal', { detail: `not a module: ${recipe.id}` });
  const module = await loadModule({ file: form.file, name: form.original });
  const { names, notes } = chosen(module, form.original, wanted);
  const payloads = names.map((name) => ({
    ...recipe,
    id: `${recipe.id}#${name}`,
    source: { ...recipe.source, export: name },
    build: { ...form, export: name },
  }));
  return { type: 'opened', payloads, notes };
}

/**
 * Lists the payloads behind a source: the exports of a module (not called, not awaited yet: one that never settles
 * must not hide the others), the groups of lines of an NDJSON file, or the source itself.
 *
 * @throws ToolError 'module-threw' | 'module-unsupported' | 'no-exports' | 'export-missing' | 'file-missing'
 */
export async function open({ recipe, exports: wanted }: Open): Promise<Opened> {
  switch (recipe.build.form) {
    case 'module':
      return openModule(recipe, wanted);
    case 'ndjson':
      return openLines(recipe, recipe.build.file);
    default:
      return { type: 'opened', payloads: [recipe], notes: [] };
  }
}

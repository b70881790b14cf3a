import { filter, map } from '../../core/value/lists.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Opened, RequestOf } from '../../model/wire/wire.ts';
import { openLines } from './lines/ndjson.ts';
import { type LoadedModule, loadModule, type ModuleForm } from './module.ts';
import { isTransferExport } from './transfer-list.ts';

/** Why an export that was not named by the user is not a payload; null when it is one. */
function skipReason(value: unknown): string | null {
  if (value === undefined) return 'is undefined';
  const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? 'is a class' : null;
}

function chosenExports({ exports, threw }: LoadedModule, file: string, wanted: string[] | null) {
  const all = [...exports.keys(), ...threw.keys()];
  if (wanted) {
    const missing = wanted.find((name) => !exports.has(name) && !threw.has(name));
    if (missing !== undefined) throw new ToolError('export-missing', { file, export: missing, names: all });
    return { names: wanted, notes: [] };
  }
  const isPayload = (name: string) =>
    threw.has(name) || (skipReason(exports.get(name)) === null && !isTransferExport(name, exports.get(name)));
  const names = filter(all, isPayload);
  if (names.length === 0) {
    const reasons = map(all, (name) => `${name} ${skipReason(exports.get(name)) ?? 'is a transfer list'}`);
    throw new ToolError('no-exports', { file, names: reasons });
  }
  const chosen = new Set(names);
  const skipped = filter(all, (name) => !chosen.has(name) && skipReason(exports.get(name)) !== null);
  return {
    names,
    notes: map(skipped, (name) => `export '${name}' ${skipReason(exports.get(name))}; skipped`),
  };
}

async function openModule(recipe: Recipe, form: ModuleForm, wanted: string[] | null): Promise<Opened> {
  const module = await loadModule({ file: form.file, name: form.original });
  const { names, notes } = chosenExports(module, form.original, wanted && map(wanted, cutName));
  const idOf = (name: string) => `${recipe.id}#${name}`;
  const isThrown = (name: string) => module.threw.has(name);
  const given = filter(names, (name) => !isThrown(name));
  const payloads = map(given, (name) => {
    const source = { ...recipe.source, export: name };
    return { ...recipe, id: idOf(name), source, build: { ...form, export: name } };
  });
  const failed = map(filter(names, isThrown), (name) => {
    const { code, facts } = module.threw.get(name)!;
    return { id: idOf(name), code, facts };
  });
  return { type: 'opened', payloads, notes, ...(failed.length > 0 ? { failed } : {}) };
}

/**
 * Lists the payloads of a source: the exports of a module (not called and not awaited yet: one that never settles must
 * not hide the others), the groups of lines of an NDJSON file, or the source itself.
 *
 * @throws ToolError 'module-threw' | 'module-unsupported' | 'no-exports' | 'export-missing' | 'file-missing'
 */
export async function open({ recipe, exports: wanted, worst = false }: RequestOf<'open'>): Promise<Opened> {
  switch (recipe.build.form) {
    case 'module':
      return openModule(recipe, recipe.build, wanted);
    case 'ndjson':
      return openLines(recipe, recipe.build.file, worst);
    default:
      return { type: 'opened', payloads: [recipe], notes: [] };
  }
}

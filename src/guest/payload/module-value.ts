import { ToolError } from '../../model/errors.ts';
import type { RecipeForm } from '../../model/report/recipe.ts';
import type { PayloadFile } from '../platform/common/source-reader.ts';
import { userCode } from '../user-code/user-code.ts';
import type { Built } from './built.ts';
import { type LoadedModule, loadModule, loadModuleAgain, thrownBy } from './module.ts';
import { awaited } from './thenable.ts';

type ModuleForm = Extract<RecipeForm, { form: 'module' }>;

function exportOf(module: LoadedModule, form: ModuleForm): unknown {
  if (module.exports.has(form.export)) return module.exports.get(form.export);
  const threw = module.threw.get(form.export);
  if (threw) throw threw;
  const names = [...module.exports.keys()];
  throw new ToolError('export-missing', { file: form.original, export: form.export, names });
}

async function callFactory(factory: () => unknown, module: PayloadFile, name: string): Promise<Built> {
  try {
    const { value } = await userCode(async () => awaited(factory()));
    return { value, how: 'built' };
  } catch (error) {
    throw thrownBy('factory-threw', error, module, name);
  }
}

async function exportedValue(exported: unknown, module: PayloadFile): Promise<{ value: unknown }> {
  try {
    return await userCode(() => awaited(exported));
  } catch (error) {
    throw thrownBy('module-threw', error, module);
  }
}

const mayChange = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' || typeof value === 'string';

/**
 * Live values already returned: the first caller gets the value itself, later ones a new one. Strings too: posting one
 * flattens it, so that the second caller would see another representation.
 */
const returned = new Set<string>();

/**
 * The value of an export, never the same object twice. A function is a factory.
 *
 * @throws ToolError 'module-threw' | 'factory-threw' | 'export-missing' | 'module-unsupported' | 'file-missing'
 */
export async function moduleValue(form: ModuleForm): Promise<Built> {
  const module: PayloadFile = { file: form.file, name: form.original };
  const loaded = await loadModule(module);
  const exported = exportOf(loaded, form);
  if (typeof exported === 'function') return callFactory(exported as () => unknown, module, form.export);
  const { value } = await exportedValue(exported, module);
  const key = `${form.file}\0${form.export}`;
  if (!mayChange(value) || !returned.has(key)) {
    returned.add(key);
    return { value, how: 'live' };
  }
  const again = exportOf(await loadModuleAgain(module, loaded.kind), form);
  const fresh = await exportedValue(again, module);
  if (typeof value === 'string' || fresh.value !== value)
    return { value: fresh.value, how: 'evaluated-again' };
  // Re-exported from a module that is not evaluated again. A clone has the same contents, though not the same
  // representation; a value that cannot be cloned cannot be posted either, and cloning throws what posting would.
  return { value: structuredClone(value), how: 'cloned' };
}

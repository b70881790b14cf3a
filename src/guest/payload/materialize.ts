import { inEnvelope, isLibrary } from '../../core/recording/envelopes.ts';
import { scaled } from '../../core/sweep/scale.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe, RecipeForm } from '../../model/recipe.ts';
import type { Scale } from '../../model/sweep.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { userCode } from '../user-code/user-code.ts';
import { type LoadedModule, loadModule, loadModuleAgain, type ModuleFile, thrownBy } from './module.ts';
import { parseJson, readBytes, readRange, readText } from './read-file.ts';
import { replicaOf } from './replica.ts';
import { specimenOf } from './specimens.ts';

/**
 * Where a value came from.
 * - parsed: read from its file and parsed anew
 * - built: made by a factory or a specimen
 * - live: what the module exports, untouched so far
 * - evaluated-again: exported by one more evaluation of the module
 * - cloned: a structured clone of the live value, because a new evaluation gave the same objects again
 */
export type Freshness = 'parsed' | 'built' | 'live' | 'evaluated-again' | 'cloned';

/** In a box, because a promise would look for `then` on the value itself: a trap or getter of the user's. */
export interface Built {
  value: unknown;
  how: Freshness;
}

type ModuleForm = Extract<RecipeForm, { form: 'module' }>;

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The `then` that awaiting a value would find, without running a getter or a Proxy trap. */
function thenOf(value: unknown): PropertyDescriptor | 'behind a proxy' | null {
  for (let at = value; isObject(at); at = Object.getPrototypeOf(at) as unknown) {
    if (typeDetection.isProxy(at)) return 'behind a proxy';
    const own = Object.getOwnPropertyDescriptor(at, 'then');
    if (own) return own;
  }
  return null;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const then = thenOf(value);
  return then !== null && then !== 'behind a proxy' && typeof then.value === 'function';
}

/** True when a promise cannot carry this value as it is: it would run code of its own to look for `then`. */
export function isTouchedByPromises(value: unknown): boolean {
  const then = thenOf(value);
  return (
    then !== null && (then === 'behind a proxy' || then.get !== undefined || typeof then.value === 'function')
  );
}

async function awaited(value: unknown): Promise<{ value: unknown }> {
  return { value: isThenable(value) ? await value : value };
}

function exportOf(module: LoadedModule, form: ModuleForm): unknown {
  if (module.exports.has(form.export)) return module.exports.get(form.export);
  const names = [...module.exports.keys()];
  throw new ToolError('export-missing', { file: form.original, export: form.export, names });
}

async function callFactory(factory: () => unknown, module: ModuleFile, name: string): Promise<Built> {
  try {
    const { value } = await userCode(async () => awaited(factory()));
    return { value, how: 'built' };
  } catch (error) {
    throw thrownBy('factory-threw', error, module, name);
  }
}

/**
 * Live values already handed out: the first caller gets the value itself, later ones a new one. Strings too: posting
 * one flattens it, so that the second caller would see another representation.
 */
const handedOut = new Set<string>();

async function exportedValue(exported: unknown, module: ModuleFile): Promise<{ value: unknown }> {
  try {
    return await userCode(() => awaited(exported));
  } catch (error) {
    throw thrownBy('module-threw', error, module);
  }
}

async function fromModule(form: ModuleForm): Promise<Built> {
  const module: ModuleFile = { file: form.file, name: form.original };
  const loaded = await loadModule(module);
  const exported = exportOf(loaded, form);
  if (typeof exported === 'function') return callFactory(exported as () => unknown, module, form.export);
  const { value } = await exportedValue(exported, module);
  const key = `${form.file}\0${form.export}`;
  const mayChange = isObject(value) || typeof value === 'string';
  if (!mayChange || !handedOut.has(key)) {
    handedOut.add(key);
    return { value, how: 'live' };
  }
  const again = exportOf(await loadModuleAgain(module, loaded.kind), form);
  const fresh = await exportedValue(again, module);
  if (typeof value === 'string' || fresh.value !== value)
    return { value: fresh.value, how: 'evaluated-again' };
  // Re-exported from a module that is not evaluated again. A clone has the same contents, though not the same
  // representation; a value that cannot be cloned cannot be posted either, so the error says what posting would say.
  return { value: structuredClone(value), how: 'cloned' };
}

async function fromForm(recipe: Recipe): Promise<Built> {
  const form = recipe.build;
  const name = recipe.source.file;
  switch (form.form) {
    case 'json':
      return { value: parseJson(readText({ file: form.file, name }), name), how: 'parsed' };
    case 'ndjson': {
      const text = readRange({ file: form.file, name }, form.offset, form.length);
      return { value: parseJson(text, name, form.line), how: 'parsed' };
    }
    case 'text':
      return { value: readText({ file: form.file, name }), how: 'parsed' };
    case 'bytes':
      return { value: readBytes({ file: form.file, name }), how: 'parsed' };
    case 'module':
      return fromModule(form);
    case 'specimen':
      return { value: specimenOf(form.name, form.size), how: 'built' };
    default:
      return form satisfies never;
  }
}

/**
 * Builds a payload by its recipe. Every call gives a value that nobody has seen before, safe to post and to detach;
 * `how` says where it came from.
 *
 * @throws ToolError of the file, the module or the factory ('json-malformed', 'module-threw', 'factory-threw', ...)
 */
export async function build(recipe: Recipe): Promise<Built> {
  const asItIs = await fromForm(recipe);
  const built = recipe.scale ? inSize(asItIs, recipe.scale) : asItIs;
  if (!recipe.via) return built;
  if (!isLibrary(recipe.via)) throw new ToolError('via-unknown', { value: recipe.via });
  return { ...built, value: inEnvelope(recipe.via, built.value) };
}

/** Class instances stay what they are; what is no record (a Date) is cloned, so that no two items share it. */
function copyOfOther(other: object): unknown {
  const replica = replicaOf(other);
  if (replica !== other) return replica;
  try {
    return structuredClone(other);
  } catch {
    // It cannot be posted either, and posting will say why.
    return other;
  }
}

/** What is not scaled is shared with the value that was built for it, which nobody else sees. */
function inSize({ value }: Built, scale: Scale): Built {
  return { value: scaled(value, scale, copyOfOther), how: 'built' };
}

/** The value alone. One that `isTouchedByPromises` must be had through `build`. */
export async function materialize(recipe: Recipe): Promise<unknown> {
  return (await build(recipe)).value;
}

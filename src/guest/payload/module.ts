import { type PathStep, parsePath } from '../../core/paths.ts';
import { filter, flatMap, map } from '../../core/value/lists.ts';
import { ownData } from '../../core/value/own-data.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe, RecipeForm } from '../../model/report/recipe.ts';
import type { Opened, RequestOf } from '../../model/wire/wire.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import type { ImportedModule, PayloadFile } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { restoreBuiltIns } from '../user-code/built-ins.ts';
import { thrownCode, thrownMessage, thrownStack } from '../user-code/thrown.ts';
import { userCode } from '../user-code/user-code.ts';
import { openLines } from './lines/ndjson.ts';
import { awaited, type Built } from './thenable.ts';

/** Name of the export that gives the transfer list of each other export: `transfer(value, name)`. */
const TRANSFER_EXPORT = 'transfer';

/** It lists the buffers of other exports, and is no payload unless it is asked for by name. */
const isTransferExport = (name: string, value: unknown): boolean =>
  name === TRANSFER_EXPORT && typeof value === 'function';

export type TransferList = (value: unknown) => Transferable[];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function childrenAt(value: unknown, step: PathStep): unknown[] {
  if (!isObject(value)) return [];
  if (step.type === 'key' && step.key === 'buffer' && ArrayBuffer.isView(value)) return [value.buffer];
  if (step.type === 'key') return [ownData(value, step.key)];
  if (step.type === 'index' && step.index !== null) return [ownData(value, String(step.index))];
  if (step.type === 'index') return Array.isArray(value) ? flatMap(value, (one) => [one]) : [];
  return step.type === 'any-key' ? Object.values(value) : [];
}

/** A view is listed by its buffer. @throws ToolError 'transfer-absent' if the payload has no object there */
function listedAt(root: unknown, path: string): Transferable[] {
  let values: unknown[] = [root];
  for (const step of parsePath(path) ?? []) values = flatMap(values, (value) => childrenAt(value, step));
  const found = filter(values, isObject);
  if (found.length === 0) throw new ToolError('transfer-absent', { path });
  return flatMap(found, (value) =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [value as Transferable],
  );
}

/**
 * The transfer list of values of this recipe; null if it does not have one.
 *
 * @throws ToolError of loading the module; the result throws what the user's function throws ('factory-threw'), or
 *   'transfer-absent'
 */
export async function readTransferList({ build, transfer = [] }: Recipe): Promise<TransferList | null> {
  // Two views of one buffer are two paths to what is listed once.
  if (transfer.length > 0) return (value) => [...new Set(flatMap(transfer, (path) => listedAt(value, path)))];
  if (build.form !== 'module' || build.export === TRANSFER_EXPORT) return null;
  const module = { file: build.file, name: build.original };
  const listed = (await loadModule(module, { only: TRANSFER_EXPORT })).exports.get(TRANSFER_EXPORT);
  if (typeof listed !== 'function') return null;
  return (value) => {
    try {
      return Array.from(listed(value, build.export) as Iterable<Transferable>);
    } catch (error) {
      throw thrownBy('factory-threw', error, module, TRANSFER_EXPORT);
    }
  };
}

/** A module with its exports by (cut) name; a plain `module.exports` of CommonJS gives its own keys. */
export interface LoadedModule {
  exports: Map<string, unknown>;
  /** Exports that threw when they were read. */
  threw: Map<string, ToolError>;
  kind: ImportedModule['kind'];
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || typeDetection().isProxy(value))
    return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

/** Of each namespace: its full names by the cut ones. To cut them for each value of each export takes the square of their time. */
const namesOf = new WeakMap<object, Map<string, string>>();

function exportNames(from: Record<string, unknown>, isEsm: boolean): Map<string, string> {
  const known = namesOf.get(from);
  if (isEsm && known) return known;
  // Node 23+ and Deno add "module.exports" to the namespace of a CommonJS module.
  const all = filter(Object.keys(from), (name) => name !== 'module.exports' && name !== '__esModule');
  if (known?.size === all.length) return known;
  const names = new Map<string, string>();
  for (const full of all) {
    let name = cutName(full);
    while (names.has(name)) name += "'";
    names.set(name, full);
  }
  namesOf.set(from, names);
  return names;
}

/** Each alone: a getter may throw, and in a circle of modules an export may not be initialized yet. */
function readExports(
  from: Record<string, unknown>,
  names: Iterable<[name: string, full: string]>,
  into: LoadedModule,
  module: PayloadFile,
): void {
  for (const [name, full] of names) {
    try {
      into.exports.set(name, from[full]);
    } catch (error) {
      into.threw.set(name, thrownBy('export-threw', error, module, name));
    }
  }
  restoreBuiltIns();
}

/**
 * Node finds the named exports of a CommonJS module by reading its text and misses most, Deno and Bun run it. Reading
 * `module.exports` gives the same names everywhere.
 */
function loaded({ exports, kind }: ImportedModule, module: PayloadFile, only?: string): LoadedModule {
  const found: LoadedModule = { exports: new Map(), threw: new Map(), kind };
  if (kind !== 'esm' && !isPlainObject(exports)) found.exports.set('default', exports);
  else {
    const from = exports as Record<string, unknown>;
    const names = exportNames(from, kind === 'esm');
    const full = names.get(only ?? '');
    const wanted: [string, string][] = only === undefined ? [...names] : [];
    if (only !== undefined && full !== undefined) wanted[0] = [only, full];
    readExports(from, wanted, found, module);
  }
  return found;
}

const UNSUPPORTED_CODES = new Set([
  'ERR_UNKNOWN_BUILTIN_MODULE',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_ESM_URL_SCHEME',
]);
/** What only another runtime has, as each engine says it; and a `require` that the bundle for a page leaves. */
const UNSUPPORTED_MESSAGE =
  /\b(Bun|Deno|process|Buffer|setImmediate) is not defined|^ReferenceError: Can't find variable: (Bun|Deno|process|Buffer|setImmediate)\b|Cannot find (package|module) ['"]bun\b|Dynamic require of ".*" is not supported|[Cc]ode generation (?:from strings )?disallowed/;

/** What user code threw, as an error with the location in the user's file. */
export function thrownBy(
  code: 'module-threw' | 'factory-threw' | 'export-threw',
  error: unknown,
  module: PayloadFile,
  name?: string,
): ToolError {
  const detail = thrownMessage(error);
  const facts = { file: module.name, ...(name === undefined ? {} : { export: name }) };
  if (UNSUPPORTED_CODES.has(thrownCode(error) ?? '') || UNSUPPORTED_MESSAGE.test(detail)) {
    return new ToolError('module-unsupported', { ...facts, detail }, { cause: error });
  }
  const location = currentPlatform().sources.stackLocation(thrownStack(error), module);
  const file = location?.file === undefined ? '' : `${location.file}, `;
  const where = location ? ` (${file}line ${location.line}, column ${location.column})` : '';
  const said = { ...facts, detail: detail + where };
  if (code === 'module-threw') return new ToolError(code, said, { cause: error });
  return new ToolError(code, { ...said, export: name ?? 'default' }, { cause: error });
}

/**
 * @param again the kind of a module that is evaluated once more, for values that nothing has used yet. What it imports is not
 *   evaluated again
 * @param only the one export to read, if it is there
 * @throws ToolError 'module-threw' | 'module-unsupported' | 'file-missing'
 */
export async function loadModule(
  module: PayloadFile,
  { again, only }: { again?: LoadedModule['kind']; only?: string } = {},
): Promise<LoadedModule> {
  const { sources } = currentPlatform();
  try {
    const imported = again ? sources.importAgain(module, again) : sources.importModule(module);
    return loaded(await imported, module, only);
  } catch (error) {
    throw error instanceof ToolError ? error : thrownBy('module-threw', error, module);
  }
}

type ModuleForm = Extract<RecipeForm, { form: 'module' }>;

function readExport(module: LoadedModule, form: ModuleForm): unknown {
  if (module.exports.has(form.export)) return module.exports.get(form.export);
  const threw = module.threw.get(form.export);
  if (threw) throw threw;
  const names = [...module.exports.keys()];
  throw new ToolError('export-missing', { file: form.original, export: form.export, names });
}

async function exportedValue(exported: unknown, module: PayloadFile): Promise<{ value: unknown }> {
  try {
    return await userCode(() => awaited(exported));
  } catch (error) {
    throw thrownBy('module-threw', error, module);
  }
}

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
  const { exports, threw, kind } = await loadModule(module, { only: form.export });
  const isThere = exports.size > 0 || threw.size > 0;
  const loaded = isThere ? { exports, threw, kind } : await loadModule(module);
  const exported = readExport(loaded, form);
  if (typeof exported === 'function') {
    const given = form.size === undefined ? [] : [form.size];
    try {
      return { ...(await userCode(async () => awaited(exported(...given)))), how: 'built' };
    } catch (error) {
      throw thrownBy('factory-threw', error, module, form.export);
    }
  }
  const { value } = await exportedValue(exported, module);
  const key = `${form.file}\0${form.export}`;
  const mayChange = value !== null && ['object', 'function', 'string'].includes(typeof value);
  if (!mayChange || !returned.has(key)) {
    returned.add(key);
    return { value, how: 'live' };
  }
  const evaluate = () => loadModule(module, { again: loaded.kind });
  const again = readExport(await evaluationWith(form.export, form.file, evaluate), form);
  const fresh = await exportedValue(again, module);
  if (typeof value === 'string' || fresh.value !== value)
    return { value: fresh.value, how: 'evaluated-again' };
  // Re-exported from a module that is not evaluated again. A clone has the same contents, though not the same
  // representation; a value that cannot be cloned cannot be posted either, and cloning throws what posting would.
  return { value: structuredClone(value), how: 'cloned' };
}

/** A module with a value of each export. */
interface Evaluation {
  exports: Map<string, unknown>;
}

/** Of a module with fewer exports each call has an evaluation of its own: what two of its exports share is unused then. */
const MANY = 100;
/** A payload may be asked for thousands of times: those that nobody takes are not kept. */
const MOST_KEPT = 4;

const spare = new Map<string, Evaluation[]>();

/**
 * The module evaluated again, with a value of the export that nobody has taken. An evaluation makes a value of each export:
 * one for each payload would make the time for a module grow with the square of its exports.
 */
export async function evaluationWith<T extends Evaluation>(
  name: string,
  file: string,
  evaluate: () => Promise<T>,
): Promise<T> {
  const kept = (spare.get(file) as T[] | undefined) ?? [];
  spare.set(file, kept);
  let found = kept.find(({ exports }) => exports.has(name));
  if (found === undefined) {
    found = await evaluate();
    if (found.exports.size >= MANY) kept.push(found);
    if (kept.length > MOST_KEPT) kept.shift();
  }
  if (!found.exports.has(name)) return found;
  const taken = { ...found, exports: new Map([[name, found.exports.get(name)]]) };
  found.exports.delete(name);
  return taken;
}

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

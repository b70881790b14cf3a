import { typeDetection } from '../../engines/probe/type-detection.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import type { Recipe, RecipeForm } from '../../model/report/recipe.ts';
import type { Opened, RequestOf } from '../../model/wire/wire.ts';
import { isPlainRecord } from '../../value/copy/copies.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type PathStep, parsePath } from '../../value/read/paths.ts';
import { childrenAt } from '../../value/read/walk.ts';
import { currentPlatform, type ImportedModule, type PayloadFile } from '../platform/common/platform.ts';
import { restoreBuiltIns, thrownCode, thrownMessage, thrownStack, userCode } from '../user-code/user-code.ts';
import { openLines } from './text-files.ts';

/** A built value. It is in an object, because a promise would read `then` of the value: perhaps a user's getter. */
export interface Built {
  value: unknown;
  /** `parsed` anew from its file; `built` by a factory; `exported` by a module, which is evaluated for each value. */
  how: 'parsed' | 'built' | 'exported';
  transfer?: Transferable[];
}

/** The `then` that awaiting a value would read, without running a getter or a Proxy trap ('hidden'). */
function readThen(value: unknown): 'none' | 'function' | 'hidden' {
  for (let at = value; isObject(at) || typeof at === 'function'; at = Object.getPrototypeOf(at) as unknown) {
    if (typeDetection().isProxy(at)) return 'hidden';
    const own = Object.getOwnPropertyDescriptor(at, 'then');
    if (own?.get) return 'hidden';
    if (own) return typeof own.value === 'function' ? 'function' : 'none';
  }
  return 'none';
}

export const runsCodeWhenAwaited = (value: unknown): boolean => readThen(value) !== 'none';

export const isPromiseLike = (value: unknown): boolean => readThen(value) === 'function';

async function awaited(value: unknown): Promise<{ value: unknown }> {
  return { value: readThen(value) === 'function' ? await value : value };
}

/** Name of the export that gives the transfer list of each other export: `transfer(value, name)`. */
const TRANSFER_EXPORT = 'transfer';

export type TransferList = (value: unknown) => Transferable[];

function listedBelow(value: unknown, step: PathStep): unknown[] {
  if (!isObject(value)) return [];
  if (step.type === 'key' && step.key === 'buffer' && ArrayBuffer.isView(value)) return [value.buffer];
  return map([...childrenAt(value, step)], ([, child]) => child);
}

/** Lists views by their buffers. @throws ToolError 'transfer-absent' if the payload does not have an object there */
function listedAt(root: unknown, path: string): Transferable[] {
  let values: unknown[] = [root];
  for (const step of parsePath(path) ?? []) values = flatMap(values, (value) => listedBelow(value, step));
  const found = filter(values, isObject);
  if (found.length === 0) throw new ToolError('transfer-absent', { path });
  return flatMap(found, (value) =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [value as Transferable],
  );
}

/** Null without a transfer list. @throws ToolError of the module; the result 'factory-threw', 'transfer-absent' */
export async function readTransferList({ build, transfer = [] }: Recipe): Promise<TransferList | null> {
  // Two views of one buffer are two paths to what is listed once.
  if (transfer.length > 0) return (value) => [...new Set(flatMap(transfer, (path) => listedAt(value, path)))];
  if (build.form !== 'module' || build.export === TRANSFER_EXPORT) return null;
  const module = { file: build.file, name: build.original };
  const exported = await loadModule(module);
  const listed = orElse(() => exported.read(TRANSFER_EXPORT), null);
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
export type LoadedModule = ReturnType<typeof loaded>;

/** Cache: shortened export name to full name, by what has them. To find them for each export would be quadratic. */
const namesOf = new WeakMap<object, Map<string, string>>();

function exportNames(from: object, isEsm: boolean): Map<string, string> {
  const known = namesOf.get(from);
  if (isEsm && known) return known;
  // Node 23+ and Deno add "module.exports" to the namespace of a CommonJS module.
  const all = filter(Object.keys(from), (name) => name !== 'module.exports' && name !== '__esModule');
  // A CommonJS module may export more when its functions run.
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

/** Reads `module.exports`: Node finds names in the text of CommonJS and misses most; Deno and Bun run it. */
function loaded({ exports, kind }: ImportedModule, module: PayloadFile) {
  const hasNames = isObject(exports) && !typeDetection().isProxy(exports) && isPlainRecord(exports);
  const isWhole = kind !== 'esm' && !hasNames;
  const from = isWhole ? { default: exports } : (exports as Record<string, unknown>);
  const names = exportNames(from, kind === 'esm');
  /** Undefined if absent. @throws ToolError 'export-threw': a getter threw, or a circle has not initialized it yet */
  const read = (name: string): unknown => {
    const full = names.get(name);
    try {
      return full === undefined ? undefined : from[full];
    } catch (error) {
      throw thrownBy('export-threw', error, module, name);
    } finally {
      // A namespace of an ES module has values, no getters: nothing of the user's runs.
      if (kind !== 'esm') restoreBuiltIns();
    }
  };
  return { names, read, kind };
}

const UNSUPPORTED_CODES = new Set([
  'ERR_UNKNOWN_BUILTIN_MODULE',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_ESM_URL_SCHEME',
]);
/** Messages of the engines about a name that other runtimes have, and about a `require` left in a page's bundle. */
const UNSUPPORTED_MESSAGE =
  /\b(Bun|Deno|process|Buffer|setImmediate) is not defined|^ReferenceError: Can't find variable: (Bun|Deno|process|Buffer|setImmediate)\b|Cannot find (package|module) ['"]bun\b|Dynamic require of ".*" is not supported|[Cc]ode generation (?:from strings )?disallowed/;

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

/** @param again the kind of a module to evaluate once more, without its imports, for values that nothing has used */
export async function loadModule(module: PayloadFile, again?: LoadedModule['kind']): Promise<LoadedModule> {
  const { sources } = currentPlatform();
  try {
    const imported = again ? sources.importAgain(module, again) : sources.importModule(module);
    return loaded(await imported, module);
  } catch (error) {
    throw error instanceof ToolError ? error : thrownBy('module-threw', error, module);
  }
}

type ModuleForm = Extract<RecipeForm, { form: 'module' }>;

function readExport({ names, read }: LoadedModule, form: ModuleForm): unknown {
  if (names.has(form.export)) return read(form.export);
  const facts = { file: form.original, export: form.export, names: [...names.keys()] };
  throw new ToolError('export-missing', facts);
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

/** The value of an export, never the same object twice. A function is a factory. */
export async function moduleValue(form: ModuleForm): Promise<Built> {
  const module: PayloadFile = { file: form.file, name: form.original };
  const loaded = await loadModule(module);
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
    return { value, how: 'exported' };
  }
  const evaluate = () => loadModule(module, loaded.kind);
  const again = readExport(await evaluationWith(form, evaluate), form);
  const fresh = await exportedValue(again, module);
  if (typeof value === 'string' || fresh.value !== value) return { value: fresh.value, how: 'exported' };
  // Re-exported from a module that is not evaluated again. A clone has the same contents, though not the same
  // representation; a value that cannot be cloned cannot be posted either, and cloning throws what posting would.
  return { value: structuredClone(value), how: 'exported' };
}

/** In a module with fewer exports, each call gets a separate evaluation, so that shared objects are unused. */
const MANY = 100;
/** A payload may be requested thousands of times, so only this many unused evaluations are kept. */
const MOST_KEPT = 4;

/** Evaluations by file, each with the exports whose values are unused. */
const spare = new Map<string, { module: LoadedModule; left: Set<string> }[]>();

/** One evaluation serves many exports: one for each would make the time grow with the square of their number. */
async function evaluationWith({ export: name, file }: ModuleForm, evaluate: () => Promise<LoadedModule>) {
  const kept = spare.get(file) ?? [];
  spare.set(file, kept);
  let found = kept.find(({ left }) => left.has(name));
  if (found === undefined) {
    const module = await evaluate();
    found = { module, left: new Set(module.names.keys()) };
    if (found.left.size >= MANY) kept.push(found);
    if (kept.length > MOST_KEPT) kept.shift();
  }
  found.left.delete(name);
  return found.module;
}

const TRANSFER_REASON = 'is a transfer list';

/** Why an export that was not named by the user is not a payload; null when it is one. */
function skipReason(name: string, value: unknown): string | null {
  if (value === undefined) return 'is undefined';
  if (typeof value !== 'function') return null;
  if (/^class\b/.test(Function.prototype.toString.call(value))) return 'is a class';
  // It lists the buffers of other exports.
  return name === TRANSFER_EXPORT ? TRANSFER_REASON : null;
}

async function openModule(recipe: Recipe, form: ModuleForm, asked: string[] | null): Promise<Opened> {
  const file = form.original;
  const { names, read } = await loadModule({ file: form.file, name: file });
  const wanted = asked && map(asked, cutName);
  const missing = wanted?.find((name) => !names.has(name));
  if (missing !== undefined)
    throw new ToolError('export-missing', { file, export: missing, names: [...names.keys()] });
  const payloads: Recipe[] = [];
  const failed: Opened['failed'] = [];
  const skipped: { name: string; reason: string }[] = [];
  // Each export is read alone: an export that cannot be read is a separate failure.
  for (const name of wanted ?? names.keys()) {
    const id = `${recipe.id}#${name}`;
    try {
      const value = read(name);
      const reason = wanted ? null : skipReason(name, value);
      const source = { ...recipe.source, export: name };
      if (reason === null) payloads.push({ ...recipe, id, source, build: { ...form, export: name } });
      else skipped.push({ name, reason });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      failed.push({ id, code: error.code, facts: error.facts });
    }
  }
  if (!wanted && payloads.length + failed.length === 0)
    throw new ToolError('no-exports', {
      file,
      names: map(skipped, ({ name, reason }) => `${name} ${reason}`),
    });
  const told = filter(skipped, ({ reason }) => reason !== TRANSFER_REASON);
  const notes = map(told, ({ name, reason }) => `export '${name}' ${reason}; skipped`);
  return { type: 'opened', payloads, notes, ...(failed.length > 0 ? { failed } : {}) };
}

/** Exports are not called and not awaited yet: a promise that never settles must not hide the others. */
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

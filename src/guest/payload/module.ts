import { filter } from '../../core/value/lists.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import type { ImportedModule, PayloadFile } from '../platform/common/source-reader.ts';
import { currentPlatform } from '../platform/current.ts';
import { restoreBuiltIns } from '../user-code/built-ins.ts';
import { codeOf, messageOf, stackOf } from '../user-code/thrown.ts';

/** A module with its exports by (cut) name; a plain `module.exports` of CommonJS gives its own keys. */
export interface LoadedModule {
  exports: Map<string, unknown>;
  /** Exports that threw when they were read. */
  threw: Map<string, ToolError>;
  kind: ImportedModule['kind'];
}

type Namespace = Record<string, unknown>;

function isPlainObject(value: unknown): value is Namespace {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || typeDetection.isProxy(value))
    return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

/** Each alone: a getter may throw, and in a circle of modules an export may not be initialized yet. */
function readExports(
  from: Namespace,
  names: readonly string[],
  into: LoadedModule,
  module: PayloadFile,
): void {
  for (const full of names) {
    let name = cutName(full);
    while (into.exports.has(name) || into.threw.has(name)) name += "'";
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
function loaded({ exports, kind }: ImportedModule, module: PayloadFile): LoadedModule {
  const found: LoadedModule = { exports: new Map(), threw: new Map(), kind };
  if (kind !== 'esm' && !isPlainObject(exports)) found.exports.set('default', exports);
  else {
    const from = exports as Namespace;
    // Node 23+ and Deno add "module.exports" to the namespace of a CommonJS module.
    const names = filter(Object.keys(from), (name) => name !== 'module.exports' && name !== '__esModule');
    readExports(from, names, found, module);
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
  /\b(Bun|Deno|process|Buffer|setImmediate) is not defined|^ReferenceError: Can't find variable: (Bun|Deno|process|Buffer|setImmediate)\b|Cannot find (package|module) ['"]bun\b|Dynamic require of ".*" is not supported/;

/** What user code threw, as an error with the location in the user's file. */
export function thrownBy(
  code: 'module-threw' | 'factory-threw' | 'export-threw',
  error: unknown,
  module: PayloadFile,
  name?: string,
): ToolError {
  const detail = messageOf(error);
  const facts = { file: module.name, ...(name === undefined ? {} : { export: name }) };
  if (UNSUPPORTED_CODES.has(codeOf(error) ?? '') || UNSUPPORTED_MESSAGE.test(detail)) {
    return new ToolError('module-unsupported', { ...facts, detail }, { cause: error });
  }
  const location = currentPlatform().sources.stackLocation(stackOf(error), module);
  const file = location?.file === undefined ? '' : `${location.file}, `;
  const where = location ? ` (${file}line ${location.line}, column ${location.column})` : '';
  const said = { ...facts, detail: detail + where };
  if (code === 'module-threw') return new ToolError(code, said, { cause: error });
  return new ToolError(code, { ...said, export: name ?? 'default' }, { cause: error });
}

async function importing(module: PayloadFile, imported: Promise<ImportedModule>): Promise<LoadedModule> {
  try {
    return loaded(await imported, module);
  } catch (error) {
    throw error instanceof ToolError ? error : thrownBy('module-threw', error, module);
  }
}

/** @throws ToolError 'module-threw' | 'module-unsupported' | 'file-missing' */
export const loadModule = (module: PayloadFile): Promise<LoadedModule> =>
  importing(module, currentPlatform().sources.importModule(module));

/** Evaluates the module once more, for values that nothing has used yet. What it imports is not evaluated again. */
export const loadModuleAgain = (module: PayloadFile, kind: LoadedModule['kind']): Promise<LoadedModule> =>
  importing(module, currentPlatform().sources.importAgain(module, kind));

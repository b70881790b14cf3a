import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ToolError } from '../../model/errors.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { currentPlatform } from '../platform/current.ts';
import { stackLocationIn } from '../user-code/stack-location.ts';
import { codeOf, messageOf, stackOf, userCode } from '../user-code/user-code.ts';

export interface ModuleFile {
  /** What is imported; absolute. */
  file: string;
  /** What the user named. */
  name: string;
}

/** A module as it was loaded. `exports` by name; a CommonJS module's plain `module.exports` gives its own keys. */
export interface LoadedModule {
  exports: Map<string, unknown>;
  kind: 'esm' | 'commonjs';
}

type Namespace = Record<string, unknown>;

const cacheOf = (file: string) => createRequire(file).cache;

function isPlain(value: unknown): value is Namespace {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || typeDetection.isProxy(value))
    return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

function namedExports(from: Namespace): Map<string, unknown> {
  // Node 23+ and Deno add "module.exports" to the namespace of a CommonJS module.
  const names = Object.keys(from).filter((name) => name !== 'module.exports' && name !== '__esModule');
  return new Map(names.map((name) => [name, from[name]]));
}

/**
 * Node finds the named exports of a CommonJS module by reading its text and misses most, Deno and Bun run it: here the
 * same names come out everywhere. Bun lists ES modules in `require.cache` too, with the namespace as exports.
 */
function loaded(file: string, namespace: Namespace): LoadedModule {
  const cached = cacheOf(file)[file];
  if (!cached || cached.exports === namespace) return { exports: namedExports(namespace), kind: 'esm' };
  return { exports: exportsOfCommonJs(cached.exports), kind: 'commonjs' };
}

function exportsOfCommonJs(exported: unknown): Map<string, unknown> {
  return isPlain(exported) ? namedExports(exported) : new Map([['default', exported]]);
}

const UNSUPPORTED_CODES = new Set([
  'ERR_UNKNOWN_BUILTIN_MODULE',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_ESM_URL_SCHEME',
]);
const UNSUPPORTED_SAYING = /\b(Bun|Deno) is not defined|Cannot find (package|module) ['"]bun\b/;

/** What user code threw, as an error with the user's own place in it. */
export function thrownBy(
  code: 'module-threw' | 'factory-threw',
  error: unknown,
  module: ModuleFile,
  name?: string,
): ToolError {
  const detail = messageOf(error);
  const facts = { file: module.name, ...(name === undefined ? {} : { export: name }) };
  if (UNSUPPORTED_CODES.has(codeOf(error) ?? '') || UNSUPPORTED_SAYING.test(detail)) {
    return new ToolError('module-unsupported', { ...facts, detail }, { cause: error });
  }
  const place = stackLocationIn(stackOf(error), module);
  const file = place?.file === undefined ? '' : `${place.file}, `;
  const where = place ? ` (${file}line ${place.line}, column ${place.column})` : '';
  return new ToolError(code, { ...facts, detail: detail + where }, { cause: error });
}

async function importModule(module: ModuleFile, url: string): Promise<Namespace> {
  try {
    return await userCode(() => import(url) as Promise<Namespace>);
  } catch (error) {
    throw thrownBy('module-threw', error, module);
  }
}

/** @throws ToolError 'module-threw' | 'module-unsupported' | 'file-missing' */
export async function loadModule(module: ModuleFile): Promise<LoadedModule> {
  const file = realFile(module);
  return loaded(file, await importModule({ ...module, file }, pathToFileURL(file).href));
}

/** The module evaluated once more, for values that nobody has touched. What it imports is not evaluated again. */
export async function loadModuleAgain(module: ModuleFile, kind: LoadedModule['kind']): Promise<LoadedModule> {
  const file = realFile(module);
  if (kind === 'commonjs') {
    delete cacheOf(file)[file];
    try {
      const exported = await userCode(() => [createRequire(file)(file) as unknown]);
      return { exports: exportsOfCommonJs(exported[0]), kind };
    } catch (error) {
      throw thrownBy('module-threw', error, module);
    }
  }
  const namespace = await importModule({ ...module, file }, currentPlatform().freshModuleUrl(file));
  return { exports: namedExports(namespace), kind };
}

function realFile({ file, name }: ModuleFile): string {
  try {
    return realpathSync(file);
  } catch {
    throw new ToolError('file-missing', { file: name });
  }
}

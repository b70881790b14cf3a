import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ToolError } from '../../../model/errors.ts';
import { userCode } from '../../user-code/user-code.ts';
import type { PayloadFile, SourceReader } from '../common/source-reader.ts';
import { realpathSync } from './files.ts';

/** A URL whose import evaluates the module of a file once more. */
export type FreshUrl = (file: string) => string;

let evaluations = 0;

/** Node and Deno cache modules by URL, the query included. */
export const freshQueryUrl: FreshUrl = (file) => {
  evaluations += 1;
  return `${pathToFileURL(file).href}?fresh=${evaluations}`;
};

/** Bun ignores the query of a file URL, and evaluates a module again when its entry in require.cache is removed. */
export const uncachedUrl: FreshUrl = (file) => {
  delete cacheOf(file)[file];
  return pathToFileURL(file).href;
};

/** Taken before user code loads. */
const requireFor = createRequire;

const cacheOf = (file: string) => requireFor(file).cache;

function realFile({ file, name }: PayloadFile): string {
  try {
    return realpathSync(file);
  } catch {
    throw new ToolError('file-missing', { file: name });
  }
}

const imported = (url: string) => userCode(() => import(url) as Promise<object>);

/** Modules of the machine, through `import` and `require`. */
export const moduleLoader = (freshUrl: FreshUrl): Pick<SourceReader, 'importModule' | 'importAgain'> => ({
  async importModule(module) {
    const file = realFile(module);
    const namespace = await imported(pathToFileURL(file).href);
    // Bun lists ES modules in `require.cache` too, with the namespace as exports.
    const cached = cacheOf(file)[file];
    if (!cached || cached.exports === namespace) return { exports: namespace, kind: 'esm' };
    return { exports: cached.exports, kind: 'commonjs' };
  },
  async importAgain(module, kind) {
    const file = realFile(module);
    if (kind === 'esm') return { exports: await imported(freshUrl(file)), kind };
    delete cacheOf(file)[file];
    const [exports] = await userCode(() => [requireFor(file)(file) as unknown]);
    return { exports, kind };
  },
});

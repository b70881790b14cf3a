/** Bundles a payload module and its imports for pages, which have neither Node's API nor a folder of packages. */
import { existsSync, realpathSync } from 'node:fs';
import { builtinModules, isBuiltin, SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult, Message } from 'esbuild';
import { ToolError } from '../model/errors.ts';
import type { BundleForPage, ModulePosition, PageModule } from '../model/page-module.ts';
import { built } from './bundle.ts';

const OPTIONS: BuildOptions = {
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
  write: false,
  // Other bundlers for browsers define it too, and packages use it.
  define: { global: 'globalThis' },
};

/** Bundled like Cloudflare's tool does it: workerd provides the modules of Node. */
const FOR_WORKERD: BuildOptions = {
  ...OPTIONS,
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*', ...builtinModules],
};

export const bundleForPage: BundleForPage = async (module, cwd, runtime) => {
  if (!existsSync(module.file)) throw new ToolError('file-missing', { file: module.name });
  const entry = realpathSync(module.file);
  try {
    // The file is never written: names in the source map are relative to its path.
    const result = await built(entry, cwd, {
      ...(runtime === 'workerd' ? FOR_WORKERD : OPTIONS),
      outfile: join(cwd, 'page.mjs'),
    });
    return pageModule(result, entry, cwd);
  } catch (error) {
    const { errors = [] } = ((error as Error).cause ?? {}) as Partial<BuildFailure>;
    const detail = errors.map((one) => missingInBrowsers(one, entry, cwd)).find((found) => found !== null);
    throw detail ? new ToolError('module-unsupported', { file: module.name, detail }) : error;
  }
};

function pageModule({ outputFiles = [], metafile }: BuildResult, entry: string, cwd: string): PageModule {
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const [map, code] = [textOf('.map'), textOf('.mjs')];
  const [, source] =
    Object.entries(metafile?.inputs ?? {}).find(([path]) => resolve(cwd, path) === entry) ?? [];
  let parsed: SourceMap | null = null;
  const originalOf = (line: number, column: number): ModulePosition | null => {
    parsed ??= new SourceMap(JSON.parse(map) as SourceMapPayload);
    const found = parsed.findEntry(line - 1, column - 1);
    if (!('originalLine' in found)) return null;
    const file = resolve(cwd, found.originalSource);
    const position = { line: found.originalLine + 1, column: found.originalColumn + 1 };
    return file === entry ? position : { file: relative(cwd, file), ...position };
  };
  return { code, kind: source?.format === 'cjs' ? 'commonjs' : 'esm', originalOf };
}

/** Names of modules that other runtimes provide. */
const OTHER_RUNTIME = /^(bun$|bun:|npm:|jsr:|node:|cloudflare:)/;

/** "it imports 'node:fs', which no browser has"; null for any other error of esbuild. */
function missingInBrowsers({ text, location }: Message, entry: string, cwd: string): string | null {
  const [, name, addon] =
    /^Could not resolve "(.+)"$|^No loader is configured for "\.node" files: (.+)$/.exec(text) ?? [];
  const isMissing = name !== undefined && (isBuiltin(name) || OTHER_RUNTIME.test(name));
  if (!isMissing && addon === undefined) return null;
  const file = location ? resolve(cwd, location.file) : entry;
  const importer = file === entry ? 'it' : `${relative(cwd, file)}:${location?.line}`;
  return `${importer} imports '${name ?? addon}', which no browser has`;
}

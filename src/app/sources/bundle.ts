/** Bundles modules with esbuild: payload modules for runtimes and pages, and configs. Each build has a time limit. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { builtinModules, isBuiltin, SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type * as Esbuild from 'esbuild';
import type { BuildFailure, BuildOptions, BuildResult, Message, OnLoadResult, Plugin } from 'esbuild';
import { foldersUpFrom } from '../../machine/folders.ts';
import type { Waiting } from '../../machine/given-file.ts';
import { noSpaceLeft } from '../../machine/machine.ts';
import { inTime } from '../../machine/waiting.ts';
import { ToolError } from '../../model/errors.ts';
import { type BundleForPage, DEFAULTS, type Interruption, type PageModule } from '../../model/run/runtime.ts';

/** As `Waiting`, with a signal of which the end alone counts. */
type Term = Omit<Waiting, 'signal'> & { signal?: Interruption | undefined };

/** A bundle loses the location of each file. Files that use it get a line of constants with the original. */
const LOCATION = {
  'import.meta.url': '__original_url',
  'import.meta.filename': '__original_filename',
  'import.meta.dirname': '__original_dirname',
  __filename: '__original_filename',
  __dirname: '__original_dirname',
};
const USES_LOCATION = /\bimport\.meta\b|\b__(?:filename|dirname)\b/;
const SOURCE_FILE = /\.[mc]?[jt]sx?$/;

const RUNTIME_MODULES = ['bun', 'bun:*', 'node:*', 'npm:*', 'jsr:*'];

/** Without conditions of its own esbuild adds "module" to them, which Node does not have. */
const FOR_NODE: BuildOptions = { platform: 'node', conditions: ['node-addons', 'module-sync'] };

/**
 * Writes `<target>.mjs` (`.cjs` for a `.cts`) and returns its path. Packages are bundled too: they could not be
 * resolved from the output, which lies outside the project.
 * @throws ToolError `module-build-failed` with file, line and column of the first error
 */
export async function bundleModule(
  entry: string,
  target: string,
  cwd: string,
  { plugins = [], ...waiting }: Waiting & { plugins?: readonly Plugin[] } = {},
): Promise<string> {
  const commonJs = extname(entry).toLowerCase() === '.cts';
  const outfile = `${target}${commonJs ? '.cjs' : '.mjs'}`;
  const options: BuildOptions = {
    ...FOR_NODE,
    outfile,
    format: commonJs ? 'cjs' : 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    external: RUNTIME_MODULES,
    banner: commonJs ? {} : { js: requireFrom(entry) },
    plugins: [leaveAddons, ...plugins],
  };
  await built(entry, cwd, options, waiting);
  return outfile;
}

/**
 * Bundles into one file. A new enough `target` keeps #private and class fields, on which the engine's path depends. The
 * time is limited: esbuild may be led to a pipe without a writer, or to a device without an end.
 * @throws ToolError like `bundleModule`; its cause is the error of esbuild
 */
async function built(
  entry: string,
  cwd: string,
  options: BuildOptions,
  { timeoutMs = DEFAULTS.timeoutMs, signal }: Term = {},
): Promise<BuildResult> {
  refuseOddSettings(entry, cwd);
  const detail = `it took more than ${timeoutMs / 1000} s. Raise --timeout, or check whether it imports a pipe or a device`;
  const late = () => new ToolError('module-build-failed', { file: relative(cwd, entry), detail });
  const all: BuildOptions = {
    entryPoints: [entry],
    absWorkingDir: cwd,
    bundle: true,
    keepNames: true,
    logLevel: 'silent',
    ...options,
    define: { ...LOCATION, ...options.define },
    plugins: [regularFiles, keepLocations, ...(options.plugins ?? [])],
  };
  try {
    return await byEsbuild(({ build }) => inTime(build(all), timeoutMs, late, signal));
  } catch (error) {
    throw error instanceof ToolError ? error : buildError(error, relative(cwd, entry));
  }
}

const isOfCode = (error: unknown): boolean => (error as Partial<BuildFailure>).errors !== undefined;

/** Processes of esbuild that were ended. Work that fails with one of them must not end the next, which others use. */
let endedProcesses = 0;

/** Again, in another process of esbuild, if that which should have done it was killed. */
async function byEsbuild<T>(work: (esbuild: typeof Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild');
  const once = async () => {
    const inProcess = endedProcesses;
    // A request to a killed process of esbuild does not keep this process alive: it would end without a word.
    const awake = setInterval(() => undefined, 1000);
    try {
      return await work(esbuild);
    } catch (error) {
      // One process does all work. Nothing but its end cancels a build that waits for a file, and esbuild starts a
      // new process only after this call, even if the old one was killed.
      if (!isOfCode(error) && inProcess === endedProcesses) {
        endedProcesses++;
        void esbuild.stop();
      }
      throw error;
    } finally {
      clearInterval(awake);
    }
  };
  return once().catch((error: unknown) => {
    if (isOfCode(error) || error instanceof ToolError) throw error;
    return once();
  });
}

/** CommonJS packages inside an ES module bundle call `require` for the built-in modules. */
function requireFrom(entry: string): string {
  const url = JSON.stringify(pathToFileURL(entry).href);
  return `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${url});`;
}

const keepLocations: Plugin = {
  name: 'keep-locations',
  setup(build) {
    build.onLoad({ filter: SOURCE_FILE, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!USES_LOCATION.test(text)) return null;
      // Into the first line of code, so that line numbers stay the same.
      const start = /^#!.*\n/.exec(text)?.[0].length ?? 0;
      return {
        contents: text.slice(0, start) + locationsOf(path) + text.slice(start),
        loader: 'default',
      };
    });
  },
};

function locationsOf(path: string): string {
  const [url, file, folder] = [pathToFileURL(path).href, path, dirname(path)].map((s) => JSON.stringify(s));
  return `var __original_url = ${url}, __original_filename = ${file}, __original_dirname = ${folder};`;
}

/** Native addons cannot be bundled and stay external. */
const leaveAddons: Plugin = {
  name: 'leave-addons',
  setup(build) {
    build.onResolve({ filter: /\.node$/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === leaveAddons) return null;
      const found = await build.resolve(path, { ...rest, pluginData: leaveAddons });
      return found.errors.length > 0 ? found : { path: found.path, external: true };
    });
  },
};

/** A module and all that it imports, by paths without links. Nothing is written. @throws ToolError like `bundleModule` */
export async function importedFiles(
  entry: string,
  cwd: string,
  waiting: Term = {},
  own: BuildOptions = { external: ['clone-prof', ...RUNTIME_MODULES] },
): Promise<string[]> {
  const options: BuildOptions = {
    ...{ ...FOR_NODE, format: 'esm', outfile: join(cwd, 'imports.mjs'), ...own },
    ...{ metafile: true, write: false, plugins: [leaveAddons] },
  };
  const { metafile } = await built(entry, cwd, options, waiting);
  return Object.keys(metafile!.inputs).map((path) => resolve(cwd, path));
}

/** "line 3, column 6" of what keeps a module from being built, after its file if it is another one; null if nothing does. */
export async function unbuiltAt(entry: string, cwd: string, waiting: Term = {}): Promise<string | null> {
  const error = await importedFiles(entry, cwd, waiting, { packages: 'external' }).then(
    () => null,
    (one: unknown) => one,
  );
  const { file = '', line, column = 1, detail = '' } = error instanceof ToolError ? error.facts : {};
  if (line === undefined || detail.startsWith('Could not resolve')) return null;
  const place = `line ${line}, column ${column}`;
  return resolve(cwd, file) === entry ? place : `${file}, ${place}`;
}

/** Bundles a config. Its `defineConfig` works even if npx runs this package uninstalled or newer. */
export const bundleConfig = (
  entry: string,
  target: string,
  cwd: string,
  waiting: Waiting = {},
): Promise<string> => bundleModule(entry, target, cwd, { ...waiting, plugins: [ownDefineConfig] });

const ownDefineConfig: Plugin = {
  name: 'own-define-config',
  setup(build) {
    build.onResolve({ filter: /^clone-prof$/ }, ({ path }) => ({ path, namespace: 'clone-prof' }));
    build.onLoad({ filter: /./, namespace: 'clone-prof' }, () => ({
      contents: 'export const defineConfig = (config) => config;',
    }));
  },
};

/** Files with errors, by esbuild's names, that a module could not be built for. @param error the error of `built` */
export const failedFiles = ({ cause }: Error): string[] =>
  ((cause as Partial<BuildFailure> | undefined)?.errors ?? []).flatMap(
    ({ location }) => location?.file ?? [],
  );

function buildError(error: unknown, entry: string): ToolError {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  const detail = first?.text ?? (error as Error).message;
  // esbuild writes its output itself, and reports a full disk only in its text.
  if (/no space left on device|quota exceeded/.test(detail)) return noSpaceLeft(error);
  const { file = entry, line, column = 0, lineText = '' } = first?.location ?? {};
  const isMoved = lineText.startsWith('var __original_url');
  const place = line === undefined ? {} : { line, ...(!isMoved && { column: column + 1 }) };
  return new ToolError('module-build-failed', { file, ...place, detail }, { cause: error });
}

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
  const originalOf: PageModule['originalOf'] = (line, column) => {
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

/** Files that esbuild reads directly, before it calls any plugin. */
const SETTINGS = ['package.json', 'tsconfig.json', 'jsconfig.json', '.pnp.cjs', '.pnp.js', '.pnp.data.json'];

function refuseOddSettings(entry: string, cwd: string): void {
  for (const folder of foldersUpFrom(dirname(entry))) {
    for (const name of SETTINGS) {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found || found.isFile() || found.isDirectory()) continue;
      throw new ToolError('file-unreadable', { file: relative(cwd, path), detail: 'not a regular file' });
    }
  }
}

/** Plugin that must come first: it refuses files that are not regular. */
const regularFiles: Plugin = {
  name: 'regular-files',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'file' }, async ({ path }): Promise<OnLoadResult | null> => {
      const found = await stat(path).catch(() => null);
      if (found === null || found.isFile() || found.isDirectory()) return null;
      return { errors: [{ text: `${path} is not a regular file` }] };
    });
  },
};

export async function compressedBytes(module: string): Promise<number> {
  const { code } = await byEsbuild(({ transform }) =>
    transform(module, { loader: 'ts', minify: true, format: 'esm' }),
  );
  return gzipSync(code, { level: 9 }).length;
}

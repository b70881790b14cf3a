/** Bundles a TypeScript payload module into one JavaScript file that every runtime with Node's API can import. */
import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, BuildOptions, BuildResult, Loader, OnLoadResult, Plugin } from 'esbuild';
import type { Waiting } from '../machine/given-file.ts';
import { noSpaceLeft } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';
import { buildWithin, regularFiles } from './build.ts';

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

/** Modules that only the runtime can resolve. */
const RUNTIME_MODULES = ['bun', 'bun:*', 'node:*', 'npm:*', 'jsr:*'];

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
    outfile,
    platform: 'node',
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
 * Bundles `entry` and all that it imports into one file. A `target` that is new enough keeps #private fields and class
 * fields unchanged, since the engine's path depends on them.
 *
 * @throws ToolError like `bundleModule`; its cause is the error of esbuild
 */
export async function built(
  entry: string,
  cwd: string,
  options: BuildOptions,
  waiting: Waiting = {},
): Promise<BuildResult> {
  const prefixes = new Map<string, number>();
  try {
    const all: BuildOptions = {
      entryPoints: [entry],
      absWorkingDir: cwd,
      bundle: true,
      keepNames: true,
      logLevel: 'silent',
      ...options,
      define: { ...LOCATION, ...options.define },
      plugins: [regularFiles, keepLocations(prefixes), ...(options.plugins ?? [])],
    };
    return await buildWithin(entry, cwd, all, waiting);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw buildError(error, relative(cwd, entry), (file) => prefixes.get(resolve(cwd, file)) ?? 0);
  }
}

/** CommonJS packages inside an ES module bundle call `require` for the built-in modules. */
function requireFrom(entry: string): string {
  const url = JSON.stringify(pathToFileURL(entry).href);
  return `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${url});`;
}

function keepLocations(prefixes: Map<string, number>): Plugin {
  return {
    name: 'keep-locations',
    setup(build) {
      build.onLoad(
        { filter: SOURCE_FILE, namespace: 'file' },
        async ({ path }): Promise<OnLoadResult | null> => {
          const text = await readFile(path, 'utf8');
          if (!USES_LOCATION.test(text)) return null;
          // The prefix goes into the first line of code, so that line numbers stay the same.
          const start = /^#!.*\n/.exec(text)?.[0].length ?? 0;
          const prefix = locationsOf(path);
          prefixes.set(path, prefix.length);
          return { contents: text.slice(0, start) + prefix + text.slice(start), loader: loaderOf(path) };
        },
      );
    },
  };
}

function locationsOf(path: string): string {
  const [url, file, folder] = [pathToFileURL(path).href, path, dirname(path)].map((s) => JSON.stringify(s));
  return `var __original_url = ${url}, __original_filename = ${file}, __original_dirname = ${folder};`;
}

function loaderOf(path: string): Loader {
  const [, typed, jsx] = /([jt])s(x?)$/.exec(path) ?? [];
  return `${typed === 't' ? 'ts' : 'js'}${jsx ? 'x' : ''}` as Loader;
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

function buildError(error: unknown, entry: string, prefixOf: (file: string) => number): ToolError {
  const [first, ...more] = (error as Partial<BuildFailure>).errors ?? [];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const detail = `${first?.text ?? (error as Error).message}${others}`;
  // esbuild writes its output itself, and reports a full disk only in its text.
  if (/no space left on device|quota exceeded/.test(detail)) return noSpaceLeft(error);
  const location = first?.location;
  if (!location) return new ToolError('module-build-failed', { file: entry, detail }, { cause: error });
  const { file, line, column, lineText } = location;
  const prefix = lineText.startsWith('var __original_url') ? prefixOf(file) : 0;
  const facts = { file, line, column: column - prefix + 1, detail };
  return new ToolError('module-build-failed', facts, { cause: error });
}

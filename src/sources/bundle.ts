/** A TypeScript payload module -> one JavaScript file that every runtime can import. The only user of esbuild. */
import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Loader, OnLoadResult, Plugin } from 'esbuild';
import { ToolError } from '../model/errors.ts';

/** What a bundle loses: where each of its files came from. Kept by a line of constants in the files that ask for it. */
const PLACE = {
  'import.meta.url': '__original_url',
  'import.meta.filename': '__original_filename',
  'import.meta.dirname': '__original_dirname',
  __filename: '__original_filename',
  __dirname: '__original_dirname',
};
const ASKS_FOR_PLACE = /\bimport\.meta\b|\b__(?:filename|dirname)\b/;
const SOURCE_FILE = /\.[mc]?[jt]sx?$/;

/** Resolved by the runtime itself, and only there. */
const OF_THE_RUNTIME = ['bun', 'bun:*', 'node:*', 'npm:*', 'jsr:*'];

/**
 * Writes `<target>.mjs` (`.cjs` for a `.cts`) and gives its path. Packages are bundled too: the result lies outside
 * of the user's project, where nothing would resolve them.
 * @throws ToolError `module-build-failed` with file, line and column of the first error
 */
export async function bundleModule(entry: string, target: string, cwd: string): Promise<string> {
  const { build } = await import('esbuild');
  const commonJs = extname(entry).toLowerCase() === '.cts';
  const outfile = `${target}${commonJs ? '.cjs' : '.mjs'}`;
  const prefixes = new Map<string, number>();
  try {
    await build({
      entryPoints: [entry],
      outfile,
      absWorkingDir: cwd,
      bundle: true,
      platform: 'node',
      format: commonJs ? 'cjs' : 'esm',
      // Keeps #private fields and class fields as written: they decide about the engine's path.
      target: 'node20.19',
      keepNames: true,
      sourcemap: 'inline',
      external: OF_THE_RUNTIME,
      define: PLACE,
      banner: commonJs ? {} : { js: requireFrom(entry) },
      plugins: [keepPlaces(prefixes), leaveAddons],
      logLevel: 'silent',
    });
    return outfile;
  } catch (error) {
    throw buildError(error, relative(cwd, entry), (file) => prefixes.get(resolve(cwd, file)) ?? 0);
  }
}

/** CommonJS packages inside an ES module bundle call `require` for the built-in modules. */
function requireFrom(entry: string): string {
  const url = JSON.stringify(pathToFileURL(entry).href);
  return `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${url});`;
}

function keepPlaces(prefixes: Map<string, number>): Plugin {
  return {
    name: 'keep-places',
    setup(build) {
      build.onLoad(
        { filter: SOURCE_FILE, namespace: 'file' },
        async ({ path }): Promise<OnLoadResult | null> => {
          const text = await readFile(path, 'utf8');
          if (!ASKS_FOR_PLACE.test(text)) return null;
          // Before the first line of code and on the same line, so that line numbers stay true.
          const start = /^#!.*\n/.exec(text)?.[0].length ?? 0;
          const prefix = placeOf(path);
          prefixes.set(path, prefix.length);
          return { contents: text.slice(0, start) + prefix + text.slice(start), loader: loaderOf(path) };
        },
      );
    },
  };
}

function placeOf(path: string): string {
  const [url, file, folder] = [pathToFileURL(path).href, path, dirname(path)].map((s) => JSON.stringify(s));
  return `var __original_url = ${url}, __original_filename = ${file}, __original_dirname = ${folder};`;
}

function loaderOf(path: string): Loader {
  const [, typed, jsx] = /([jt])s(x?)$/.exec(path) ?? [];
  return `${typed === 't' ? 'ts' : 'js'}${jsx ? 'x' : ''}` as Loader;
}

/** A native addon cannot be put into a bundle; it stays where it is. */
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

function buildError(error: unknown, entry: string, prefixOf: (file: string) => number): ToolError {
  const [first, ...more] = (error as Partial<BuildFailure>).errors ?? [];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const detail = `${first?.text ?? (error as Error).message}${others}`;
  const place = first?.location;
  if (!place) return new ToolError('module-build-failed', { file: entry, detail }, { cause: error });
  const { file, line, column, lineText } = place;
  const prefix = lineText.startsWith('var __original_url') ? prefixOf(file) : 0;
  const facts = { file, line, column: column - prefix + 1, detail };
  return new ToolError('module-build-failed', facts, { cause: error });
}

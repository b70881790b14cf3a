// Test files as plain JavaScript: a process that compiles TypeScript as it loads takes three times as long to start.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** In a bundle, `import.meta` would name the bundle. */
const ownLocation = {
  name: 'own-location',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const [url, folder] = [pathToFileURL(path).href, dirname(path)].map((text) => JSON.stringify(text));
      const text = readFileSync(path, 'utf8').replace(/^#!.*/, '');
      return { loader: 'ts', contents: `const __url = ${url}, __folder = ${folder}; ${text}` };
    });
  },
};

/** One file that runs several. */
const runAll = (files) => files.map((file) => `import ${JSON.stringify(`./${file}`)};\n`).join('');

const nameOf = ([first, ...others]) =>
  first
    .replace(/^test\//, '')
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', '-') + (others.length > 0 ? ` and ${others.length} others` : '');

/** Groups as files that do not exist. */
const groupsOf = (root, groups) => ({
  name: 'groups',
  setup(builder) {
    builder.onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
    builder.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      contents: runAll(groups[Number(path.slice('group:'.length))]),
      resolveDir: root,
    }));
  },
});

const options = (root) => ({
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  // Its ES module imports files without their endings, which Node cannot resolve.
  alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser') },
  external: ['bun:*'],
  define: { 'import.meta.url': '__url', 'import.meta.dirname': '__folder' },
  logLevel: 'warning',
});

/** A program of the tests, as one file. */
export const bundleProgram = (root, file, outfile) =>
  build({ ...options(root), entryPoints: [file], outfile, plugins: [ownLocation] });

/**
 * Writes `001 core-paths.mjs` and so on into `outdir`: `node --test` runs files in the order of their names, each in a
 * process of its own. The reporter names the sources of their positions.
 *
 * @param groups test files, those of one group in one process
 */
export async function bundleTests(root, groups, outdir) {
  const number = (index) => String(index + 1).padStart(3, '0');
  await build({
    ...options(root),
    entryPoints: groups.map((files, index) => ({
      in: files.length > 1 ? `group:${index}` : files[0],
      out: `${number(index)} ${nameOf(files)}`,
    })),
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [ownLocation, groupsOf(root, groups)],
  });
}

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

/**
 * Writes `001 core-paths.mjs` and so on into `outdir`: `node --test` runs files in the order of their names.
 * Stack traces name the sources with `--enable-source-maps`.
 */
export async function bundleTests(root, files, outdir) {
  const number = (index) => String(index + 1).padStart(3, '0');
  await build({
    absWorkingDir: root,
    entryPoints: files.map((file, index) => ({
      in: file,
      out: `${number(index)} ${file
        .replace(/^test\//, '')
        .replace(/\.test\.ts$/, '')
        .replaceAll('/', '-')}`,
    })),
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    // Its ES module imports files without their endings, which Node cannot resolve.
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser') },
    external: ['bun:*'],
    sourcemap: 'linked',
    sourcesContent: false,
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__folder' },
    plugins: [ownLocation],
    logLevel: 'warning',
  });
}

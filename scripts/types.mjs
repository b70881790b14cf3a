// The published type declarations: what the entries export, and the declarations that these lead to.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { documentTypes } from './document-types.mjs';

const run = promisify(execFile);

// TypeScript leaves the suffixes of declarations as they are.
const RELATIVE_IMPORT = /((?:from|import)\s*\(?\s*['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g;

const ENTRIES = [
  'index.d.ts',
  ...['index', 'vitest', 'jest', 'bun'].map((entry) => `faces/matchers/${entry}.d.ts`),
  ...['vite', 'esbuild', 'rollup'].map((entry) => `faces/bundlers/${entry}.d.ts`),
];

/** The declarations that `entry` leads to, relative to `folder`, each with its text. */
function reachable(folder, entry, found = new Map()) {
  if (found.has(entry)) return found;
  const text = readFileSync(join(folder, entry), 'utf8');
  // Without indentation, as the schemas: it is a tenth of them.
  found.set(entry, text.replace(RELATIVE_IMPORT, '$1$2.js').replace(/^ +/gm, ''));
  for (const [, , path] of text.matchAll(RELATIVE_IMPORT))
    reachable(folder, posix.join(posix.dirname(entry), `${path}.d.ts`), found);
  return found;
}

function write(outdir, files) {
  rmSync(outdir, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(outdir, name)), { recursive: true });
    writeFileSync(join(outdir, name), text);
  }
}

/** An entry for ESM: what it is made of is there once, for CommonJS, from which ESM may import types too. */
const ofCommonJs = (entry, text) =>
  text.replace(/(?<=(?:from|import)\s*\(?\s*['"])\.{1,2}\/[^'"]+\.js(?=['"])/g, (path) => {
    const from = posix.dirname(entry);
    const file = posix.join(from, path);
    return ENTRIES.includes(file.replace(/\.js$/, '.d.ts'))
      ? path
      : posix.relative(posix.join('types', from), posix.join('cjs/types', file));
  });

/** dist/types for ESM, dist/cjs/types for CommonJS. Takes some seconds. */
export async function buildTypes(root, outdir) {
  const emitted = mkdtempSync(join(tmpdir(), 'clone-prof-types-'));
  try {
    const tsc = join(
      dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
      'bin',
      'tsc',
    );
    const project = join(root, 'scripts', 'tsconfig.types.json');
    // More threads do some of the work twice.
    await run(process.execPath, [tsc, '-p', project, '--outDir', emitted, '--singleThreaded'], { cwd: root });
    for (const [name, text] of await documentTypes(root)) {
      writeFileSync(join(emitted, 'model', 'documents', name), text);
    }
    const files = new Map();
    for (const entry of ENTRIES) reachable(emitted, entry, files);
    const client = 'faces/bundlers/client.d.ts';
    write(join(outdir, 'types'), [
      ...ENTRIES.map((entry) => [entry, ofCommonJs(entry, files.get(entry))]),
      [client, readFileSync(join(root, 'src', client), 'utf8')],
    ]);
    write(join(outdir, 'cjs', 'types'), files);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

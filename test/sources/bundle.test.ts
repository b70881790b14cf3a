import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { project } from '../support/temp-project.ts';

type Files = Record<string, string>;

/** What a runtime sees when it imports the module made of `entry`: JSON of the exports, functions called. */
const LOOK = `const m = await import(process.argv.at(-1));
const value = (v) => typeof v === 'function' && !/^class/.test(String(v)) ? v() : v;
console.log(JSON.stringify(Object.fromEntries(Object.keys(m).sort().map((k) => [k, value(m[k])]))));`;

async function bundled(t: Parameters<typeof project>[0], entry: string, files: Files) {
  const { cwd, load } = await project(t, { 'look.mjs': LOOK, ...files });
  const [source] = await load([entry]);
  return { cwd, source };
}

async function exportsOf(
  t: Parameters<typeof project>[0],
  entry: string,
  files: Files,
  spec: RuntimeSpec = 'node',
) {
  const { cwd, source } = await bundled(t, entry, files);
  assert.ok(source?.kind === 'open' && source.recipe.build.form === 'module', JSON.stringify(source));
  assert.equal(source.recipe.build.original, entry);
  const { binary, name } = runtime(spec);
  const flags = name === 'deno' ? ['run', '-A', '--no-lock'] : [];
  const file = pathToFileURL(source.recipe.build.file).href;
  const { stdout } = await promisify(execFile)(binary, [...flags, join(cwd, 'look.mjs'), file], {
    timeout: 180_000,
  });
  return { cwd, exported: JSON.parse(stdout) as Record<string, unknown> };
}

const PACKAGE: Files = {
  'node_modules/legacy/package.json': '{"name":"legacy","main":"index.js"}',
  'node_modules/legacy/index.js': `const path = require('path');
exports.here = () => path.basename(__dirname); exports.file = __filename.slice(-8);`,
};

const ROWS: { name: string; entry: string; files: Files; expected: Record<string, unknown> }[] = [
  {
    name: 'types go',
    entry: 'a.ts',
    files: { 'a.ts': 'export const a: number = 1 as number;' },
    expected: { a: 1 },
  },
  { name: 'mts', entry: 'a.mts', files: { 'a.mts': 'export const a: number = 1;' }, expected: { a: 1 } },
  {
    name: 'parameter properties and enums',
    entry: 'a.ts',
    files: {
      'a.ts': 'enum E { A = 3 } class P { constructor(readonly x: E) {} } export const p = new P(E.A);',
    },
    expected: { p: { x: 3 } },
  },
  {
    name: 'other files, with and without an ending',
    entry: 'a.ts',
    files: {
      'a.ts':
        "import { b } from './b'; import { c } from './c.ts'; import d from './d.json'; export const all = [b, c, d];",
      'b.ts': 'export const b = 1;',
      'c.ts': 'export const c = 2;',
      'd.json': '{"d":3}',
    },
    expected: { all: [1, 2, { d: 3 }] },
  },
  {
    name: 'top-level await',
    entry: 'a.ts',
    files: { 'a.ts': 'export const a = await Promise.resolve(4);' },
    expected: { a: 4 },
  },
  {
    name: 'a CommonJS package keeps require, __dirname and __filename',
    entry: 'a.ts',
    files: { ...PACKAGE, 'a.ts': "import { here, file } from 'legacy'; export const all = [here(), file];" },
    expected: { all: ['legacy', 'index.js'] },
  },
  {
    name: 'a require of its own',
    entry: 'a.ts',
    files: {
      ...PACKAGE,
      'a.ts': `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const here: string = require('legacy').here();`,
    },
    expected: { here: 'legacy' },
  },
  {
    name: 'a __dirname of its own',
    entry: 'a.ts',
    files: {
      'a.ts': `import { basename, dirname } from 'node:path'; import { fileURLToPath } from 'node:url';
const __filename = fileURLToPath(import.meta.url); const __dirname = dirname(__filename);
export const names = [basename(__filename), basename(__dirname)];`,
    },
    expected: { names: ['a.ts', 'user'] },
  },
  {
    name: 'class names and private fields stay',
    entry: 'a.ts',
    files: {
      'a.ts':
        "import { Point as P } from './b.ts'; class Point { #x = 1; has = (o: object) => #x in o } const p = new Point(); export const all = [Point.name, P.name, p.has(p)];",
      'b.ts': 'export class Point {}',
    },
    expected: { all: ['Point', 'Point', true] },
  },
  {
    name: 'a tsconfig with paths',
    entry: 'a.ts',
    files: {
      'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}',
      'a.ts': "export { b } from '@lib/b';",
      'lib/b.ts': 'export const b = 6;',
    },
    expected: { b: 6 },
  },
  {
    name: 'a hashbang before the place',
    entry: 'a.ts',
    files: { 'a.ts': '#!/usr/bin/env node\nexport const url = import.meta.url.slice(-5);' },
    expected: { url: '/a.ts' },
  },
];

describe('a TypeScript module is one file that a runtime imports', () => {
  for (const { name, entry, files, expected } of ROWS) {
    test(name, async (t) => assert.deepEqual((await exportsOf(t, entry, files)).exported, expected));
  }

  for (const spec of ['bun@1.4.5', 'deno@2.9.6'] as const) {
    test(`the same in ${spec}`, { skip: missing(spec) }, async (t) => {
      const row = ROWS.find(({ name }) => name.startsWith('a CommonJS package'));
      assert.ok(row);
      assert.deepEqual((await exportsOf(t, row.entry, row.files, spec)).exported, row.expected);
    });
  }

  test('each module finds the files beside it', async (t) => {
    const { cwd, exported } = await exportsOf(t, 'a.ts', {
      'a.ts': `import { readFileSync } from 'node:fs'; import { there } from './lib/b.ts';
export const text = readFileSync(new URL('./data.txt', import.meta.url), 'utf8');
export const places = [import.meta.dirname, import.meta.filename, there];`,
      'lib/b.ts': 'export const there: string | undefined = import.meta.dirname;',
      'data.txt': 'beside',
    });
    const folder = await realpath(cwd);
    assert.deepEqual(exported, {
      text: 'beside',
      places: [folder, join(folder, 'a.ts'), join(folder, 'lib')],
    });
  });

  test('a .cts stays CommonJS, so that its exports have names', async (t) => {
    const { source } = await bundled(t, 'a.cts', {
      'a.cts': 'export const a: number = 1; export const b = () => 2;',
    });
    assert.ok(source?.kind === 'open' && source.recipe.build.form === 'module');
    assert.match(source.recipe.build.file, /\.cjs$/);
    const { binary } = runtime('node');
    const script = `const { a, b } = require(${JSON.stringify(source.recipe.build.file)}); console.log(a, b());`;
    const { stdout } = await promisify(execFile)(binary, ['-e', script]);
    assert.equal(stdout, '1 2\n');
  });
});

const BROKEN: { name: string; files: Files; message: RegExp }[] = [
  {
    name: 'syntax error',
    files: { 'a.ts': 'export const fine = 1;\nexport const = 2;\n' },
    message: /^a\.ts:2:14: cannot be compiled: Expected identifier but found "="/,
  },
  {
    name: 'syntax error on a first line that knows its place',
    files: { 'a.ts': 'export const u = import.meta.url, = 2;\n' },
    message: /^a\.ts:1:35: cannot be compiled: Expected identifier but found "="/,
  },
  {
    name: 'error in an imported file',
    files: { 'a.ts': "export * from './lib/b.ts';", 'lib/b.ts': '\n\n  let x: = 1;' },
    message: /^lib\/b\.ts:3:10: cannot be compiled: Unexpected "="/,
  },
  {
    name: 'a package that is not there',
    files: { 'a.ts': "import { x } from 'no-such-package'; export const y = x;" },
    message: /^a\.ts:1:19: cannot be compiled: Could not resolve "no-such-package"/,
  },
  {
    name: 'several errors',
    files: { 'a.ts': "import 'no-such-a'; import 'no-such-b'; import 'no-such-c';" },
    message: /^a\.ts:1:8: cannot be compiled: Could not resolve "no-such-a".* \(and 2 more\)$/,
  },
];

describe('a module that does not compile is an error with the position', () => {
  for (const { name, files, message } of BROKEN) {
    test(name, async (t) => {
      const { source } = await bundled(t, 'a.ts', files);
      assert.ok(source?.kind === 'failed', JSON.stringify(source));
      assert.equal(source.error.code, 'module-build-failed');
      assert.match(source.error.message, message);
    });
  }
});

test('one broken module does not affect the others', async (t) => {
  const { load } = await project(t, {
    'a.ts': 'export const = 1',
    'b.ts': 'export const b = 1',
    'c.json': '1',
  });
  const kinds = (await load(['*'])).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['failed', 'open', 'ready']);
});

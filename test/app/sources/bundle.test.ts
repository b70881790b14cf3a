import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleModule, compressedBytes, unbuiltAt } from '../../../src/app/sources/bundle.ts';
import { runScript } from '../../support/run-script.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { casesOfFiles, project } from '../../support/temp-project.ts';

type Files = Record<string, string>;

async function bundled(entry: string, files: Files) {
  const { cwd, load } = project(files);
  const [source] = await load([entry]);
  return { cwd, source };
}

async function compiled(entry: string, files: Files) {
  const { cwd, source } = await bundled(entry, files);
  assert.ok(source?.kind === 'open' && source.recipe.build.form === 'module', JSON.stringify(source));
  assert.equal(source.recipe.build.original, entry);
  return { cwd, url: pathToFileURL(source.recipe.build.file).href };
}

/** In this process. */
const exportsOf = async (url: string) => ({ ...((await import(url)) as object) });

const PACKAGE: Files = {
  'node_modules/legacy/package.json': '{"name":"legacy","main":"index.js"}',
  'node_modules/legacy/index.js': `const path = require('path');
exports.here = () => path.basename(__dirname); exports.file = __filename.slice(-8);`,
};
const OF_PACKAGE = "import { here, file } from 'legacy'; export const all = [here(), file];";

/** What each exports. */
const ROWS = casesOfFiles(`
# types go: {"a":1}
a.ts: export const a: number = 1 as number;
# parameter properties and enums: {"p":3}
a.ts: enum E { A = 3 } class P { constructor(readonly x: E) {} } export const p = new P(E.A).x;
# other files, with and without an ending: {"all":[1,2,{"d":3}]}
a.ts: import { b } from './b'; import { c } from './c.ts'; import d from './d.json'; export const all = [b, c, d];
b.ts: export const b = 1;
c.ts: export const c = 2;
d.json: {"d":3}
# top-level await: {"a":4}
a.ts: export const a = await Promise.resolve(4);
# a CommonJS package keeps require, __dirname and __filename: {"all":["legacy","index.js"]}
a.ts: import { here, file } from 'legacy'; export const all = [here(), file];
# a require of its own: {"here":"legacy"}
a.ts: import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const here: string = require('legacy').here();
# a __dirname of its own: {"names":["a.ts","user"]}
a.ts: import { basename, dirname } from 'node:path'; import { fileURLToPath } from 'node:url';
const __filename = fileURLToPath(import.meta.url); const __dirname = dirname(__filename);
export const names = [basename(__filename), basename(__dirname)];
# class names and private fields stay: {"all":["Point","Point",true]}
a.ts: import { Point as P } from './b.ts'; class Point { #x = 1; has = (o: object) => #x in o } const p = new Point(); export const all = [Point.name, P.name, p.has(p)];
b.ts: export class Point {}
# a tsconfig with paths: {"b":6}
a.ts: export { b } from '@lib/b';
tsconfig.json: {"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}
lib/b.ts: export const b = 6;
# a hashbang before the place: {"url":"/a.ts"}
a.ts: #!/usr/bin/env node
export const url = import.meta.url.slice(-5);`);

describe('a TypeScript module is one file that a runtime imports', () => {
  for (const { name, told, files } of ROWS)
    test(name, async () => {
      const { url } = await compiled('a.ts', { ...PACKAGE, ...files });
      assert.deepEqual(await exportsOf(url), JSON.parse(told));
    });

  for (const spec of ['bun@1.4.5', 'deno@2.9.6'] as const) {
    test(`the same in ${spec}`, { skip: missing(spec) }, async () => {
      const { cwd, url } = await compiled('a.ts', { ...PACKAGE, 'a.ts': OF_PACKAGE });
      const script = join(cwd, 'look.mjs');
      await writeFile(script, `import { all } from '${url}'; console.log(all.join());`);
      assert.equal(await runScript(runtime(spec), [script]), 'legacy,index.js\n');
    });
  }

  test('each module finds the files next to it', async () => {
    const { cwd, url } = await compiled('a.ts', {
      'a.ts': `import { readFileSync } from 'node:fs'; import { there } from './lib/b.ts';
export const text = readFileSync(new URL('./data.txt', import.meta.url), 'utf8');
export const places = [import.meta.dirname, import.meta.filename, there];`,
      'lib/b.ts': 'export const there: string | undefined = import.meta.dirname;',
      'data.txt': 'beside',
    });
    const folder = await realpath(cwd);
    assert.deepEqual(await exportsOf(url), {
      text: 'beside',
      places: [folder, join(folder, 'a.ts'), join(folder, 'lib')],
    });
  });

  test('a .cts stays CommonJS, so that its exports have names', async () => {
    const { url } = await compiled('a.cts', {
      'a.cts': 'export const a: number = 1; export const b = () => 2;',
    });
    assert.match(url, /\.cjs$/);
    const { a, b } = (await import(url)) as { a: number; b: () => number };
    assert.deepEqual([a, b()], [1, 2]);
  });
});

const BROKEN = casesOfFiles(String.raw`
# syntax error: ^a\.ts:2:14: cannot be compiled: Expected identifier but found "="
a.ts: export const fine = 1;
export const = 2;
# syntax error on a first line that knows its place: ^a\.ts:1: cannot be compiled: Expected identifier but found "="
a.ts: export const u = import.meta.url, = 2;
# error in an imported file: ^lib/b\.ts:3:10: cannot be compiled: Unexpected "="
a.ts: export * from './lib/b.ts';
lib/b.ts:

  let x: = 1;
# a package that is not there: ^a\.ts:1:19: cannot be compiled: Could not resolve "no-such-package"
a.ts: import { x } from 'no-such-package'; export const y = x;`);

describe('a module that does not compile is an error with the position', () => {
  for (const { name, told, files } of BROKEN)
    test(name, async () => {
      const { source } = await bundled('a.ts', files);
      assert.ok(source?.kind === 'failed', JSON.stringify(source));
      assert.equal(source.error.code, 'module-build-failed');
      assert.match(source.error.message, new RegExp(told));
    });
});

/** Where what is wrong stands, as said after the message of an engine. */
const UNBUILT = casesOfFiles(`
# in the module itself: line 2, column 8
a.mjs: import './gone.mjs';
export ;
# in one that it imports: b.mjs, line 1, column 18
a.mjs: import './b.mjs';
b.mjs: export const b = ;
# a name that another does not export: line 1, column 10
a.mjs: import { c } from './b.mjs'; export { c };
b.mjs: export const b = 1;
# a package or a file that is not there: null
a.mjs: import 'gone'; import './gone.mjs';
# nothing: null
a.mjs: export const a = import.meta.url;`);

describe('the place of what an engine cannot parse', () => {
  for (const { name, told, files } of UNBUILT)
    test(name, async () => {
      const { cwd } = project(files);
      assert.equal(String(await unbuiltAt(join(cwd, 'a.mjs'), cwd)), told);
    });
});

test('the file of a package is that which Node itself chooses', async () => {
  const conditions = ['bun', 'browser', 'module', 'worker', 'node-addons', 'module-sync', 'node', 'default'];
  for (const [at] of conditions.entries()) {
    const left = conditions.slice(at);
    const names = left.map((condition) => [condition, `./${condition}.mjs`]);
    const modules = left.map((condition) => [
      `node_modules/p/${condition}.mjs`,
      `export default '${condition}';`,
    ]);
    const { cwd, url } = await compiled('a.ts', {
      'node_modules/p/package.json': JSON.stringify({ name: 'p', exports: Object.fromEntries(names) }),
      ...Object.fromEntries(modules),
      'a.ts': "export { default as file } from 'p';",
      'b.mjs': "export { default as file } from 'p';",
    });
    assert.deepEqual(await exportsOf(url), await exportsOf(pathToFileURL(join(cwd, 'b.mjs')).href), left[0]);
  }
});

test('a killed esbuild is started again, once for all that asks for it', {
  skip: process.platform !== 'linux',
}, async () => {
  const cwd = tempFolder('build');
  const entry = join(cwd, 'a.ts');
  writeFileSync(entry, 'export default 1 as number;');
  await bundleModule(entry, join(cwd, 'first'), cwd);
  const kill = () => {
    const own = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
    const esbuild = own.split('\n').find((line) => line.includes('--service='));
    assert.ok(esbuild, own);
    process.kill(Number.parseInt(esbuild, 10), 'SIGKILL');
  };
  kill();
  const targets = ['second', 'third', 'fourth'].map((name) => join(cwd, name));
  for (const file of await Promise.all(targets.map((target) => bundleModule(entry, target, cwd))))
    assert.match(readFileSync(file, 'utf8'), /a_default as default/);
  kill();
  assert.ok((await compressedBytes('export const a: number = 1;')) > 0);
});

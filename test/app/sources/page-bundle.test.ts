import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { stop } from 'esbuild';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import type { ErrorCode } from '../../../src/model/errors.ts';
import { casesOfFiles, project } from '../../support/temp-project.ts';
import { isToolError } from '../../support/tool-errors.ts';

type Files = Record<string, string>;

/** What each exports. */
const ROWS = casesOfFiles(`
# TypeScript, JSON, a package of CommonJS, top-level await: {"all":[2,{"d":3}]}
a.ts: import { half } from 'legacy'; import data from './d.json' with { type: 'json' };
const four: number = await Promise.resolve(4); export const all = [half(four), data];
d.json: {"d":3}
node_modules/legacy/package.json: {"name":"legacy","main":"index.js"}
node_modules/legacy/index.js: exports.half = (n) => n / 2; exports.global = typeof global;
# the file of a package for browsers: {"at":"browser"}
a.mjs: import where from 'both'; export const at = where;
node_modules/both/package.json: {"name":"both","exports":{"node":"./node.mjs","browser":"./browser.mjs"}}
node_modules/both/node.mjs: import 'node:fs'; export default 'node';
node_modules/both/browser.mjs: export default 'browser';
# CommonJS: {"default":{"b":1,"c":[2]}}
a.cjs: module.exports = { b: 1, c: [2] };
# a module of Node in a try: {"default":{"fs":null}}
a.cjs: let fs = null; try { fs = require('node:fs'); } catch {} module.exports = { fs };
# a package with the name of a module of Node: {"events":5}
a.mjs: import { on } from 'events'; export const events = on;
node_modules/events/package.json: {"name":"events","main":"index.js"}
node_modules/events/index.js: exports.on = 5;`);

const REFUSED = casesOfFiles(String.raw`
# module-unsupported: ^a\.mjs: this runtime cannot load it: it imports 'node:fs', which no browser has$
a.mjs: import fs from 'node:fs'; export const all = fs;
# module-unsupported: : node_modules/reads/index\.js:2 imports 'fs/promises', which no browser has$
a.ts: export { read } from 'reads';
node_modules/reads/package.json: {"name":"reads","main":"index.js"}
node_modules/reads/index.js: 'use strict';
exports.read = require('fs/promises').readFile;
# module-unsupported: it imports 'bun:jsc', which no browser has$
a.ts: import { describe } from 'bun:jsc'; export const all = describe;
# module-unsupported: it imports 'addon\.node', which no browser has$
a.cjs: module.exports = require('./addon.node');
addon.node: ELF
# module-build-failed: ^a\.mjs:1:19: cannot be compiled: Could not resolve "nowhere"$
a.mjs: import { b } from 'nowhere'; export const all = b;
# module-build-failed: ^a\.ts:1:18:
a.ts: export const a = ;`);

/** Bundles the first of the files. */
async function bundled(files: Files) {
  const { cwd } = project(files);
  const [name = ''] = Object.keys(files);
  return { cwd, module: await bundleForPage({ file: join(cwd, name), name }, cwd) };
}

describe('a module for pages', () => {
  after(() => stop());

  for (const { name, told, files } of ROWS)
    test(name, async () => {
      const { module } = await bundled(files);
      assert.equal(module.kind, 'a.cjs' in files ? 'commonjs' : 'esm');
      const code = Buffer.from(module.code).toString('base64');
      assert.deepEqual({ ...(await import(`data:text/javascript;base64,${code}`)) }, JSON.parse(told));
    });

  for (const { name, told, files } of REFUSED)
    test(`refused: ${told}`, () =>
      assert.rejects(bundled(files), isToolError(name as ErrorCode, new RegExp(told))));

  test('a file that is gone', async () => {
    const { cwd } = project();
    const gone = bundleForPage({ file: join(cwd, 'gone.mjs'), name: 'gone.mjs' }, cwd);
    await assert.rejects(gone, /^ToolError: gone\.mjs: no such file/);
  });

  test('positions are mapped to the original files', async () => {
    const { module } = await bundled({
      'a.ts': "interface A { a: 1 }\nimport { later } from './b.ts';\nexport const here = () => later();\n",
      'b.ts': "type B = 1;\n\nexport const later = () => 'later';\n",
    });
    const at = (text: string) => {
      const before = module.code.slice(0, module.code.indexOf(text)).split('\n');
      return module.originalOf(before.length, (before.at(-1)?.length ?? 0) + 1);
    };
    assert.deepEqual(at('later()'), { line: 3, column: 27 });
    assert.deepEqual(at('"later"'), { file: 'b.ts', line: 3, column: 28 });
    assert.equal(module.originalOf(1, 1), null);
  });
});

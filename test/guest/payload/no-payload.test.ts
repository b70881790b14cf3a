import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from '../../../src/guest/payload/module.ts';
import '../../support/guest-platform.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

const folder = tempFolder('exports');

const WHAT_TO_DO = String.raw`\. Export values: export const rows = \[\.\.\.\], or an instance of a class$`;

const MODULES: [what: string, code: string, message: RegExp][] = [
  [
    'classes',
    'export class Row {}\nexport default class Table {}',
    new RegExp(String.raw`^m0\.mjs: exports no payload \(Row is a class, default is a class\)${WHAT_TO_DO}`),
  ],
  [
    'a class, a transfer list and a variable without a value',
    'export class Row {}\nexport const transfer = () => [];\nexport let rows;',
    new RegExp(
      String.raw`^m1\.mjs: exports no payload \(Row is a class, rows is undefined, transfer is a transfer list\)${WHAT_TO_DO}`,
    ),
  ],
  [
    'nothing',
    'export {}',
    /^m2\.mjs: exports nothing\. Export the payloads: export const rows = \[\.\.\.\]\. To profile a program: npx clone-prof record -- node m2\.mjs$/,
  ],
];

for (const [at, [what, code, message]] of MODULES.entries()) {
  test(`a module that exports ${what}: the error lists it`, async () => {
    const name = `m${at}.mjs`;
    const file = join(folder, name);
    writeFileSync(file, code);
    const build = { form: 'module', file, original: name, export: '' } as const;
    const recipe = { id: 'm', source: { file: name, export: null }, build };
    await assert.rejects(open({ type: 'open', recipe, exports: null }), isToolError('no-exports', message));
  });
}

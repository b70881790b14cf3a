import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineOfValue } from '../../../src/gate/check/payload-files.ts';
import type { RecipeForm } from '../../../src/model/report/recipe.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('line');

const recipe = (build: RecipeForm) => ({ id: 'a', source: { file: 'a', export: null }, build });

const JSON_TEXT = `{
  "rows": [
    { "id": 1 },
    {
      "odd key": { "a": [
        true ] },
      "id": 2
    }
  ], "last":
  null
}`;

const IN_JSON: { steps: (string | number)[]; line: number }[] = [
  { steps: [], line: 1 },
  { steps: ['rows', 1, 'odd key', 'a', 0], line: 6 },
  { steps: ['last'], line: 9 },
  { steps: ['rows', 1, 'absent', 'deeper'], line: 4 },
  { steps: ['absent'], line: 1 },
];

for (const { steps, line } of IN_JSON) {
  test(`JSON: ${steps.join('.') || 'the root'} is on line ${line}`, async () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, JSON_TEXT);
    assert.equal(lineOfValue(recipe({ form: 'json', file }), steps, folder), line);
  });
}

const MODULE = `import x from 'y';
// export const rows = 0
export const other = 1,
  rows = 2;
export async function* made() {}
  export class Point {}
export const rows$ = [];
function inner() {}
const later = 1;
export { later, inner as renamed };
export default [
];
exports.common = 1;
module.exports.full = 2;
`;

const IN_MODULE: { name: string; line: number }[] = [
  { name: 'made', line: 5 },
  { name: 'rows$', line: 7 },
  { name: 'renamed', line: 10 },
  { name: 'default', line: 11 },
  { name: 'common', line: 13 },
  { name: 'full', line: 14 },
  { name: '.*', line: 1 },
];

for (const { name, line } of IN_MODULE) {
  test(`module: ${name} is on line ${line}`, async () => {
    writeFileSync(join(folder, 'm.mjs'), MODULE);
    const form: RecipeForm = {
      form: 'module',
      file: '/elsewhere/bundle.mjs',
      original: 'm.mjs',
      export: name,
    };
    assert.equal(lineOfValue(recipe(form), ['whatever'], folder), line);
  });
}

const HOSTILE: { what: string; build: RecipeForm; text: string }[] = [
  {
    what: 'nested deeper than a recursive parser can follow',
    build: { form: 'json', file: 'deep.json' },
    text: '['.repeat(100_000) + ']'.repeat(100_000),
  },
  {
    what: 'a name longer than a regular expression may be',
    build: { form: 'module', file: '', original: 'long.mjs', export: 'x'.repeat(200_000) },
    text: 'export const a = 1',
  },
  {
    what: 'many beginnings of a list of exports, which takes an hour where each is searched to the end',
    build: { form: 'module', file: '', original: 'many.mjs', export: 'absent' },
    text: `/*\n${'export {\n'.repeat(400_000)}*/`,
  },
];

for (const { what, build, text } of HOSTILE) {
  test(`the first line: ${what}`, async () => {
    const file = join(folder, build.form === 'module' ? build.original : 'deep.json');
    writeFileSync(file, text);
    assert.equal(lineOfValue(recipe(build.form === 'json' ? { ...build, file } : build), [], folder), 1);
  });
}

test('other files: the line of NDJSON, the first line of a text, none of bytes or of a missing file', async () => {
  const file = join(folder, 'gone');
  const lineOf = (form: RecipeForm) => lineOfValue(recipe(form), [], folder);
  assert.equal(await lineOf({ form: 'ndjson', file, line: 7, offset: 0, length: 1 }), 7);
  assert.equal(await lineOf({ form: 'text', file }), 1);
  assert.equal(await lineOf({ form: 'bytes', file }), null);
  assert.equal(await lineOf({ form: 'json', file }), null);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineOfValue } from '../../../src/gate/check/line.ts';
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
  { steps: ['rows'], line: 2 },
  { steps: ['rows', 0, 'id'], line: 3 },
  { steps: ['rows', 1], line: 4 },
  { steps: ['rows', 1, 'odd key', 'a', 0], line: 6 },
  { steps: ['last'], line: 9 },
  { steps: ['rows', 1, 'absent', 'deeper'], line: 4 },
  { steps: ['absent'], line: 1 },
];

for (const { steps, line } of IN_JSON) {
  test(`JSON: ${steps.join('.') || 'the root'} is on line ${line}`, async () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, JSON_TEXT);
    assert.equal(lineOfValue(recipe({ form: 'json', file }), steps), line);
  });
}

test('the first line of what is nested deeper than a recursive parser can follow', () => {
  const file = join(folder, 'deep.json');
  writeFileSync(file, '['.repeat(100_000) + ']'.repeat(100_000));
  assert.equal(lineOfValue(recipe({ form: 'json', file }), []), 1);
});

test('other files: the line of NDJSON, the first line of a text, none of bytes or of a missing file', async () => {
  const file = join(folder, 'gone');
  const lineOf = (form: RecipeForm) => lineOfValue(recipe(form), []);
  assert.equal(await lineOf({ form: 'ndjson', file, line: 7, offset: 0, length: 1 }), 7);
  assert.equal(await lineOf({ form: 'text', file }), 1);
  assert.equal(await lineOf({ form: 'bytes', file }), null);
  assert.equal(await lineOf({ form: 'json', file }), null);
});

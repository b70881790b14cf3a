import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idsOf } from '../../../src/app/sources/load.ts';

const ROWS: [name: string, paths: string[], ids: string[]][] = [
  ['stems', ['a/orders.json', 'rows.mjs'], ['orders', 'rows']],
  ['only the last ending goes', ['orders.v2.json'], ['orders.v2']],
  ['same stem, other ending', ['rows.json', 'rows.mjs'], ['rows.json', 'rows.mjs']],
  ['same stem, other folder', ['a/rows.json', 'b/rows.json'], ['a/rows', 'b/rows']],
  ['as many folders as it takes', ['x/a/rows.json', 'y/a/rows.json'], ['x/a/rows', 'y/a/rows']],
  [
    'folder and ending',
    ['a/rows.json', 'a/rows.ts', 'b/rows.json'],
    ['a/rows.json', 'a/rows.ts', 'b/rows.json'],
  ],
  ['one without a folder', ['rows.json', 'a/rows.json'], ['rows', 'a/rows']],
  [
    'a stem that is the name of another',
    ['rows.json', 'rows.mjs', 'x/rows.json.txt'],
    ['rows.json', 'rows.mjs', 'x/rows.json.txt'],
  ],
  ['others keep their short id', ['a/rows.json', 'b/rows.json', 'b/cols.json'], ['a/rows', 'b/rows', 'cols']],
  ['no ending', ['Makefile'], ['Makefile']],
  ['a dot file', ['.npmrc'], ['.npmrc']],
  ['nothing', [], []],
];

describe('report ids', () => {
  for (const [name, paths, ids] of ROWS) {
    test(name, () => assert.deepEqual(idsOf(paths), ids));
  }

  test('do not depend on the order of arguments', () => {
    const paths = ['b/rows.json', 'a/rows.json', 'rows.ts', 'cols.json'];
    const ids = new Map(idsOf(paths).map((id, index) => [paths[index], id]));
    const reversed = paths.toReversed();
    assert.deepEqual(
      idsOf(reversed),
      reversed.map((path) => ids.get(path)),
    );
  });
});

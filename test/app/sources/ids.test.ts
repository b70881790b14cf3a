import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idsOf } from '../../../src/app/sources/load.ts';

const named = (paths: readonly string[]) => idsOf(paths.map((shown) => ({ shown })));

const ROWS: [name: string, paths: string[], ids: string[]][] = [
  [
    'stems',
    ['a/orders.v2.json', 'rows.mjs', 'Makefile', '.npmrc'],
    ['orders.v2', 'rows', 'Makefile', '.npmrc'],
  ],
  [
    'the same stem in two folders',
    ['a/rows.json', 'b/rows.json', 'b/cols.json'],
    ['a/rows', 'b/rows', 'cols'],
  ],
  ['the same stem in one folder', ['rows.json', 'rows.mjs'], ['rows.json', 'rows.mjs']],
  ['a stem that is the path of another', ['rows.json', 'x/rows.json.txt'], ['rows', 'x/rows.json']],
];

describe('report ids', () => {
  for (const [name, paths, ids] of ROWS) {
    test(name, () => assert.deepEqual(named(paths), ids));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListed, isTransferable } from '../../../src/gate/compare/limits.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { row } from '../../make.ts';
import { text, view } from './runs.ts';

const tiles = (count: number) => view('$.tiles[*].pixels', 1, 1, { count });
const [FIRST, SECOND] = ['$.tiles[0].pixels', '$.tiles[1].pixels.buffer'] as const;
const PORT = row('$.port', 'platform', ['transferable'], { tag: 'MessagePort' });
const LISTED: [row: Facts, listed: string[], covered: boolean][] = [
  [tiles(3), ['$.tiles[*].pixels'], true],
  [tiles(3), [FIRST], false],
  [tiles(2), [FIRST, SECOND], true],
  [tiles(2), [FIRST, `${FIRST}.buffer`], false],
  [view('$.a', 1, 1), ['$.b'], false],
  [view('$.a', 1, 1), [], false],
  [PORT, ['$.port'], true],
];

for (const [facts, listed, covered] of LISTED)
  test(`${facts.count} at ${facts.pattern}, listed ${listed.join(' and ') || 'nothing'}`, () => {
    assert.equal(isTransferable(facts), true);
    assert.equal(isListed(facts, listed), covered);
  });

test('memory that cannot be transferred need not be listed', () => {
  for (const flag of ['shared-backing', 'detached', 'wasm-memory', 'pooled', 'untransferable'] as const) {
    assert.equal(isTransferable(view('$.a', 1, 1, { flags: [flag] })), false, flag);
  }
  assert.equal(isTransferable(view('$.a', 0, 0)), false);
  assert.equal(isTransferable(text('$.a', 5)), false);
});

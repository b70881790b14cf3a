import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListed, isTransferable } from '../../../src/core/gate/limits.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { row } from '../../make.ts';
import { text, view } from './runs.ts';

const LISTED: { row: Facts; listed: string[]; covered: boolean }[] = [
  { row: view('$.tiles[*].pixels', 1, 1, { count: 3 }), listed: ['$.tiles[*].pixels'], covered: true },
  { row: view('$.tiles[*].pixels', 1, 1, { count: 3 }), listed: ['$.tiles[0].pixels'], covered: false },
  {
    row: view('$.tiles[*].pixels', 1, 1, { count: 2 }),
    listed: ['$.tiles[0].pixels', '$.tiles[1].pixels.buffer'],
    covered: true,
  },
  {
    row: view('$.tiles[*].pixels', 1, 1, { count: 2 }),
    listed: ['$.tiles[0].pixels', '$.tiles[0].pixels.buffer'],
    covered: false,
  },
  { row: view('$.a', 1, 1), listed: ['$.b'], covered: false },
  { row: view('$.a', 1, 1), listed: [], covered: false },
  {
    row: row('$.port', 'platform', ['transferable'], { tag: 'MessagePort' }),
    listed: ['$.port'],
    covered: true,
  },
];

for (const { row: facts, listed, covered } of LISTED) {
  test(`${facts.count} at ${facts.pattern}, listed ${listed.join(' and ') || 'nothing'}`, () => {
    assert.equal(isTransferable(facts), true);
    assert.equal(isListed(facts, listed), covered);
  });
}

test('memory that cannot be transferred need not be listed', () => {
  for (const flag of ['shared-backing', 'detached', 'wasm-memory', 'pooled'] as const) {
    assert.equal(isTransferable(view('$.a', 1, 1, { flags: [flag] })), false, flag);
  }
  assert.equal(isTransferable(view('$.a', 0, 0)), false);
  assert.equal(isTransferable(text('$.a', 5)), false);
});

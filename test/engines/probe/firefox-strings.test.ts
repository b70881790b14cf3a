import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, stringPath } from '../../../src/engines/probe/page-probe.ts';

/** Times of one clone: the string, a shared control, a copied one. */
const CASES: [own: number, shared: number, copied: number, expected: string | null][] = [
  [1, 1, 100, 'string-shared'],
  [0.5, 1, 100, 'string-shared'],
  [2, 1, 100, 'string-shared'],
  [100, 1, 100, 'string-copied'],
  [300, 1, 100, 'string-copied'],
  [50, 1, 100, 'string-copied'],
  // Between the two.
  [10, 1, 100, null],
  [6, 1, 100, null],
  // The controls do not separate, or the clock stands still.
  [1, 1, 3, null],
  [3, 1, 3, null],
  [100, 0, 100, null],
  [100, Number.NaN, 100, null],
  [Number.NaN, 1, 100, null],
  [1, 1, Number.NaN, null],
  [0, 1, 100, null],
];

test('a string is what the nearer control is', () => {
  for (const [own, shared, copied, expected] of CASES)
    assert.equal(nearest(own, shared, copied), expected, `${own} between ${shared} and ${copied}`);
});

test('short strings are never asked', () => {
  assert.equal(stringPath('x'.repeat(2047)), null);
  assert.equal(stringPath('ж'.repeat(127)), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeDifference } from '../../../src/record/sites/posted-again.ts';

const transfer = {
  messages: 1,
  listed: 0,
  possible: 0,
  possibleBytes: 0,
  useless: 0,
  hiddenBytes: 0,
  pooled: 0,
};
const ROWS: [why: string, copied: number, typicalBytes: number | null, listed: number, isTold: boolean][] = [
  ['as large', 1000, 1000, 0, false],
  ['nearly as large', 1090, 1000, 0, false],
  ['too small', 1500, 28_700, 0, true],
  ['too large', 1200, 1000, 0, true],
  ['a few bytes', 20, 10, 0, false],
  ['of unknown size', 20, null, 0, false],
  ['what is moved has no bytes', 5000, 100, 1, false],
];
for (const [why, copied, typicalBytes, listed, isTold] of ROWS)
  test(`a value made of a shape: ${why}`, () =>
    assert.equal(
      sizeDifference(copied, { typicalBytes, transfer: { ...transfer, listed } }) !== null,
      isTold,
    ));

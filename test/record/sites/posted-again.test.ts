import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areNew, keepsBuffers, sizeDifference } from '../../../src/record/sites/posted-again.ts';
import { messages } from '../../make.ts';

const { transfer } = messages();
const SIZES: [why: string, copied: number, typicalBytes: number | null, listed: number, isTold: boolean][] = [
  ['as large', 1000, 1000, 0, false],
  ['nearly as large', 1090, 1000, 0, false],
  ['too small', 1500, 28_700, 0, true],
  ['too large', 1200, 1000, 0, true],
  ['a few bytes', 20, 10, 0, false],
  ['of unknown size', 20, null, 0, false],
  ['what is moved has no bytes', 5000, 100, 1, false],
];
for (const [why, copied, typicalBytes, listed, isTold] of SIZES)
  test(`a value made of a shape: ${why}`, () => {
    const difference = sizeDifference(copied, { typicalBytes, transfer: { ...transfer, listed } });
    assert.equal(difference !== null, isTold);
  });

const bytes = (max: number) => ({ total: 100 * max, ci: [100 * max, 100 * max] as [number, number], max });
const NEW: [what: string, posted: Parameters<typeof areNew>[0], are: boolean][] = [
  ['another object each time', { count: 100, sameObject: 0, bytes: bytes(20_000) }, true],
  ['now and then the same', { count: 100, sameObject: 30, bytes: bytes(20_000) }, true],
  ['one object that is reused', { count: 100, sameObject: 99, bytes: bytes(20_000) }, false],
  ['small messages', { count: 100, sameObject: 0, bytes: bytes(500) }, false],
  ['messages of unknown size', { count: 100, sameObject: 0, bytes: null }, false],
];
for (const [what, posted, are] of NEW)
  test(`values that are measured new: ${what}`, () => assert.equal(areNew(posted), are));

/** Then no rewrite that transfers is proven for the site. */
const KEPT: [what: string, possible: number, messages: number, keeps: boolean][] = [
  ['memory of WebAssembly, in each message', 1, 20, true],
  ['... that another line has posted before', 0, 20, true],
  ['a buffer for each message', 20, 20, false],
  ['one message', 1, 1, false],
];
for (const [what, possible, seen, keeps] of KEPT)
  test(`buffers that the sender needs: ${what}`, () =>
    assert.equal(keepsBuffers({ transfer: { ...transfer, possible, messages: seen } }), keeps));

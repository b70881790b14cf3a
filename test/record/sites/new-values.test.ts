import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areNew, keepsBuffers } from '../../../src/record/sites/posted-again.ts';
import { NO_TRANSFER } from '../../../src/record/threads/looked-messages.ts';

const bytes = (max: number) => ({ total: 100 * max, ci: [100 * max, 100 * max] as [number, number], max });
const ROWS: [what: string, posted: Parameters<typeof areNew>[0], are: boolean][] = [
  ['another object each time', { count: 100, sameObject: 0, bytes: bytes(20_000) }, true],
  ['now and then the same', { count: 100, sameObject: 30, bytes: bytes(20_000) }, true],
  ['one object that is reused', { count: 100, sameObject: 99, bytes: bytes(20_000) }, false],
  ['small messages', { count: 100, sameObject: 0, bytes: bytes(500) }, false],
  ['messages of unknown size', { count: 100, sameObject: 0, bytes: null }, false],
];
for (const [what, posted, are] of ROWS)
  test(`values that are measured new: ${what}`, () => assert.equal(areNew(posted), are));

/** Then no rewrite that transfers is proven for the site. */
const KEPT: [what: string, possible: number, messages: number, keeps: boolean][] = [
  ['memory of WebAssembly, in each message', 1, 20, true],
  ['... that another line has posted before', 0, 20, true],
  ['a buffer for each message', 20, 20, false],
  ['one message', 1, 1, false],
];
for (const [what, possible, messages, keeps] of KEPT)
  test(`buffers that the sender needs: ${what}`, () =>
    assert.equal(keepsBuffers({ transfer: { ...NO_TRANSFER, possible, messages } }), keeps));

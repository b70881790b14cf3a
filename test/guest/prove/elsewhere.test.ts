/** What another thread restores decides: its answers are given here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  copyingEndpoint,
  givePlatform,
  peerAt,
  toWorkers,
} from '../../../src/guest/platform/common/platform.ts';
import { prove, type RestoreAnswer } from '../../../src/guest/prove/prove-rewrites.ts';
import { platform } from '../../support/guest-platform.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';

const folder = new PayloadFolder();

/** What the other thread says next; null: its end. */
let answer: RestoreAnswer | null;

/** How many were started. */
let threads = 0;

/** The next start fails with it. */
let startError: Error | null = null;

const scripted = () => {
  threads++;
  if (startError) throw startError;
  const endpoint = copyingEndpoint(() => {
    setImmediate(() => (answer === null ? peer.exited('the worker ended') : endpoint.onMessage(answer)));
  });
  const peer = peerAt(endpoint, () => undefined);
  return peer;
};
givePlatform({ ...platform, peers: { ...platform.peers, ...toWorkers(scripted) } });

const ROWS = 'export const value = () => [{ a: 1 }, { a: 2 }];';
const CALL = 'export const value = () => ({ call() {} });';

async function proofOf(name: string, text: string, there: RestoreAnswer | null) {
  answer = there;
  const rewrite = { remedy: 'partial-text', plan: { path: '$' } };
  return prove({ type: 'prove', recipe: folder.module(name, text), ...rewrite });
}

test('the value restored in the other thread decides the proof', async () => {
  const equal = await proofOf('rows.mjs', ROWS, { losses: [], threw: null });
  assert.deepEqual([equal.equality, equal.reason], ['equal', null]);
  const losses = [{ path: '$[0]', what: 'object became undefined' }];
  const other = await proofOf('rows.mjs', ROWS, { losses, threw: null });
  assert.deepEqual(
    [other.equality, other.reason],
    [
      'refused',
      'restore works only in the thread of apply: in another, it made another value ($[0]: object became undefined)',
    ],
  );
  const threw = await proofOf('rows.mjs', ROWS, { losses: [], threw: 'restore threw Error: none' });
  assert.equal(threw.equality, 'refused');
  assert.match(threw.reason!, /: in another, restore threw Error: none$/);
});

test('a thread that has ended is the reason once, and started again', async () => {
  const before = threads;
  const ended = await proofOf('rows.mjs', ROWS, null);
  assert.match(ended.reason ?? '', /: in another, the worker ended$/);
  assert.equal((await proofOf('rows.mjs', ROWS, { losses: [], threw: null })).equality, 'equal');
  assert.equal(threads, before + 1);
});

test('uncloneable values are compared in the thread of apply, if both threads restore the same', async () => {
  const other = await proofOf('call.mjs', CALL, { losses: [], threw: null });
  assert.match(other.reason ?? '', /: in another, it made another value \(\$\.msg: string became absent\)$/);
  const losses = [{ path: '$.msg', what: 'string became absent' }];
  const same = await proofOf('call.mjs', CALL, { losses, threw: null });
  assert.deepEqual([same.equality, same.losses.map(({ path }) => path)], ['lossy', ['$.call']]);
});

test('a thread that cannot be started fails the proof with the reason, and the next proof starts one again', async () => {
  await proofOf('rows.mjs', ROWS, null);
  startError = new Error('no memory for a thread');
  const failed = await proofOf('rows.mjs', ROWS, { losses: [], threw: null });
  startError = null;
  assert.deepEqual(
    [failed.equality, failed.reason],
    ['failed', 'no other thread to restore in could be started: Error: no memory for a thread'],
  );
  assert.equal((await proofOf('rows.mjs', ROWS, { losses: [], threw: null })).equality, 'equal');
});

test('a platform without another thread restores in the thread of apply', async () => {
  const before = threads;
  givePlatform({ ...platform, peers: {} });
  const threw = { losses: [], threw: 'never asked' };
  const { equality, losses } = await proofOf('call.mjs', CALL, threw);
  assert.deepEqual([equality, losses.map(({ path }) => path)], ['lossy', ['$.call']]);
  assert.equal((await proofOf('rows.mjs', ROWS, threw)).equality, 'equal');
  assert.equal(threads, before);
  givePlatform(platform);
});

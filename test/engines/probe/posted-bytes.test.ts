/** What a post copies is what its message holds: whole buffers, once, and no shared memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { v8MessageBytes } from '../../../src/engines/probe/process-serializer.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { assumedStorage } from '../../../src/value/describe/inspect/storage.ts';
import { estimatedSize } from '../../../src/value/shape/wire-estimate.ts';
import { typeDetection } from '../../support/probe.ts';

const probe = { types: typeDetection, storage: assumedStorage('v8'), utf8Bytes: Buffer.byteLength };
const MB = 1e6;
const large = new Uint8Array(8 * MB);
const view = large.subarray(0, 100);
const huge = new Uint8Array(80 * MB).subarray(0, 100);
const shared = new SharedArrayBuffer(MB);

/** `rest`: most that comes to the buffers. */
const CASES: readonly [what: string, value: unknown, buffers: number, rest: number][] = [
  ['a small view of a large buffer', { u: view }, 8 * MB, 30],
  ['two views of one buffer', { a: view, b: large.subarray(5, 9) }, 8 * MB, 40],
  ['one view at two places', [view, view], 8 * MB, 30],
  ['a buffer and its view', [large.buffer, view], 8 * MB, 30],
  ['a view that has all of its buffer', new Float64Array(100), 800, 20],
  ['many small views', Array.from({ length: 1000 }, () => new Uint8Array(8)), 8000, 8000],
  ['Buffers of the pool', Array.from({ length: 10 }, () => Buffer.from('abc')), Buffer.poolSize, 200],
  ['shared memory', { shared }, 0, 30],
  ['a view on shared memory', new Uint8Array(shared, 5, 1000), 0, 30],
  ['no buffer', { a: [1, 2, { x: 'y' }] }, serialize({ a: [1, 2, { x: 'y' }] }).byteLength, 0],
];

for (const [what, value, buffers, rest] of CASES)
  test(what, () => {
    const [{ bytes } = { bytes: -1 }] = v8MessageBytes(value, describe(value, probe), 'worker');
    assert.ok(bytes >= buffers && bytes <= buffers + rest, `${bytes}`);
  });

test('a message of a buffer too large to write it for its length is estimated from the shape', () => {
  const shape = describe(huge, probe);
  assert.deepEqual(v8MessageBytes(huge, shape, 'worker'), []);
  const estimated = estimatedSize(shape);
  assert.ok(estimated >= 80 * MB && estimated <= 80 * MB + 30, `${estimated}`);
});

test('no length is computed for a refused post', () => {
  const value = { run() {} };
  assert.deepEqual(v8MessageBytes(value, describe(value, probe), 'worker'), []);
});

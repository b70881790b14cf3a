import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { type BunJsc, parseObjectText } from '../../../src/engines/probe/bun-storage.ts';
import { bytesByContent, fastPathCosts } from '../../../src/engines/probe/message-cost.ts';
import { valueAt } from '../../../src/engines/probe/oracle-result.ts';
import { bunOracle } from '../../../src/engines/probe/process-probe.ts';
import { v8MessageBytes } from '../../../src/engines/probe/process-serializer.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { assumedStorage } from '../../../src/value/describe/inspect/storage.ts';
import { estimatedSize } from '../../../src/value/shape/wire-estimate.ts';
import { typeDetection } from '../../support/probe.ts';

/** As printed by Bun 1.2.20 and 1.4.5. */
const object = (inside: string, before = 'with butterfly (nil) ') =>
  `Object: 0x7f00 ${before}(Structure 0x7f01:[0x1000/11632080, ${inside}, Proto:0x7f02, Leaf]), StructureID: 11632080`;

function toldOf(text: string): string | null {
  const told = parseObjectText(text);
  if (told === null) return null;
  const { className, outSize, mode, transition, ...is } = told;
  const flags = Object.entries(is).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return [className, outSize, mode, transition, ...flags].join(' ');
}

test('jscDescribe of objects', () => {
  const cases: [text: string, told: string | null][] = [
    [object('Object, (1/2, 0/0){a:0}, NonArray, PropertyAddition'), 'Object 0 NonArray PropertyAddition'],
    [
      object(
        'Array, (0/0, 1/4){}, CopyOnWriteArrayWithInt32, PropertyDeletion',
        'with butterfly 0x7(base=0x6) ',
      ),
      'Array 1 ArrayWithInt32 PropertyDeletion',
    ],
    [
      object('Object, (1/2, 0/0){x}, NonArrayWithInt32:0}, NonArray, PropertyAddition'),
      'Object 0 NonArray PropertyAddition',
    ],
    [
      'Object: 0x1 with butterfly 0x2(base=0x3) (Structure 0x4:[0x5/6, Object, (6/6, 194/256){a:1}, NonArray, PropertyDeletion, Proto:0x7, UncacheableDictionary, Leaf]), StructureID: 6',
      'Object 194 NonArray PropertyDeletion uncacheable',
    ],
    [
      'Object: 0x1 with butterfly (nil) (Structure 0x4:[0x5/6, Object, (3/4, 0/0){PolyProto:0, x:1, y:2}, NonArray, PropertyAddition, PolyProto offset:0, Leaf]), StructureID: 6',
      'Object 0 NonArray PropertyAddition polyProto',
    ],
    ['Int32: 1', null],
    ['String,8Bit:(1),length:(3): {}, NonArray', null],
  ];
  for (const [text, told] of cases) assert.equal(toldOf(text), told, text);
});

test('the cost of a message on a fast path runs no getter', () => {
  const getter = {
    get a(): never {
      throw new Error('user code ran');
    },
  };
  for (const value of [getter, [getter]]) assert.equal(fastPathCosts(value, bytesByContent), null);
});

test('the value at a path, without running code of the payload', () => {
  const boom = () => assert.fail('user code ran');
  const value = {
    list: [{ 'odd key': 1 }],
    map: new Map<unknown, unknown>([['k', { in: 2 }]]),
    set: new Set(['member']),
    proxy: new Proxy({}, { get: boom, getOwnPropertyDescriptor: boom }),
    get getter() {
      return boom();
    },
  };
  const cases: [string, unknown][] = [
    ['$.list[0]["odd key"]', 1],
    ['$.map{value:0}.in', 2],
    ['$.map{key:0}', 'k'],
    ['$.set{member:0}', 'member'],
    ['$.set{member:9}', undefined],
    ['$.proxy.a', undefined],
    ['$.getter', undefined],
    ['$.list…[0]', undefined],
    ['$.none.deeper', undefined],
  ];
  for (const [path, expected] of cases) assert.equal(valueAt(value, path), expected, path);
});

test('a message that Bun does not deliver leaves its path open, and says so in words', async () => {
  const { MessageChannel } = globalThis;
  /** Delivers texts only: what marks the end of a message. */
  class Lossy {
    listener = (_: { data: unknown }) => undefined;
    port2 = { addEventListener: (_: string, listener: typeof this.listener) => (this.listener = listener) };
    port1 = {
      postMessage: (data: unknown) => {
        if (typeof data === 'string') this.listener({ data });
      },
    };
    constructor() {
      for (const port of [this.port1, this.port2]) Object.assign(port, { start() {}, close() {} });
    }
  }
  Object.assign(globalThis, { MessageChannel: Lossy });
  try {
    const early = () => assert.fail('the value was built before the channel was tried');
    const confirmation = await bunOracle({} as BunJsc, early, {} as Shape);
    assert.equal(confirmation.path, null);
    assert.equal(confirmation.evidence, 'Bun accepted a message to its own thread and did not deliver it');
  } finally {
    Object.assign(globalThis, { MessageChannel });
  }
});

// What a post copies is what its message holds: whole buffers, once, and no shared memory.

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

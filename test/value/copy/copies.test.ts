import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { compare } from '../../../src/value/compare/compare.ts';
import { deepCopy } from '../../../src/value/copy/copies.ts';
import { typeDetection } from '../../support/probe.ts';

const replicate = (value: unknown) => deepCopy(value, { types: typeDetection });

class Point {
  x = new Uint8Array([1, 2]);
}

const shared = new ArrayBuffer(8);
const cyclic: { bytes: Uint8Array; self?: unknown } = { bytes: new Uint8Array([9]) };
cyclic.self = cyclic;
const VALUES: [name: string, value: unknown][] = [
  ['a number', 7],
  ['null', null],
  ['rows', [1, 2].map((id) => ({ id, at: new Date(id) }))],
  ['a buffer', shared],
  ['two views of one buffer', { a: new Uint8Array(shared, 2, 3), b: new DataView(shared, 1, 4) }],
  ['a big-int view', new BigInt64Array([1n, 2n])],
  ['a Node buffer', Buffer.alloc(9, 1)],
  ['a map of buffers', new Map([['a', new Float64Array([1.5])]])],
  ['a set', new Set([new Uint8Array([3])])],
  ['a class instance', new Point()],
  ['an object without prototype', Object.assign(Object.create(null), { b: new Uint8Array(4) })],
  ['a cycle', cyclic],
  ['holes', Object.assign(new Array(3), { 0: 1, 2: 3 })],
];

for (const [name, value] of VALUES) {
  test(`a replica of ${name} is equal`, () => assert.deepEqual(compare(value, replicate(value)), []));
}

test('detaching a replica does not affect the original', () => {
  const value = { list: [new Uint8Array([1, 2, 3])], map: new Map([['k', shared]]) };
  const replica = replicate(value) as typeof value;
  const taken = [replica.list[0]?.buffer as ArrayBuffer, replica.map.get('k') as ArrayBuffer];
  structuredClone(replica, { transfer: taken });
  assert.equal(replica.list[0]?.byteLength, 0);
  assert.deepEqual(value, { list: [new Uint8Array([1, 2, 3])], map: new Map([['k', new ArrayBuffer(8)]]) });
});

test('arrays stay dense in a replica, although a clone makes them sparse', () => {
  const DENSE = 'A'.charCodeAt(0);
  const rows = [
    [1, 2, 3],
    [0.5, 1.5],
    [{ a: 1 }, 'b'],
  ];
  const tagOf = (array: unknown) => serialize(array)[2];
  const replica = replicate(rows) as unknown[];
  for (const array of [replica, ...replica]) assert.equal(tagOf(array), DENSE);
  assert.notEqual(tagOf(structuredClone(rows)), DENSE);
});

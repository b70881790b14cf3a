import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Serializer } from 'node:v8';
import { processTypes } from '../../../src/engines/probe/process.ts';
import { classify, sizeClass } from '../../../src/record/tap/messages/buckets.ts';
import { giveEngineTypes } from '../../../src/record/tap/realm.ts';

giveEngineTypes(processTypes);

/** As a post within a process writes it: of a view the whole buffer behind it. */
function bytesOf(value: unknown): number {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer().byteLength;
}

const record = () => ({ id: 12, name: 'a name', price: 1.5, tags: ['one', 'two'], done: true, of: null });

/** The length of a real stack depends on the folder of this file. */
const errorOf = (message: string): Error => {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}`.padEnd(600, ' at one');
  return error;
};

/** How far the extent may be from the bytes, as a factor. */
const ROWS: [string, value: unknown, most: number][] = [
  ['a text', 'x'.repeat(500), 1.02],
  ['a record', record(), 1.25],
  ['a buffer in an envelope', { id: 1, data: new Uint8Array(5000) }, 1.02],
  ['a view of a larger buffer', new Uint8Array(new ArrayBuffer(5000), 0, 10), 1.02],
  ['a field of many', { ...Array.from({ length: 11 }, (_, i) => i), payload: 'x'.repeat(900) }, 1.1],
  ['a text in an envelope', { id: 1, args: [{ type: 'RAW', value: 'x'.repeat(900) }] }, 1.1],
  ['a list of records', Array.from({ length: 100 }, record), 1.7],
  ['a list of numbers', Array.from({ length: 100 }, (_, i) => i * 1000), 1.6],
  ['a list of errors', Array.from({ length: 100 }, (_, i) => errorOf(`no ${i}`)), 1.7],
  ['a dictionary', Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, record()])), 1.7],
];
for (const [name, value, most] of ROWS)
  test(`the extent is about as large as the bytes: ${name}`, () => {
    const factor = classify(value).extent / bytesOf(value);
    assert.ok(factor <= most && factor >= 1 / most, `${factor}`);
  });

test('each order of magnitude is eight times the one before', () => {
  assert.deepEqual([1, 63, 64, 511, 512, 4096].map(sizeClass), [0, 0, 1, 1, 2, 3]);
});

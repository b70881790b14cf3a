import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { describe } from '../../../src/value/describe/describe.ts';
import { estimatedSize } from '../../../src/value/shape/wire-estimate.ts';
import { probeFor } from '../../support/probe.ts';

const rows = (length: number) =>
  Array.from({ length }, (_, id) => ({
    id,
    name: `row ${id}`,
    done: id % 2 === 0,
    price: id + 0.5,
    tags: ['a', 'b'],
  }));

const VALUES: Record<string, unknown> = {
  rows: rows(5000),
  'one long text': 'x'.repeat(500_000),
  'texts of two bytes a unit': Array.from({ length: 2000 }, (_, i) => `число ${i} ${'ж'.repeat(50)}`),
  'a Map of records': new Map(rows(3000).map((row) => [row.name, row])),
  'a buffer': new Uint8Array(300_000).buffer,
  'lists in lists': Array.from({ length: 400 }, (_, id) => ({
    id,
    lines: Array.from({ length: 40 }, (_, line) => ({ line, texts: ['one', 'two', 'three', `${line}`] })),
  })),
  numbers: Array.from({ length: 20_000 }, (_, i) => i / 3),
};

/** Every byte follows from the facts: no integers, whose digits the facts do not have, and no padding. */
const EXACT: Record<string, unknown> = {
  'an object without keys': {},
  'objects in objects': { a: { b: { c: {} } } },
  'an object of all scalars': { a: 'text', b: null, c: true, d: 0.5, e: {} },
  'records in a list': [
    { a: null, b: [0.5] },
    { a: null, b: [1.5] },
  ],
  texts: ['a', 'bc'],
  'a Map of objects': new Map([['k', { x: 0.5 }]]),
  'a Set': new Set([true]),
  'a Date': new Date(0),
};

for (const [values, most] of [
  [VALUES, 0.03],
  [EXACT, 0],
] as const)
  for (const [name, value] of Object.entries(values))
    test(`the size by the shape is that of the serializer, give or take ${100 * most} %: ${name}`, async () => {
      const ratio = estimatedSize(describe(value, await probeFor())) / serialize(value).byteLength;
      assert.ok(Math.abs(ratio - 1) <= most, `${ratio}`);
    });

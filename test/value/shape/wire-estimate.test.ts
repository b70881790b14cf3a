/** Sizes by the shape, of values and of their places, against the bytes that a clone takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { formatPath } from '../../../src/value/read/paths.ts';
import { bytesByPlace, estimatedSize } from '../../../src/value/shape/wire-estimate.ts';
import { probeFor } from '../../support/probe.ts';

const probe = await probeFor();
const shapeOf = (value: unknown): Shape => describe(value, probe, { jsonBytes: true });
const placesOf = (value: unknown): string[] => [...bytesByPlace(shapeOf(value).patterns).keys()].sort();

const entries = <T>(keys: number, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`app-${at}:typecheck`, make(at)]));

const text = (at: number) => `${at} `.padEnd(200, 'output ');

test('of many keys, those with a tenth of the bytes stay', () => {
  assert.equal(placesOf(entries(19, () => 'x')).length, 20);
  const value = { main: 'x'.repeat(10_000), ...entries(100, () => 'x') };
  assert.deepEqual(placesOf(value), ['$', '$.*', '$.main']);
});

const words = (at: number) => `${at} some words`;
const list = (at: number) => Array.from({ length: 4 }, (_, item) => `${at} ${item} `.repeat(6));
const wide = (fields: number) => (at: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, field) => [`field${field}`, words(at + field)]));

/** From the 64th on, keys are of letters alone and longer from key to key. */
const lettered = (at: number): string =>
  at
    .toString(26)
    .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
    .padEnd(at > 64 ? 3 + at / 4 : 1, 'n');

/** Values around dictionaries of any number of keys. */
const SHAPES: Record<string, (keys: number) => unknown> = {
  texts: (keys) => ({ id: 1, results: entries(keys, text) }),
  'records beside a text': (keys) => ({
    results: entries(keys, (at) => ({ ok: true, out: words(at), of: { at: words(at) } })),
    log: 'x'.repeat(50 * keys),
  }),
  'lists of doubles': (keys) => ({ curves: entries(keys, (at) => [at, at / 3, 0.1]), names: list(1) }),
  'a Map of dictionaries': (keys) => new Map([['first', entries(keys, text)]]),
  'records of 200 fields': (keys) => ({ head: 'x'.repeat(9 * keys), rows: entries(keys, wide(200)) }),
  'dictionaries of dictionaries': (keys) => entries(keys, () => entries(30, words)),
  'texts at words that grow': (keys) => ({
    head: 'x'.repeat(30 * keys),
    of: Object.fromEntries(Array.from({ length: keys }, (_, at) => [lettered(at), words(at)])),
  }),
};

const posted = (value: unknown): number => serialize(value).length - 2;

/** Adds the bytes of each value, and of its key, to the place that is told for it; values that have no such place to '?'. */
function addBytes(
  value: unknown,
  path: string,
  key: string | null,
  told: ReadonlySet<string>,
  at: Map<string, number>,
) {
  const isOwner = typeof value === 'object' && value !== null;
  const inside: [step: string, key: string | null, value: unknown][] = [];
  if (value instanceof Map)
    for (const entry of value) inside.push(['{key}', null, entry[0]], ['{value}', null, entry[1]]);
  // V8 writes integers in an array of doubles as doubles.
  else if (Array.isArray(value))
    for (const item of value) inside.push(['[*]', null, value.includes(0.1) ? 0.1 : item]);
  else if (isOwner)
    for (const name of Object.keys(value))
      inside.push([formatPath([{ type: 'key', key: name }]).slice(1), name, Reflect.get(value, name)]);
  const own = posted(isOwner ? (Array.isArray(value) ? [] : {}) : value) + (key === null ? 0 : posted(key));
  at.set(path, (at.get(path) ?? 0) + own);
  for (const [step, name, part] of inside) {
    const place = [`${path}${step}`, `${path}.*`].find((one) => told.has(one)) ?? '?';
    addBytes(part, place, name, told, at);
  }
}

for (const [name, make] of Object.entries(SHAPES))
  for (const keys of [1, 19, 20, 65, 1000]) {
    test(`${name}, ${keys} keys: the share of each place is that of its bytes`, () => {
      const value = make(keys);
      const told = bytesByPlace(shapeOf(value).patterns);
      const real = new Map<string, number>();
      addBytes(value, '$', null, new Set(told.keys()), real);
      const [whole, sum] = [told, real].map((of) => [...of.values()].reduce((all, one) => all + one, 0));
      for (const [place, own] of [...told, ['?', 0] as const]) {
        const [share, truth] = [own / whole!, (real.get(place) ?? 0) / sum!];
        assert.ok(Math.abs(share - truth) < 0.02, `${place}: ${share}, not ${truth}`);
      }
      assert.ok(keys < 20 || told.size < 20, `${told.size} places`);
    });
  }

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
  'objects in objects': { a: { b: { c: {} } } },
  'an object of all scalars': { a: 'text', b: null, c: true, d: 0.5, e: {} },
  'records in a list': [
    { a: null, b: [0.5] },
    { a: null, b: [1.5] },
  ],
  'a Map of objects': new Map([['k', { x: 0.5 }]]),
  'a Set': new Set([true]),
  'a Date': new Date(0),
};

for (const [values, most] of [
  [VALUES, 0.03],
  [EXACT, 0],
] as const)
  for (const [name, value] of Object.entries(values))
    test(`the size by the shape is that of the serializer, give or take ${100 * most} %: ${name}`, () => {
      const ratio = estimatedSize(describe(value, probe)) / serialize(value).byteLength;
      assert.ok(Math.abs(ratio - 1) <= most, `${ratio}`);
    });

/** Bytes by path of dictionaries, of any number of keys, against the bytes that a clone of the values takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { bytesByPlace } from '../../src/core/bytes-by-place.ts';
import { describe } from '../../src/core/describe/describe.ts';
import type { Run } from '../../src/model/documents/report.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import { largestParts } from '../../src/reporters/print/texts.ts';
import { probeFor } from '../support/probe.ts';

const probe = await probeFor();
const shapeOf = (value: unknown): Shape => describe(value, probe, { jsonBytes: true });
const placesOf = (value: unknown): string[] => [...bytesByPlace(shapeOf(value).patterns).keys()].sort();

const entries = <T>(keys: number, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`app-${at}:typecheck`, make(at)]));

const SIZES = [20, 60, 64, 65, 70, 100, 140, 1000, 10_000];
const text = (at: number) => `${at} `.padEnd(200, 'output ');

/** The place with most of the bytes, and the keys and values there. */
const ROWS: [name: string, place: string, make: (keys: number) => { value: unknown; there: unknown[] }][] = [
  [
    'texts',
    '$.results.*',
    (keys) => {
      const results = entries(keys, text);
      return { value: { id: 1, results }, there: Object.entries(results).flat() };
    },
  ],
  [
    'records',
    '$.results.*.out',
    (keys) => {
      const results = entries(keys, (at) => ({ ok: at % 2 === 0, out: text(at) }));
      return {
        value: { results, log: ['a'] },
        there: Object.values(results).flatMap(({ out }) => ['out', out]),
      };
    },
  ],
  [
    'dictionaries in a list',
    '$[*].names.*',
    (keys) => {
      const names = entries(keys, text);
      return { value: [{ names, id: 1 }], there: Object.entries(names).flat() };
    },
  ],
  [
    'dictionaries of dictionaries',
    '$.*.*',
    (keys) => {
      const value = entries(keys, (at) => entries(30, (of) => text(at * of)));
      return { value, there: Object.values(value).flatMap((one) => Object.entries(one as object).flat()) };
    },
  ],
];

for (const [name, place, make] of ROWS)
  test(`${name}: all entries are one place, whose share is that of its bytes`, () => {
    for (const keys of name.endsWith('of dictionaries') ? SIZES.slice(0, 3) : SIZES) {
      const { value, there } = make(keys);
      const [first] = largestParts({ shape: shapeOf(value) } as Run)?.parts ?? [];
      const told = JSON.stringify(first?.name);
      assert.ok(told.includes(`"${place}"`), `${keys} keys: ${told}`);
      const share = serialize(JSON.parse(JSON.stringify(there))).length / serialize(value).length;
      assert.ok(Math.abs(first!.share - share) < 0.02, `${keys} keys: ${first!.share}, not ${share}`);
    }
  });

test('a record keeps its keys: few of them, or values of many kinds', () => {
  const few = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`k${at}`, 'x']));
  assert.equal(placesOf(few).length, 20);
  const kinds = [1, 'x', null, [1], { a: 1 }, true];
  const mixed = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, kinds[at % 6]]));
  assert.ok(placesOf(mixed).length > 30);
});

test('one entry with half of the bytes keeps its key', () => {
  const value = { main: 'x'.repeat(10_000), ...entries(100, () => 'x') };
  assert.deepEqual(placesOf(value), ['$', '$.*', '$.main']);
});

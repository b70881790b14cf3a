import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../../src/model/documents/shape.ts';
import type { Measured } from '../../../src/model/wire/wire.ts';
import {
  branchCosts,
  branchesOf,
  branchVariants,
  without,
  withoutId,
} from '../../../src/stats/branches/branches.ts';
import { row, shapeOf } from '../../make.ts';

const text = (pattern: string, total: number, count = 1): Facts =>
  row(pattern, 'string', [], { count, bytes: { total, max: total } });

/** Rows of facts, and the branches to measure, heaviest first. */
const ROWS: [what: string, rows: Facts[], branches: string[]][] = [
  ['root keys', [row('$', 'object'), text('$.small', 300), text('$.large', 3000)], ['$.large', '$.small']],
  [
    'the weight of a branch includes what is below it',
    [row('$', 'object'), row('$.a', 'object'), row('$.a.b', 'object'), text('$.a.b.c', 900), text('$.d', 99)],
    ['$.a', '$.a.b', '$.a.b.c', '$.d'],
  ],
  ['the same beginning', [row('$', 'object'), text('$.ab', 1000), text('$.a', 100)], ['$.ab', '$.a']],
  [
    'keys within rows',
    [row('$', 'array'), row('$[*]', 'object', [], { count: 10 }), text('$[*].name', 1000, 10)],
    ['$[*].name'],
  ],
  ['below 2 % is left out', [row('$', 'object'), text('$.large', 10_000), text('$.small', 20)], ['$.large']],
  [
    'values of a Map are entered, members of a Set are not',
    [
      row('$', 'object'),
      row('$.map', 'map'),
      row('$.map{value}', 'object'),
      text('$.map{value}.a', 1000),
      row('$.set', 'set'),
      row('$.set{member}', 'object'),
      text('$.set{member}.a', 1000),
    ],
    ['$.map', '$.set', '$.map{value}.a'],
  ],
  ['of an Error', [row('$', 'object'), row('$.error', 'error'), text('$.error.extra', 1000)], ['$.error']],
];

for (const [what, rows, branches] of ROWS) {
  test(what, () => assert.deepEqual(branchesOf(shapeOf('v8', ...rows)), branches));
}

test('at most eight branches', () => {
  const rows = Array.from({ length: 20 }, (_, i) => text(`$.k${i}`, 100 + i));
  assert.equal(branchesOf(shapeOf('v8', row('$', 'object'), ...rows)).length, 8);
});

const PATHS = ['$.a', '$.b'];

/** Three processes; the send of each variant in ns. */
function measured(times: Record<string, number>): Measured[] {
  return Array.from({ length: 3 }, (_, process) => ({
    type: 'measured',
    rounds: 40,
    gc: null,
    sets: branchVariants(PATHS).map(({ id }) => {
      const time = times[id];
      const send = time === undefined ? [] : Array.from({ length: 40 }, (_, i) => time + process + (i % 5));
      const error = time === undefined ? 'DataCloneError' : null;
      return { variant: id, roundTrip: send, send, receive: [], cold: null, error };
    }),
  }));
}

test('a share is what leaving the branch out saves, the most expensive first', () => {
  const times = { original: 100_000, [withoutId('$.a')]: 90_000, [withoutId('$.b')]: 25_000 };
  const bytes = { type: 'branch-bytes', whole: 1000, without: [400, 900] } as const;
  const [b, a] = branchCosts(PATHS, measured(times), { ...bytes, without: [...bytes.without] }, 1);
  assert.equal(b?.path, '$.b');
  assert.equal(b?.send?.share.toFixed(2), '0.75');
  assert.ok(Math.abs((b?.send?.ns ?? 0) - 75_000) < 500, `${b?.send?.ns}`);
  assert.ok((b?.send?.ci[0] ?? 1) <= 0.75 && (b?.send?.ci[1] ?? 0) >= 0.75);
  assert.deepEqual([b?.bytes, b?.bytesShare, a?.bytes, a?.bytesShare], [100, 0.1, 600, 0.6]);
});

test('null for what could not be timed or measured in bytes', () => {
  const [a, b] = branchCosts(PATHS, measured({ original: 1000, [withoutId('$.a')]: 500 }), null, 1);
  assert.equal(a?.path, '$.a');
  assert.deepEqual([b?.send, b?.bytes, b?.bytesShare], [null, null, null]);
});

const cyclic: { name: string; self?: unknown } = { name: 'x' };
cyclic.self = cyclic;

class Point {
  x = 1;
  y = 2;
}

const withGetter = Object.defineProperty({ a: 1 }, 'late', {
  enumerable: true,
  get: () => assert.fail('called'),
});

/** Value, path, and the rest; the input must not change. */
const LEFT: [what: string, value: unknown, path: string, left: unknown][] = [
  ['a key below', { a: { b: 1, c: 2 }, d: 3 }, '$.a.b', { a: { c: 2 }, d: 3 }],
  ['rows of other kinds stay', [{ a: 1 }, null, 7, 'a'], '$[*].a', [{}, null, 7, 'a']],
  [
    'in the values of a Map',
    { map: new Map([['k', { a: 1, b: 2 }]]) },
    '$.map{value}.a',
    { map: new Map([['k', { b: 2 }]]) },
  ],
  ['a primitive', 'text', '$.length', 'text'],
];

for (const [what, value, path, left] of LEFT) {
  test(`${what}: less ${path}`, () => {
    const before = structuredClone(value);
    assert.deepEqual(without(value, path), left);
    assert.deepEqual(value, before, 'the input stays as it is');
  });
}

test('values that are not on the path are the same objects, and a container that is reached twice has one copy', () => {
  const row = { a: 1, deep: { b: 2 } };
  const left = without([row, row], '$[*].a') as (typeof row)[];
  assert.equal(left[0]?.deep, row.deep);
  assert.equal(left[0], left[1]);
});

test('holes, prototypes and __proto__ are kept', () => {
  const sparse = [{ a: 1 }];
  sparse[2] = { a: 2 };
  const holey = without(sparse, '$[*].a') as unknown[];
  assert.deepEqual(Object.keys(holey), ['0', '2']);
  assert.ok(without(new Point(), '$.x') instanceof Point);
  assert.deepEqual({ ...(without(new Point(), '$.x') as object) }, { y: 2 });
  const odd = JSON.parse('{"__proto__":{"p":1},"a":1}') as object;
  assert.deepEqual(Object.keys(without(odd, '$.a') as object), ['__proto__']);
  assert.equal(Object.getPrototypeOf(without(odd, '$.a')), Object.prototype);
});

test('no getter is called, and a getter can be left out', () => {
  assert.ok(Object.getOwnPropertyDescriptor(without(withGetter, '$.a'), 'late')?.get);
  assert.deepEqual(without(withGetter, '$.late'), { a: 1 });
  assert.deepEqual(Object.keys(without(withGetter, '$.late.a') as object), ['a', 'late']);
});

test('a cycle is copied only as far as the path goes', () => {
  const left = without(cyclic, '$.self.name') as typeof cyclic;
  assert.equal(left.name, 'x');
  assert.equal((left.self as typeof cyclic).name, undefined);
  assert.equal((left.self as typeof cyclic).self, cyclic);
});

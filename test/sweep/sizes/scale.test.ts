import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scale } from '../../../src/model/vocabulary/words.ts';
import { logSpaced, usualRange } from '../../../src/sweep/run/series.ts';
import { findDimensions, scaled } from '../../../src/sweep/sizes/scale.ts';
import { typeDetection } from '../../support/probe.ts';

const nested = (levels: number): unknown => {
  let value: unknown = [1, 2, 3];
  for (let level = 0; level < levels; level++) value = { in: value };
  return value;
};

interface Row {
  what: string;
  value: unknown;
  scale: Scale;
  gives: unknown;
}

const ROWS: Row[] = [
  {
    what: 'items are repeated',
    value: [1, 2],
    scale: { by: 'items', path: '$', size: 5 },
    gives: [1, 2, 1, 2, 1],
  },
  { what: 'items are cut off', value: [1, 2, 3], scale: { by: 'items', path: '$', size: 1 }, gives: [1] },
  { what: 'no items', value: [1], scale: { by: 'items', path: '$', size: 0 }, gives: [] },
  {
    what: 'items below other things',
    value: { a: 1, b: [{ c: ['x', 'y'] }] },
    scale: { by: 'items', path: '$.b[0].c', size: 3 },
    gives: { a: 1, b: [{ c: ['x', 'y', 'x'] }] },
  },
  {
    what: 'a string',
    value: { s: 'abc' },
    scale: { by: 'chars', path: '$.s', size: 8 },
    gives: { s: 'abcabcab' },
  },
  { what: 'a string cut off', value: 'abcdef', scale: { by: 'chars', path: '$', size: 2 }, gives: 'ab' },
  { what: 'a string of nothing', value: 'abc', scale: { by: 'chars', path: '$', size: 0 }, gives: '' },
  {
    what: 'a long string',
    value: 'xy',
    scale: { by: 'chars', path: '$', size: 9999 },
    gives: `${'xy'.repeat(4999)}x`,
  },
  {
    what: 'keys',
    value: { a: 1, b: 'x' },
    scale: { by: 'keys', path: '$', size: 5 },
    gives: { a: 1, b: 'x', a_1: 1, b_1: 'x', a_2: 1 },
  },
  {
    what: 'keys whose new names are taken',
    value: { a: 1, a_1: 2 },
    scale: { by: 'keys', path: '$', size: 4 },
    gives: { a: 1, a_1: 2, a_1_: 1, a_1_1: 2 },
  },
  { what: 'keys cut off', value: { a: 1, b: 2 }, scale: { by: 'keys', path: '$', size: 1 }, gives: { a: 1 } },
  {
    what: 'bytes of a typed array, in whole elements',
    value: { v: new Uint16Array([1, 2]) },
    scale: { by: 'bytes', path: '$.v', size: 7 },
    gives: { v: new Uint16Array([1, 2, 1]) },
  },
  {
    what: 'bytes of a buffer',
    value: new Uint8Array([1, 2]).buffer,
    scale: { by: 'bytes', path: '$', size: 3 },
    gives: new Uint8Array([1, 2, 1]).buffer,
  },
  {
    what: 'an odd key on the way',
    value: { 'a.b': { '[0]': [1] } },
    scale: { by: 'items', path: '$["a.b"]["[0]"]', size: 2 },
    gives: { 'a.b': { '[0]': [1, 1] } },
  },
];

for (const { what, value, scale, gives } of ROWS) {
  test(what, () => {
    const before = structuredClone(value);
    assert.deepEqual(scaled(value, scale, typeDetection), gives);
    assert.deepEqual(value, before, 'the input was changed');
  });
}

test('copies of an item share no objects', () => {
  const date = new Date(0);
  const row = { at: date, tags: ['a'], text: 'long '.repeat(50) };
  const [first, second] = scaled([row], { by: 'items', path: '$', size: 2 }, typeDetection) as (typeof row)[];
  assert.deepEqual(second, row);
  assert.notEqual(second, first);
  assert.notEqual(second?.at, date);
  assert.notEqual(second?.tags, row.tags);
});

test('references shared within an item stay shared', () => {
  const tag = { a: 1 };
  const rows = scaled([{ x: tag, y: tag }], { by: 'items', path: '$', size: 2 }, typeDetection);
  const [, copy] = rows as { x: object; y: object }[];
  assert.equal(copy?.x, copy?.y);
  assert.notEqual(copy?.x, tag);
});

test('a cycle within an item is copied', () => {
  const item: { self?: unknown } = {};
  item.self = item;
  const [, copy] = scaled([item], { by: 'items', path: '$', size: 2 }, typeDetection) as {
    self: unknown;
  }[];
  assert.equal(copy?.self, copy);
});

test('a parent link leads to the new parent', () => {
  interface Node {
    parent: Node | null;
    children: Node[];
    style: object;
  }
  const root: Node = { parent: null, children: [], style: { bold: true } };
  for (let at = 0; at < 3; at++) root.children.push({ parent: root, children: [], style: root.style });
  for (const size of [1, 3, 8]) {
    const grown = scaled(root, { by: 'items', path: '$.children', size }, typeDetection) as Node;
    assert.equal(grown.children.length, size);
    assert.notEqual(grown, root);
    for (const child of grown.children) assert.equal(child.parent, grown);
    assert.equal(new Set(grown.children).size, size, 'each item is one of its own');
  }
  assert.equal(root.children.length, 3, 'the input was changed');
});

test('an array under two keys stays one array', () => {
  const rows = [{ id: 1 }];
  const value = { rows, byId: { all: rows } };
  const grown = scaled(value, { by: 'items', path: '$.rows', size: 3 }, typeDetection) as typeof value;
  assert.equal(grown.rows.length, 3);
  assert.equal(grown.byId.all, grown.rows);
  assert.equal(rows.length, 1);
});

test('a class instance on the path keeps its class', () => {
  class Page {
    rows = [1, 2];
  }
  const page = new Page();
  const [found] = findDimensions(page, typeDetection);
  assert.equal(found?.path, '$.rows');
  const grown = scaled(page, { by: 'items', path: '$.rows', size: 3 }, typeDetection);
  assert.ok(grown instanceof Page && grown !== page);
  assert.deepEqual(grown.rows, [1, 2, 1]);
  assert.deepEqual(page.rows, [1, 2]);
});

test('a hole stays a hole', () => {
  // biome-ignore-start lint/suspicious/noSparseArray: the hole is the test
  const grown = scaled([1, , 3], { by: 'items', path: '$', size: 6 }, typeDetection) as unknown[];
  // biome-ignore-end lint/suspicious/noSparseArray: the hole is the test
  assert.equal(grown.length, 6);
  assert.deepEqual(Object.keys(grown), ['0', '2', '3', '5']);
});

test('a key named __proto__ is copied as a key', () => {
  const value = JSON.parse('{"__proto__":{"rows":[1]},"b":2}') as object;
  const grown = scaled(value, { by: 'items', path: '$.__proto__.rows', size: 2 }, typeDetection);
  assert.equal(JSON.stringify(grown), '{"__proto__":{"rows":[1,1]},"b":2}');
  assert.equal(Object.getPrototypeOf(grown), Object.prototype);
});

test('an item 100,000 levels deep is copied', () => {
  const grown = scaled([nested(100_000)], { by: 'items', path: '$', size: 2 }, typeDetection) as unknown[];
  let levels = 0;
  for (let at = grown[1]; !Array.isArray(at); at = (at as { in: unknown }).in) levels++;
  assert.equal(levels, 100_000);
});

for (const { value, path, by } of [
  { value: { a: 1 }, path: '$.b', by: 'items' },
  { value: { a: 1 }, path: '$.a.b', by: 'items' },
  { value: { a: 'x' }, path: '$.a', by: 'items' },
  { value: [], path: '$', by: 'items' },
  { value: { a: {} }, path: '$.a', by: 'keys' },
] as const) {
  test(`${by} of ${path} in ${JSON.stringify(value)} is refused`, () => {
    assert.throws(() => scaled(value, { by, path, size: 3 }, typeDetection), { code: 'measure-failed' });
  });
}

const trap = () => assert.fail('user code ran');

describe('dimensionsOf', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `name ${id}` }));
  const TABLE: { what: string; value: unknown; largest: string | null }[] = [
    { what: 'rows in an envelope', value: { ok: true, body: { rows } }, largest: 'items 100 $.body.rows' },
    { what: 'one large string', value: { id: 1, html: 'x'.repeat(1000) }, largest: 'chars 1000 $.html' },
    { what: 'a string in a list of one', value: ['x'.repeat(100)], largest: 'chars 100 $[0]' },
    { what: 'a flat object', value: { a: 1, b: 2, c: 3 }, largest: 'keys 3 $' },
    {
      what: 'a list of lists: the outer one',
      value: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      largest: 'items 3 $',
    },
    { what: 'pixels', value: { w: 1, data: new Uint8ClampedArray(400) }, largest: 'bytes 400 $.data' },
    { what: 'of equal ones the first', value: { a: 'xyz', b: 'xyz' }, largest: 'keys 2 $' },
    { what: 'a number', value: 7, largest: null },
    { what: 'nothing to repeat', value: { a: [], b: '' }, largest: 'keys 2 $' },
    { what: 'an empty list', value: [], largest: null },
  ];
  for (const { what, value, largest } of TABLE) {
    test(what, () => {
      const [found] = findDimensions(value, typeDetection);
      assert.equal(found ? `${found.by} ${found.size} ${found.path}` : null, largest);
    });
  }

  test('every kind of dimension, the largest first', () => {
    const value = { rows, note: 'x'.repeat(50), raw: new Float64Array(4) };
    const found = findDimensions(value, typeDetection);
    assert.deepEqual(
      found.map(({ by, path, grain }) => `${by} ${path} ${grain}`),
      ['items $.rows 1', 'keys $ 1', 'chars $.note 1', 'bytes $.raw 8'],
    );
  });

  test('getters and proxies are not run; cycles and deep nesting terminate', () => {
    const value: Record<string, unknown> = { list: [1, 2], deep: nested(1e5) };
    Object.defineProperty(value, 'trap', { get: trap, enumerable: true });
    value.proxy = new Proxy({}, { ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
    value.self = value;
    const found = findDimensions(value, typeDetection);
    assert.ok(found.length > 0);
  });

  test('every dimension can be scaled', () => {
    const value = { 'odd key': [{ 'a"b': rows }], text: 'hello', bytes: new Int32Array(8) };
    for (const { by, path, size } of findDimensions(value, typeDetection)) {
      const grown = scaled(value, { by, path, size: 2 * size }, typeDetection);
      const after = findDimensions(grown, typeDetection).find((one) => one.by === by);
      assert.equal(after?.size, 2 * size, `${by} ${path}`);
    }
  });
});

describe('sizes', () => {
  const TABLE: { args: [number, number, number, number?]; gives: number[] }[] = [
    { args: [1, 1000, 4], gives: [1, 10, 100, 1000] },
    { args: [10, 10_000, 2], gives: [10, 10_000] },
    { args: [1, 3, 8], gives: [1, 2, 3] },
    { args: [5, 5, 8], gives: [5] },
    { args: [0, 100, 4], gives: [0, 1, 10, 100] },
    { args: [0, 0, 4], gives: [0] },
    { args: [3, 80, 3, 8], gives: [8, 24, 80] },
  ];
  for (const { args, gives } of TABLE) {
    test(`logSpaced(${args.join(', ')})`, () => assert.deepEqual(logSpaced(...args), gives));
  }

  test('the default range is limited by the size of the message', () => {
    assert.deepEqual(usualRange({ size: 40, weight: 16_000 }), { from: 1, to: 400 });
    assert.deepEqual(usualRange({ size: 1000, weight: 20e6 }), { from: 1, to: 1000 });
  });
});

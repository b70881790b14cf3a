import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scale } from '../../src/model/vocabulary/words.ts';
import { findDimensions, scaled } from '../../src/sweep/scale.ts';
import { typeDetection } from '../support/probe.ts';

const nested = (levels: number): unknown => {
  let value: unknown = [1, 2, 3];
  for (let level = 0; level < levels; level++) value = { in: value };
  return value;
};

const scale = (text: string): Scale => {
  const [size, by, path] = text.split(/ (?:of )?/, 3) as [string, Scale['by'], string];
  return { by, path, size: Number(size) };
};

/** @param to such as "5 items of $" */
const grownTo = <T>(value: T, to: string): T => scaled(value, scale(to), typeDetection) as T;

const ROWS: [what: string, value: unknown, to: string, gives: unknown][] = [
  ['items are repeated', [1, 2], '5 items of $', [1, 2, 1, 2, 1]],
  ['items are cut off', [1, 2, 3], '1 items of $', [1]],
  ['a string', { s: 'abc' }, '8 chars of $.s', { s: 'abcabcab' }],
  ['keys', { a: 1, b: 'x' }, '5 keys of $', { a: 1, b: 'x', a_1: 1, b_1: 'x', a_2: 1 }],
  ['keys whose new names are taken', { a: 1, a_1: 2 }, '4 keys of $', { a: 1, a_1: 2, a_1_: 1, a_1_1: 2 }],
  ['keys cut off', { a: 1, b: 2 }, '1 keys of $', { a: 1 }],
  ['whole elements', { v: new Uint16Array([1, 2]) }, '7 bytes of $.v', { v: new Uint16Array([1, 2, 1]) }],
  ['a buffer', new Uint8Array([1, 2]).buffer, '3 bytes of $', new Uint8Array([1, 2, 1]).buffer],
  [
    'a hole stays one',
    Object.assign([1], { 2: 3 }),
    '6 items of $',
    Object.assign([1], { 2: 3, 3: 1, 5: 3 }),
  ],
  [
    'a key named __proto__',
    JSON.parse('{"__proto__":{"rows":[1]},"b":2}'),
    '2 items of $.__proto__.rows',
    JSON.parse('{"__proto__":{"rows":[1,1]},"b":2}'),
  ],
  ['an odd key', { 'a.b': { '[0]': [1] } }, '2 items of $["a.b"]["[0]"]', { 'a.b': { '[0]': [1, 1] } }],
];

for (const [what, value, to, gives] of ROWS) {
  test(`${what}: ${to}`, () => {
    const before = structuredClone(value);
    assert.deepEqual(grownTo(value, to), gives);
    assert.deepEqual(value, before, 'the input was changed');
  });
}

test('copies of an item share no objects; what is shared within an item stays shared, a cycle too', () => {
  const tags = ['a'];
  const row: Record<string, unknown> = { at: new Date(0), tags, again: tags, text: 'long '.repeat(50) };
  row.self = row;
  const [first, second] = grownTo<Record<string, unknown>[]>([row], '2 items of $');
  assert.deepEqual(second, row);
  assert.notEqual(second, first);
  for (const key of ['at', 'tags']) assert.notEqual(second?.[key], row[key]);
  assert.equal(second?.again, second?.tags);
  assert.equal(second?.self, second);
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
    const grown = grownTo(root, `${size} items of $.children`);
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
  const grown = grownTo(value, '3 items of $.rows');
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
  const grown = grownTo(page, '3 items of $.rows');
  assert.ok(grown instanceof Page && grown !== page);
  assert.deepEqual(grown.rows, [1, 2, 1]);
  assert.deepEqual(page.rows, [1, 2]);
});

test('an item 100,000 levels deep is copied', () => {
  const grown = grownTo([nested(100_000)], '2 items of $') as unknown[];
  let levels = 0;
  for (let at = grown[1]; !Array.isArray(at); at = (at as { in: unknown }).in) levels++;
  assert.equal(levels, 100_000);
});

const REFUSED: [value: unknown, to: string][] = [
  [{ a: 1 }, '3 items of $.a.b'],
  [{ a: 'x' }, '3 items of $.a'],
  [[], '3 items of $'],
  [{ a: {} }, '3 keys of $.a'],
];
for (const [value, to] of REFUSED)
  test(`${to} in ${JSON.stringify(value)} is refused`, () => {
    assert.throws(() => grownTo(value, to), { code: 'measure-failed' });
  });

const trap = () => assert.fail('user code ran');

describe('dimensionsOf', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `name ${id}` }));
  const TABLE: [what: string, value: unknown, largest: string | null][] = [
    ['rows in an envelope', { ok: true, body: { rows } }, 'items 100 $.body.rows'],
    ['a flat object', { a: 1, b: 2, c: 3 }, 'keys 3 $'],
    ['a list of lists: the outer one', [1, 2, 3].map((one) => [one, one]), 'items 3 $'],
    ['pixels', { w: 1, data: new Uint8ClampedArray(400) }, 'bytes 400 $.data'],
    ['of equal ones the first', { a: 'xyz', b: 'xyz' }, 'keys 2 $'],
    ['nothing to repeat', { a: [], b: '' }, 'keys 2 $'],
    ['an empty list', [], null],
  ];
  for (const [what, value, largest] of TABLE) {
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

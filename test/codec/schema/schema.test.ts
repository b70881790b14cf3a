/** Schemas: their changes, and dictionaries and lists that they must not take for simpler ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaChanges } from '../../../src/codec/schema/places.ts';
import type { PayloadSchema, ValueType } from '../../../src/model/documents/payload-schema.ts';
import { codecFrom, schemaOf } from '../compiled/codec.ts';

const order = (more: object = {}) => ({ id: 1, total: 10, note: 'x', ...more });
const orders = (...more: object[]) => ({ orders: more.map(order) });

const BIG = 2 ** 40;
const MANY = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at]));

/** What was posted, what is posted, and what is said of it. */
const ROWS: [name: string, before: unknown[], now: unknown[], ...said: string[]][] = [
  ['nothing', [orders({})], [orders({}, {})]],
  [
    'longer texts, and texts that repeat',
    [{ a: ['x', 'yz'] }],
    [{ a: Array(100).fill('a long text that repeats') }],
  ],
  [
    'a new field of some, and one that is gone',
    [orders({ 'odd key': 1 })],
    [orders({}, { at: 1 })],
    '$.orders[*]["odd key"] is gone',
    '$.orders[*].at is new, and may be missing',
  ],
  [
    'null, and a date',
    [orders({})],
    [orders({ note: null }, { note: new Date(0) })],
    '$.orders[*].note was a text, is a Date or null',
  ],
  [
    'the order of keys',
    [{ a: 1, b: 2 }],
    [{ b: 2, a: 1 }],
    '$ has its keys in another order, or other combinations',
  ],
  ['a list that was empty', [{ a: [] }], [{ a: [{ b: 1 }] }], '$.a[*] was never there, is a record'],
  ['a dictionary', [MANY], [{ ...MANY, k1: BIG }], '$.* was an integer, is a number'],
  [
    'in a Map and a Set',
    [{ m: new Map([['a', 1]]), s: new Set(['a']) }],
    [{ m: new Map([[1, null]]), s: new Set([true]) }],
    '$.m{key} was a text, is an integer',
    '$.m{value} was an integer, is null',
    '$.s{member} was a text, is a boolean',
  ],
  [
    'one type at two places',
    [{ a: 1, b: 2, c: 3 }],
    [{ a: BIG, b: 2, c: BIG }],
    '$.a was an integer, is a number',
    '$.c was an integer, is a number',
  ],
];

for (const [name, before, now, ...said] of ROWS)
  test(`changes of a schema: ${name}`, () => {
    const changes = schemaChanges(schemaOf(...before)!, schemaOf(...now)!);
    assert.deepEqual(
      changes.map(({ path, what }) => `${path} ${what}`),
      said,
    );
  });

test('changes of a schema: a record that holds itself is compared once', () => {
  const tree = (leaf: object) => ({
    name: 'a',
    sons: [{ name: 'b', sons: [{ name: 'c', sons: [], ...leaf }] }],
  });
  assert.deepEqual(schemaChanges(schemaOf(tree({}))!, schemaOf(tree({}))!), []);
  const changes = schemaChanges(schemaOf(tree({}))!, schemaOf(tree({ extra: 1 }))!);
  assert.equal(changes.length > 0, true);
});

/** Records with an id beside keys that are data. */
const loose = (values: ValueType, isLoose = true): PayloadSchema => ({
  types: [{ record: 0 }, { number: 'int32' }, values],
  records: [{ fields: [{ key: 'id', type: 1, optional: true }], ...(isLoose && { loose: 2 }) }],
});

test('changes of a schema: records with further keys', () => {
  const integer = loose({ number: 'int32' });
  assert.deepEqual(schemaChanges(integer, integer), []);
  assert.deepEqual(schemaChanges(integer, loose({ number: 'double' })), [
    { path: '$.*', what: 'was an integer, is a number' },
  ]);
  assert.deepEqual(schemaChanges(integer, loose({ number: 'int32' }, false)), [
    { path: '$', what: 'has its keys in another order, or other combinations' },
  ]);
});

/** A dictionary: it has more keys than a record. */
const wide = (object: object) => ({
  ...object,
  ...Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`${at}/x`, 1])),
});

test('a dictionary may hold itself, as in an OpenAPI description', () => {
  const inner = {
    p: { 'b/2': 1, p: wide({ 'd/4': {}, q: wide({ p: 1, 'a/1': {} }) }) },
  };
  const sample = {
    p: { 'c/3': { q: { p: { q: 1, 'c/3': 1 }, 'd/4': 1 } } },
    'a/1': { ...inner, 'd/4': 1 },
    'e/5': { 'b/2': {}, 'd/4': { 'b/2': { p: wide({ 'b/2': 1 }) } } },
  };
  const schema = schemaOf(sample);
  assert.ok(schema?.types.some(({ dictionary }) => dictionary !== undefined));
});

test('lists with named properties are cloned unchanged, and so are other lists in the same place', () => {
  const rows = () => Array.from({ length: 9 }, (_, at) => [{ v: at, w: `${at}` }]);
  const sample = {
    names: ['a', 'b'],
    sheets: { a: Object.assign(rows(), { '!ref': 'A1:A9' }), b: rows() },
    plain: rows(),
    numbers: Object.assign([1.5, 2.5], { unit: 'mm' }),
  };
  const codec = codecFrom(sample);
  const restored = codec.fromMessage(structuredClone(codec.toMessage(sample)));
  assert.deepEqual(restored, sample);
  assert.equal((restored as typeof sample).sheets.a['!ref'], 'A1:A9');
  assert.equal((restored as typeof sample).numbers.unit, 'mm');
});

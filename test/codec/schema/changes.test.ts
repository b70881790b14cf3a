import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import { schemaChanges } from '../../../src/codec/schema/places.ts';
import type { PayloadSchema, ValueType } from '../../../src/model/documents/payload-schema.ts';
import { typeDetection } from '../../support/probe.ts';

const schemaOf = (...samples: unknown[]) => inferSchema(samples, typeDetection, false)!;

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
    const changes = schemaChanges(schemaOf(...before), schemaOf(...now));
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
  assert.deepEqual(schemaChanges(schemaOf(tree({})), schemaOf(tree({}))), []);
  const changes = schemaChanges(schemaOf(tree({})), schemaOf(tree({ extra: 1 })));
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

/** Payloads that would make endless schemas or code: what comes of them is bounded, and arrives all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValueType } from '../../../src/model/documents/payload-schema.ts';
import { usually } from '../../support/whole.ts';
import { codecOf, schemaOf } from './codec.ts';
import { arrives, list, MIXED, object } from './large.ts';

const OBJECTS = usually([2000], [20_000]).at(-1)!;
const KEYS = usually([20_000], [100_000]).at(-1)!;

test(`${KEYS} different keys are a dictionary`, () => {
  const sample = object(
    list(KEYS, (at) => `key${at}`),
    (_, at) => at,
  );
  const schema = arrives(sample, { key7: 'x', new: null, key8: 1.5 });
  assert.equal(schema.records.length, 0);
});

test('different keys in each of many objects are dictionaries', () => {
  const rows = list(OBJECTS, (at) =>
    object(
      list(5, (n) => `k${at}_${n}`),
      (_, n) => n / 2,
    ),
  );
  const schema = arrives(rows, [...rows.slice(0, 9), { other: 'x' }, []]);
  assert.ok(schema.types.length < 10);
});

const nested = (levels: number, bottom: unknown): unknown => {
  let value = bottom;
  for (let level = 0; level < levels; level++) value = level % 3 === 2 ? [value, level] : { level, value };
  return value;
};

const lists = (levels: number) => list(levels, () => 0).reduce((value: unknown) => [value], 'x');
const chain = (bottom: unknown) =>
  list(200, (at) => `level${at}`).reduce((value: unknown, key) => ({ [key]: value, name: key }), bottom);

/** Many levels, and the payload that its codec also has to send. */
const DEEP: [name: string, sample: unknown, other: unknown, mayMiss?: true][] = [
  ['200 levels', nested(200, 'x'), nested(200, new Date(1))],
  ['200 levels, then 230', nested(200, 'x'), nested(230, null)],
  ['100 lists in lists', lists(100), lists(101)],
  ['200 levels of different records', chain(1), chain('x')],
  ['levels below the inspected depth', nested(900, 1), nested(901, 2), true],
];

for (const [name, sample, other, mayMiss = false] of DEEP)
  test(`${name} arrive, or get no schema`, () => {
    if (schemaOf(sample) !== null) arrives(sample, other, { mayMiss });
    else assert.match(name, /records|below/);
  });

test('5,000 kinds of records have a bounded schema', () => {
  const kinds = list(5000, (at) => ({ [`kind${at}`]: at, [`of${at}`]: `n${at}`, same: at / 2 }));
  arrives(kinds, [...kinds.slice(0, 50), { same: 1 }]);
});

/** More than are compared with each other. */
const PLACES = usually([2500], [5000]).at(-1)!;

test(`${PLACES} kinds of records at separate places get a bounded schema, or none`, () => {
  const kinds = list(PLACES, (at) => ({ [`kind${at}`]: at, [`of${at}`]: { [`in${at}`]: `n${at}` } }));
  const sample = object(
    list(PLACES, (at) => `at${at}`),
    (_, at) => kinds[at],
  );
  const few = object(
    list(200, (at) => `at${at}`),
    (_, at) => [kinds[at], at],
  );
  for (const one of [sample, few]) if (schemaOf(one) !== null) arrives(one, { ...one, at5: null });
});

const LONG = usually([4000], [60_000]).at(-1)!;

test('a long list of mixed kinds arrives', () => {
  const mixed = list(LONG, (at) => MIXED[at % MIXED.length]!(at));
  const changed = [...mixed.slice(0, 500), undefined, -0, new Uint8Array(2), /x/];
  arrives(mixed, changed);
  arrives({ mixed }, { mixed: changed });
});

test('300 keys in a record arrive, of one kind or of several', () => {
  const keys = list(300, (at) => `field_${at}`);
  for (const make of [(at: number) => at, (at: number) => MIXED[at % MIXED.length]!(at)]) {
    const row = (n: number) => object(keys, (_, at) => make(at + n * MIXED.length));
    arrives(list(8, row), [row(1), { ...row(2), field_7: new Date(3) }, object(keys.toReversed(), () => 1)]);
    const sparse = (n: number) =>
      object(
        keys.filter((_, at) => (at + n) % 7 > 0),
        (_, at) => make(at),
      );
    arrives(list(30, sparse), [row(1), sparse(9), {}]);
  }
});

const text = { count: 1, units: 1 };
/** The first type holds itself, or another that holds itself. */
const RECURSIVE: [types: ValueType[], value: unknown][] = [
  [[{ list: 0 }], [[], [[[]]]]],
  [[{ dictionary: 0 }], { a: { b: {} } }],
  [[{ list: 1 }, { dictionary: 0, keysRepeat: true }], [{ a: [{ b: [] }], c: [] }]],
  [[{ dictionary: 1 }, { list: 0, null: true }], { a: [{ b: null }, {}] }],
  [[{ map: [1, 0] }, { text }], new Map([['a', new Map([['b', new Map()]])]])],
  [[{ set: 1 }, { list: 1 }], new Set([[[], [[]]]])],
  [[{ list: 0, text, undefined: true }], [['a'], [['b']]]],
  [
    [{ list: 1 }, { list: 2 }, { dictionary: 2, rest: true }],
    [[{ a: /x/ }], []],
  ],
];

for (const [types, value] of RECURSIVE)
  test(`${JSON.stringify(types)}: a type that holds itself without a record between`, () => {
    const codec = codecOf({ types, records: [] }, 'joined');
    const missed: string[] = [];
    const message = codec.toMessage(value, (path) => missed.push(path));
    assert.deepEqual(codec.fromMessage(structuredClone(message)), value);
    assert.deepEqual(missed, []);
  });

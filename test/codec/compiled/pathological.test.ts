/** Payloads that are large or odd, or would make endless schemas or code: what comes of them is bounded, and arrives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import type { TextForm } from '../../../src/codec/compiled/ways/scalars.ts';
import type { PayloadSchema, ValueType } from '../../../src/model/documents/payload-schema.ts';
import { usually } from '../../support/whole.ts';
import { differencesBetween } from './arrival.ts';
import { codecOf, codecOfText, FORMS, schemaOf } from './codec.ts';
import { ODD_KEYS, OWN_NAMES } from './odd-keys.ts';

const MAX_TYPES = 600;
const MAX_CODE = 600_000;

const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
/** Own properties, `__proto__` too. */
const object = (
  keys: readonly string[],
  make: (key: string, at: number) => unknown,
): Record<string, unknown> => Object.fromEntries(keys.map((key, at) => [key, make(key, at)]));

/** The value arrives equal, and fits; one that is changed arrives equal too. */
function arrives(
  sample: unknown,
  changed: unknown,
  { mayMiss = false, forms = FORMS }: { mayMiss?: boolean; forms?: readonly TextForm[] } = {},
): PayloadSchema {
  const schema = schemaOf(sample);
  assert.ok(schema !== null);
  assert.ok(schema.types.length <= MAX_TYPES, `${schema.types.length} types`);
  for (const form of forms) {
    const { source } = compiledCodec({ schema, name: 'payload', form });
    assert.ok(source.length < MAX_CODE, `${source.length} characters`);
    const codec = codecOfText(source);
    const missed: string[] = [];
    const message = structuredClone(codec.toMessage(sample, (path) => missed.push(path)));
    assert.ok(!('asIs' in message));
    assert.deepEqual(differencesBetween(sample, codec.fromMessage(message), false), []);
    if (!mayMiss) assert.deepEqual(missed.slice(0, 3), []);
    const received = codec.fromMessage(structuredClone(codec.toMessage(changed)));
    assert.deepEqual(differencesBetween(changed, received, true), []);
  }
  return schema;
}

/** Each makes values of a kind of its own. */
const MIXED: readonly ((at: number) => unknown)[] = [
  (at) => at,
  (at) => at / 3,
  (at) => `t${at}`,
  () => null,
  (at) => at % 2 === 0,
  (at) => BigInt(at),
  (at) => new Date(at),
  (at) => [at, `${at}`],
  (at) => [at, at + 1],
  (at) => ({ id: at }),
  (at) => ({ id: `${at}`, [`key${at % 50}`]: at }),
  (at) => new Map([[at, { at }]]),
  (at) => new Set([`${at}`]),
];

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

/** As fields of one record, of records of their own, as optional fields, and as names of lists and records. */
function withKeys(keys: readonly string[]): unknown[] {
  return [
    list(5, (n) => object(keys, (_, at) => (at % 2 === 0 ? n : `t${n}`))),
    object(keys, (key, at) => ({ [`${key}s`]: [at, key, { at }], own: object([key], () => at / 2) })),
    object(keys, (key, at) => [
      { [key]: at, name: key },
      { name: key, at: { [key]: [key] } },
    ]),
    object(keys, (key, at) => MIXED[at % MIXED.length]!(key.length)),
    list(40, (n) =>
      object(
        keys.filter((_, at) => (at * 7 + n) % 5 > 0),
        (_, at) => (at % 2 === 0 ? n : 'x'),
      ),
    ),
    object(keys, (key) => [object([key], () => null), object([key, 'two'], () => [key]), { one: 1 }]),
  ];
}

for (const [name, keys] of [
  ['that are hard to write or differ in case', ODD_KEYS],
  ['that the code has for something else', OWN_NAMES],
] as const)
  test(`keys ${name} arrive`, () => {
    const samples = withKeys(keys);
    for (const sample of samples) {
      arrives(sample, samples[0]);
      arrives(
        [sample, sample].map((one) => structuredClone(one)),
        [sample],
      );
    }
    for (const [at, key] of keys.entries()) {
      const forms = [FORMS[at % 2]!];
      const sample = object([key, 'other'], () => [object([key], () => 1.5), object([key, 'b'], () => key)]);
      arrives(
        sample,
        object(['other', key], () => sample),
        { forms },
      );
    }
  });

test('codecs compile even if their name equals a name in their code', () => {
  const sample = { payload: { message: { text: ['a'] } } };
  for (const name of [...OWN_NAMES, ...ODD_KEYS]) {
    const codec = codecOf(schemaOf(sample)!, 'joined', name);
    assert.deepEqual(codec.fromMessage(codec.toMessage(sample)), sample);
  }
});

test('a payload of the name payload is called Sample: Payload is what the module calls it', () => {
  const schema = schemaOf({ id: 1, names: ['a'] });
  assert.ok(schema !== null);
  for (const name of ['payload', 'Payload', 'app.mjs:3', 'message']) {
    const payloadType = name.startsWith('app') ? 'AppMjs3' : 'Sample';
    assert.deepEqual(compiledCodec({ schema, name, form: FORMS[0]! }).types, [
      `export interface ${payloadType} { id: number; names: string[] }`,
      `export type Payload = ${payloadType};`,
    ]);
  }
});

/** Keys that are no identifiers, differ in case alone, or are what the code of a codec calls something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import { codecOf, FORMS, schemaOf } from './codec.ts';
import { arrives, list, MIXED, object } from './large.ts';

const ODD_KEYS = [
  ...(
    'order Order ORDER oRDER order_item orderItem OrderItem ORDER_ITEM order-item a.b a-b [*] 1 01 -1 1e3 4294967295 é É ' +
    '日本 😀 \ud800 " \' ` ${x} \\ \\u0041 */ /* // \0 $ _ __ $$ class default new null await yield arguments eval this'
  ).split(' '),
  ...['', ' ', 'a b', '/*: any */', '/*as x */', '\n', '\r\n', '\u2028'],
];

/** Of the codec itself, and of objects. */
const OWN_NAMES = (
  'rest list wordList WordList int32Array Int32Array payload Payload message Message text ints doubles version VERSION ' +
  'NOTHING asIs from begin missed path known write Write writeInt readInt read nextInt damaged fits isInt setKey toMessage ' +
  'fromMessage NULL REST ESCAPE words keyLists ints2 Ints2 doubles3 map set date table dictionary other record layout has ' +
  'mark kind object array error value i d ip dp tp rp at key keys length globalThis undefined function __proto__ ' +
  'constructor prototype toString valueOf hasOwnProperty __defineGetter__ toJSON'
).split(' ');

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

test('a payload of the name payload is called Data: Payload is what the module calls it', () => {
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

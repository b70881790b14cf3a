/** Keys that are no identifiers, differ in case alone, or are what the code of a codec calls something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import { codecOf, FORMS, schemaOf } from './codec.ts';
import { arrives, list, MIXED, object } from './large.ts';
import { ODD_KEYS, OWN_NAMES } from './odd-keys.ts';

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

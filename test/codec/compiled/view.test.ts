import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import { readWhole } from '../../../src/codec/compiled/views.ts';
import { type CompiledCodec, codecOfText, type Streams, schemaOf } from './codec.ts';

interface Columns extends Iterable<object> {
  length: number;
  at(row: number): Record<string, unknown>;
  column(key: string): ArrayLike<unknown>;
}

function codecOf(sample: unknown): CompiledCodec {
  const schema = schemaOf(sample)!;
  const { source, hasView } = compiledCodec({ schema, name: 'payload', form: 'viewed' });
  assert.ok(hasView);
  return codecOfText(source);
}

const kinds = ['new', 'paid', 'sent'];
const row = (i: number) => ({
  id: i,
  name: `name ${i}`,
  kind: kinds[i % 3],
  note: i % 2 === 0 ? null : `note ${i}`,
  price: i / 3,
  at: new Date(i),
  isPaid: i % 2 === 0,
  place: [i / 2, -i / 2],
  geo: { x: i, label: `x${i}`, none: null },
});
const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i));
const PAYLOAD = { page: 1, data: { rows: rows(9), tags: ['a', 'b'] }, others: [{ list: [1] }, { list: [] }] };

const viewOf = (codec: CompiledCodec, payload: unknown) =>
  codec.viewMessage(structuredClone(codec.toMessage(payload)));

test('lists of records by column: length, records, columns, iteration', () => {
  const codec = codecOf(PAYLOAD);
  const view = viewOf(codec, PAYLOAD) as { page: number; data: { rows: Columns }; others: unknown };
  const list = view.data.rows;
  assert.equal(view.page, 1);
  assert.deepEqual(view.others, PAYLOAD.others);
  assert.equal(list.length, 9);
  assert.deepEqual(list.at(4), row(4));
  assert.deepEqual([...list], rows(9));
  assert.deepEqual(list.column('id'), new Int32Array(rows(9).map(({ id }) => id)));
  assert.deepEqual(list.column('price'), new Float64Array(rows(9).map(({ price }) => price)));
  for (const key of ['name', 'kind', 'note', 'at', 'isPaid', 'place', 'geo'] as const)
    assert.deepEqual(
      list.column(key),
      rows(9).map((one) => one[key]),
      key,
    );
  assert.throws(() => list.at(9), new RangeError('no record 9 of 9'));
  assert.deepEqual(list.at(-1), rows(9)[8]);
  assert.throws(() => list.at(-10), RangeError);
});

test('views of two messages can be read together, and next to whole messages', () => {
  const codec = codecOf(rows(9));
  const [a, b] = [rows(4), rows(5).reverse()];
  const [first, second] = [viewOf(codec, a), viewOf(codec, b)] as [Columns, Columns];
  assert.deepEqual(codec.fromMessage(structuredClone(codec.toMessage(a))), a);
  for (let at = 0; at < 4; at++) assert.deepEqual([first.at(at), second.at(at)], [a[at], b[at]]);
});

const changed = (change: object) => rows(5).map((one, i) => (i === 3 ? { ...one, ...change } : one));
const MISFITS: [string, unknown][] = [
  ['no list', { rows: 7 }],
  ['null', null],
  ['an empty list', []],
  ['another record', [...rows(3), { id: 1 }]],
  ['null among records', [row(1), null, row(2)]],
  ['an integer that is none', changed({ id: 1.5 })],
  ['no number', changed({ price: 'free' })],
  ['null for a number', changed({ id: null })],
  ['a text that is none', changed({ name: 7 })],
  ['a date that is none', changed({ at: 'x' })],
  ['other numbers', changed({ place: [1, 2, 3] })],
  ['another record inside', changed({ geo: { x: 1 } })],
  ['-Number.MAX_VALUE', changed({ price: -Number.MAX_VALUE })],
];

for (const [what, payload] of MISFITS)
  test(`${what}: the view has what arrives`, () => {
    const codec = codecOf(rows(9));
    assert.deepEqual(readWhole(viewOf(codec, payload)), payload);
    assert.deepEqual(readWhole(codec.viewMessage({ asIs: structuredClone(payload) })), payload);
  });

test('a column of numbers with a null among them is a plain array of values', () => {
  const codec = codecOf(rows(9));
  const list = viewOf(codec, changed({ id: null })) as Columns;
  assert.deepEqual(list.column('id'), [0, 1, 2, null, 4]);
  assert.ok(list.column('price') instanceof Float64Array);
});

test('a message that is cut, or belongs to a different codec, cannot be viewed', () => {
  const codec = codecOf(rows(9));
  const whole = codec.toMessage(rows(9)) as Streams;
  for (const ints of [whole.ints.slice(0, 9), whole.ints.slice(0, -1), new Int32Array([2 ** 30])])
    assert.throws(() => codec.viewMessage({ ...whole, ints }), /is cut, damaged or too deep/);
  assert.throws(
    () => codec.viewMessage({ ...whole, doubles: whole.doubles.slice(1) }),
    /is cut, damaged or too deep/,
  );
  assert.throws(() => codec.viewMessage({ ...whole, version: 'x' }), /cannot read a message of codec x/);
});

test('lists of records that differ in size get no view', () => {
  const numbers = [{ n: null }, { n: 1.5 }];
  for (const sample of [[{ a: 1 }, {}], [{ list: [1] }], [1, 2], { a: { b: 1 } }, { list: numbers }]) {
    const { hasView } = compiledCodec({ schema: schemaOf(sample)!, name: 'payload', form: 'viewed' });
    assert.equal(hasView, false, JSON.stringify(sample));
  }
});

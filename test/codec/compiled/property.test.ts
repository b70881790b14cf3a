/** Seeded values through compiled codecs: they arrive as a plain clone brings them, or are sent whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seeded, seedFor } from '../../../src/stats/intervals/random.ts';
import { type Program, sourceOf } from '../../differential/program.ts';
import { usually } from '../../support/whole.ts';
import { differencesBetween, plainCopy, sent } from './arrival.ts';
import { type CompiledCodec, codecFrom, codecOf, FORMS, schemaOf } from './codec.ts';
import { STRANGE_VALUES } from './mutated.ts';
import { builder, trial } from './trial.ts';
import { typicalProgramAt } from './typical-values.ts';

const SEED = 20_260_711;
const VALUES = usually([25], [200]).at(-1)!;
const MUTATIONS = 3;

test(`${VALUES} values, and ${MUTATIONS} changes of each, arrive as a clone does (seed ${SEED})`, () => {
  const trials = Array.from({ length: VALUES }, (_, index) => trial(SEED, index, MUTATIONS));
  const complaints = trials.flatMap((one) => one.complaints);
  assert.deepEqual(complaints, []);
  const codecs = trials.filter(({ hasCodec }) => hasCodec);
  const whole = codecs.reduce((total, one) => total + one.whole, 0);
  assert.ok(codecs.length > 0.7 * VALUES, `only ${codecs.length} values have a codec`);
  assert.ok(whole < 0.2 * codecs.length * MUTATIONS, `${whole} changed values were sent whole`);
});

const LOSSES: ((payload: typeof RECORD) => unknown)[] = [
  (payload) => ({ ...payload, at: { x: 0.5, y: 0 } }),
  (payload) => Object.fromEntries(Object.entries(payload).reverse()),
  ({ next: _, ...payload }) => payload,
  (payload) => Object.assign(Object.create(null), payload, { tags: { 0: 'b' } }),
  () => assert.fail('lost'),
];

test('a codec that loses -0, an order, undefined, a prototype or all is found out', () => {
  const right = codecFrom(RECORD);
  for (const loss of LOSSES) {
    const fromMessage = (message: unknown) => loss(right.fromMessage(message) as typeof RECORD);
    assert.notEqual(sent({ ...right, fromMessage }, () => RECORD, false).complaint, '', String(loss));
  }
});

const RECORD = { id: 1, name: 'a', at: { x: 0.5, y: -0 }, tags: ['b', 'c'], next: undefined };

test('a strange value at each place of a record arrives like a clone, and its path is reported', () => {
  const codec = codecFrom(RECORD);
  for (const key of Object.keys(RECORD))
    for (const [which, make] of STRANGE_VALUES.entries()) {
      const plain = plainCopy({ ...RECORD, [key]: make() });
      if (plain === null) continue;
      const missed: string[] = [];
      const message = codec.toMessage({ ...RECORD, [key]: make() }, (path) => missed.push(path));
      const received = codec.fromMessage(structuredClone(message));
      assert.deepEqual(differencesBetween(plain.copy, received, true), [], `value ${which} at ${key}`);
      assert.ok(missed.every((path) => path === '$' || path.startsWith(`$.${key}`)));
    }
});

function rowsAt(index: number): unknown[] {
  const program = typicalProgramAt(SEED, index);
  const rows: Program[] = program.op === 'array' ? program.items : [program];
  return rows.slice(0, 8).flatMap((row) => plainCopy(builder(sourceOf(row))())?.copy ?? []);
}

test(`each of several samples fits their common codec (seed ${SEED})`, () => {
  for (let index = 0; index < 60; index++) {
    const samples = rowsAt(index);
    const schema = samples.length === 0 ? null : schemaOf(...samples);
    if (schema === null) continue;
    const codec = codecOf(schema, FORMS[index % FORMS.length]!);
    const missed: string[] = [];
    for (const sample of samples) {
      const message = codec.toMessage(sample, (path) => missed.push(path));
      const received = codec.fromMessage(structuredClone(message));
      assert.deepEqual(differencesBetween(sample, received, false), [], `samples ${index}`);
    }
    assert.deepEqual(missed, [], `samples ${index}`);
  }
});

/** The value arrives equal, and each place of it fits. */
const fits = (value: unknown) =>
  assert.deepEqual(
    sent(codecFrom(value), () => value, false),
    { complaint: '', way: 'streams', missed: 0 },
  );

test('dictionaries fit even beyond the number whose keys are compared', () => {
  fits(
    Array.from({ length: 200 }, (_, at) => ({
      ...{ kind: at < 64 ? at : `t${at}`, [`k${at}_a`]: { x: 1.5 }, [`k${at}_b`]: { x: 2 } },
    })),
  );
});

test('a prototype that programs have added a key to leaves no trace in dictionaries', () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    names: { [`a${at}`]: at, [`b${at}`]: 2 },
    mixed: { kind: at, ...(at % 3 === 0 ? { [`c${at}`]: 1.5 } : { d: 'd', [`e${at}`]: at }) },
  }));
  const codec = codecFrom(rows);
  Object.defineProperty(Object.prototype, 'added', { value: 7, enumerable: true, configurable: true });
  try {
    const received = codec.fromMessage(structuredClone(codec.toMessage(rows)));
    assert.equal(JSON.stringify(received), JSON.stringify(rows));
  } finally {
    Reflect.deleteProperty(Object.prototype, 'added');
  }
});

test('objects that are also inside of what is cloned stay one', () => {
  const one = { x: 1.5, y: [1, 2] };
  const self: Record<string, unknown> = { name: 'a' };
  self.holes = [self, undefined];
  const samples = [
    { one, list: [one, undefined] },
    { list: Object.assign([], { 0: one, 2: 1 }), one },
    [self],
    { one, error: new Error('e', { cause: one }) },
  ];
  for (const sample of samples) fits([{ id: 1, of: sample }]);
});

const words = (start: string): string[] => Array.from({ length: 64 }, (_, at) => start + (at % 4));
const table = (start: string) => ({
  words: words(start),
  byName: [{ [`${start} 1`]: 1 }, { [`${start} 2`]: 2 }],
});

test(`messages that are written before others are read do not mix (seed ${SEED})`, () => {
  const codec = codecFrom([table('a'), table('b'), table('a')]);
  const random = seeded(seedFor(SEED, 1));
  const open: { value: unknown; message: unknown }[] = [];
  for (let round = 0; round < 200; round++) {
    const value = Array.from({ length: randomBelow(4, random) }, () => table(`t${randomBelow(9, random)}`));
    open.push({ value, message: codec.toMessage(value) });
    if (randomBelow(3, random) > 0) continue;
    const [read] = open.splice(randomBelow(open.length, random), 1);
    assert.deepEqual(codec.fromMessage(read!.message), read!.value);
  }
});

/** A record whose getter runs `inside` while it is written. */
function withGetter(inside: () => unknown): typeof RECORD {
  return Object.defineProperty({ ...RECORD }, 'name', { get: inside, enumerable: true }) as typeof RECORD;
}

function readWithin(codec: CompiledCodec): unknown {
  return codec.fromMessage(codec.toMessage({ ...RECORD, id: 7 }));
}

test('a getter, and the callback for a miss, may call the codec that writes their record', () => {
  const codec = codecFrom(RECORD);
  const other = { ...RECORD, id: 7 };
  const inner: unknown[] = [];
  const outer = withGetter(() => {
    inner.push(codec.toMessage(other, assert.fail), readWithin(codec));
    return 'got';
  });
  assert.deepEqual(codec.fromMessage(codec.toMessage(outer, assert.fail)), { ...RECORD, name: 'got' });
  const misfit = { ...RECORD, id: 'x', next: 1 };
  const message = codec.toMessage(misfit, () => inner.push(readWithin(codec)));
  assert.deepEqual(codec.fromMessage(message), misfit);
  assert.deepEqual(inner, [{ asIs: other }, other, other, other]);
});

test('after a getter that throws, the codec writes the next value', () => {
  const codec = codecFrom(RECORD);
  const failing = withGetter(() => {
    throw new Error('no');
  });
  const misses: string[] = [];
  const message = codec.toMessage(failing, (path) => misses.push(path)) as { asIs: unknown };
  assert.deepEqual([message.asIs === failing, misses], [true, ['$']]);
  assert.deepEqual(readWithin(codec), { ...RECORD, id: 7 });
});

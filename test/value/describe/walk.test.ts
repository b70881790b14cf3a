import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';
import { jsonValue } from '../../support/random-json.ts';
import { usually } from '../../support/whole.ts';

const asked = await probeFor();
const assumed = await probeFor({ assume: 'v8' });
const boom = () => {
  throw new Error('user code ran');
};

function lines({ patterns }: Shape): string[] {
  return patterns.map((f) => `${f.pattern} ${f.parent ?? '-'} ${f.kind} x${f.count} ${f.example}`);
}

const row = (shape: Shape, pattern: string): Facts => {
  const found = shape.patterns.find((f) => f.pattern === pattern);
  assert.ok(found, `${pattern} is missing in ${lines(shape).join(' | ')}`);
  return found;
};

test('the content of Maps, Sets and errors is walked', () => {
  const value = {
    map: new Map<unknown, unknown>([
      ['k', { deep: 1 }],
      [{ id: 1 }, 2],
    ]),
    set: new Set([1, { m: 2 }]),
    error: new AggregateError([{ part: 1 }], 'text', { cause: { why: 1 } }),
  };
  const shape = describe(value, asked);
  const found = (pattern: string) => row(shape, pattern).example;
  assert.equal(found('$.map{value}.deep'), '$.map{value:0}.deep');
  assert.equal(found('$.map{key}.id'), '$.map{key:1}.id');
  assert.equal(found('$.set{member}.m'), '$.set{member:1}.m');
  assert.equal(found('$.error.message'), '$.error.message');
  assert.equal(found('$.error.cause.why'), '$.error.cause.why');
  assert.ok(
    !shape.patterns.some(({ pattern }) => pattern.startsWith('$.error.errors')),
    'errors are not sent',
  );
  assert.deepEqual(row(shape, '$.map').size, { min: 2, max: 2, total: 2 });
});

test('shared references and cycles are distinguished and not walked twice', () => {
  const shared = { a: [1, 2, 3] };
  const value: Record<string, unknown> = { one: shared, two: { inner: shared } };
  value.self = value;
  value.again = { up: value, shared };
  const shape = describe(value, asked);
  assert.deepEqual(row(shape, '$.one').flags, []);
  assert.deepEqual(row(shape, '$.two.inner').flags, ['repeated']);
  assert.deepEqual(row(shape, '$.self').flags, ['cycle']);
  assert.deepEqual(row(shape, '$.again.up').flags, ['cycle']);
  assert.deepEqual(row(shape, '$.again.shared').flags, ['repeated']);
  assert.equal(
    shape.patterns.some((f) => f.pattern === '$.two.inner.a'),
    false,
  );
  assert.equal(shape.jsonSafe, false);
});

test('a cycle of arrays alone, and one that leads into a Map or Set, are distinguished from others', () => {
  const ring: unknown[] = [];
  const named: unknown[] = [];
  const within = new Map<string, unknown>();
  within.set('inner', { members: new Set([within]) });
  ring.push(ring, [ring, { ring }], new Map([['ring', [ring]]]));
  named.push(Object.assign([], { named }));
  const shape = describe({ ring, named, within }, asked);
  const found = (pattern: string) => row(shape, pattern).flags.filter((flag) => flag.endsWith('cycle'));
  assert.deepEqual(found('$.ring[*][*]'), ['cycle', 'array-cycle']);
  assert.deepEqual(found('$.ring[*][*].ring'), ['cycle']);
  assert.deepEqual(found('$.ring[*]{value}[*]'), ['cycle', 'collection-cycle']);
  assert.deepEqual(found('$.named[*].named'), ['cycle']);
  assert.deepEqual(found('$.within{value}.members{member}'), ['cycle']);
  assert.ok(shape.patterns.some((one) => one.pattern === '$.ring[*]' && one.flags.includes('array-cycle')));
});

test('a buffer under several views is copied once', () => {
  const buffer = new ArrayBuffer(1000);
  const views = [new Uint8Array(buffer, 0, 10), new Uint8Array(buffer, 10, 20), new Uint8Array(50)];
  const shape = describe(views, asked);
  const sums = shape.patterns.filter((f) => f.pattern === '$[*]').map((f) => f.bytes);
  assert.deepEqual(sums, [
    { total: 30, max: 20, backing: 1000 },
    { total: 50, max: 50, backing: 50 },
  ]);
});

test('no user code runs', () => {
  const trap = new Proxy({}, Object.fromEntries(Reflect.ownKeys(Reflect).map((k) => [k, boom])));
  const hostile = {
    get a() {
      return boom();
    },
    toJSON: boom,
    [Symbol.toPrimitive]: boom,
    get [Symbol.toStringTag]() {
      return boom();
    },
    trap,
    map: Object.assign(new Map([[1, trap]]), { forEach: boom, entries: boom, [Symbol.iterator]: boom }),
    list: Object.assign([trap], { map: boom, [Symbol.iterator]: boom }),
    date: Object.assign(new Date(), { getTime: boom, valueOf: boom }),
    error: Object.defineProperty(new Error('x'), 'stack', { get: boom }),
    inherited: Object.create(trap),
    view: Object.defineProperty(new Uint8Array(4), 'buffer', { get: boom }),
    klass: Reflect.construct(Object.defineProperty(class {}, 'name', { get: boom }), []),
  };
  for (const probe of [asked, assumed]) {
    const shape = describe(hostile, probe, { jsonBytes: true });
    assert.equal(row(shape, '$.trap').kind, 'proxy');
    assert.equal(row(shape, '$.map{value}').kind, 'proxy');
    assert.equal(row(shape, '$.list[*]').kind, 'proxy');
    assert.equal(shape.jsonBytes, null);
  }
});

test('a hole is not an element, even if the prototype has a value at that index', () => {
  const holey = Array.from({ length: 6000 }, (_, i) => i);
  Reflect.deleteProperty(holey, 5000);
  Object.defineProperty(Array.prototype, 5000, { value: {}, configurable: true, writable: true });
  try {
    const shape = describe(holey, asked);
    assert.ok(shape.patterns[0]!.flags.includes('holes'));
    assert.equal(row(shape, '$[*]').count, 5999);
  } finally {
    Reflect.deleteProperty(Array.prototype, 5000);
  }
});

/** Far beyond what a recursive walk could do: a stack holds some ten thousand calls. */
const MANY = usually([15_000], [100_000]).at(-1)!;

test(`${MANY} levels do not overflow, and give a small shape`, () => {
  let lists: unknown = [];
  let objects: unknown = 0;
  for (let i = 0; i < MANY; i++) {
    lists = [lists];
    objects = { next: objects };
  }
  for (const value of [lists, objects])
    for (const trusted of [true, false]) {
      const shape = describe(value, asked, { fromJson: trusted });
      assert.equal(shape.depth, MANY);
      assert.equal(shape.nodes, MANY + 1);
      assert.ok(shape.patterns.length < 80, `${shape.patterns.length} rows`);
      assert.equal(shape.truncated.depth, true);
      assert.equal(shape.jsonSafe, false);
      assert.ok(shape.patterns.at(-1)!.example.length < 400);
    }
});

test(`${MANY} different keys fold into one pattern, counts stay exact`, () => {
  const value = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, { v: i }]));
  for (const trusted of [true, false]) {
    const shape = describe(value, asked, { fromJson: trusted });
    assert.equal(shape.nodes, 2 * MANY + 1);
    assert.ok(shape.patterns.length < 200);
    assert.deepEqual(shape.truncated, { patterns: true, depth: false, items: false });
    const rest = row(shape, '$.*');
    assert.deepEqual([rest.count, rest.example], [MANY - 64, '$.k64']);
    assert.equal(row(shape, '$.*.v').count, MANY - 64);
  }
});

test('caps: patterns, rows, very long keys', () => {
  const tree = (depth: number): unknown =>
    depth === 0 ? 1 : Object.fromEntries([...'abcdefgh'].map((k) => [k + depth, tree(depth - 1)]));
  const wide = describe(tree(4), asked);
  assert.ok(wide.patterns.length <= 2600, `${wide.patterns.length}`);
  assert.equal(wide.truncated.patterns, true);
  assert.equal(
    wide.patterns.reduce((n, f) => n + f.count, 0),
    wide.nodes,
  );

  const classes = Array.from({ length: 200 }, (_, i) => new ({ [`C${i}`]: class {} })[`C${i}`]!());
  const rows = describe(classes, asked);
  assert.equal(rows.patterns.filter((f) => f.pattern === '$[*]').length, 128);
  assert.equal(
    rows.patterns.reduce((n, f) => n + f.count, 0),
    201,
  );

  const long = describe({ ['k'.repeat(1e5)]: 1 }, asked);
  assert.equal(row(long, '$.*').count, 1);
  assert.ok(row(long, '$.*').example.length < 200);
});

test('sparse arrays are walked by their elements, not by their length', () => {
  const sparse: unknown[] = [1];
  sparse.length = 4294967295;
  sparse[4e9] = 'far';
  for (const probe of [asked, assumed]) {
    const shape = describe(sparse, probe);
    assert.ok(row(shape, '$').flags.includes('holes'));
    assert.ok(row(shape, '$').flags.includes('dictionary-elements'));
    assert.equal(shape.patterns.find((f) => f.kind === 'string')?.example, '$[4000000000]');
  }
});

test('the JSON walk gives the same shape as the general walk', () => {
  const seed = 20240611;
  const random = seeded(seed);
  for (let i = 0; i < 200; i++) {
    const value: unknown = JSON.parse(JSON.stringify(jsonValue(random, 4)));
    const fast = describe(value, asked, { fromJson: true, jsonBytes: true });
    const careful = describe(value, asked, { jsonBytes: true });
    const sorted = (shape: Shape) => shape.patterns.map((f) => JSON.stringify(f)).sort();
    const text = `seed ${seed}, value ${i}: ${JSON.stringify(value)}`;
    assert.deepEqual(sorted(fast), sorted(careful), text);
    assert.deepEqual({ ...fast, patterns: [] }, { ...careful, patterns: [] }, text);
    assert.equal(fast.jsonBytes, Buffer.byteLength(JSON.stringify(value)), text);
  }
});

test('jsonBytes: measured when requested and harmless', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const rows: [unknown, number | null][] = [
    [{ a: 'é☃' }, 13],
    [{ a: undefined, b: Number.NaN }, 10],
    [undefined, null],
    [cyclic, null],
    [[1n], null],
    [new Date(0), null],
  ];
  for (const [value, bytes] of rows) {
    assert.equal(describe(value, asked, { jsonBytes: true }).jsonBytes, bytes);
    assert.equal(describe(value, asked).jsonBytes, null);
  }
});

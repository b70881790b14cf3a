import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { compare } from '../../../src/value/compare/compare.ts';
import { deepCopy } from '../../../src/value/copy/copies.ts';
import { typeDetection } from '../../support/probe.ts';
import { jsonValue } from '../../support/random-json.ts';
import { usually } from '../../support/whole.ts';

class Late extends Map {}

function shared<T>(make: (one: object) => T): T {
  return make({ x: 1 });
}
function ring(): Record<string, unknown> {
  const ring: Record<string, unknown> = { n: 1 };
  ring.self = ring;
  return ring;
}
function spoofed(tag: string, fields: object): object {
  return { ...fields, [Symbol.toStringTag]: tag };
}
function views(...buffers: ArrayBuffer[]): Uint8Array[] {
  return buffers.map((buffer, i) => new Uint8Array(buffer, i * 4, 8));
}
const pool = new ArrayBuffer(64);
const other = new ArrayBuffer(64);
const parts = (...spans: [ArrayBuffer, number][]) =>
  spans.map(([buffer, at]) => new Uint8Array(buffer, at, 8));

const holey = (length: number, entries: object) => Object.assign([] as unknown[], entries, { length });
/** Written like this because `$` before a brace looks like a template. */
const root = (rest: string) => `$${rest}`;

const map = (...keys: string[]) => new Map(keys.map((key) => [key, key.charCodeAt(0) - 96]));
const TAGGED = spoofed('Date', { a: 1 });
const FAR = Object.assign([], { 4000000000: 1 });

type Row = [name: string, original: unknown, restored: unknown, ...losses: string[]];

let calls = 0;
const withGetter = (target: object, key: PropertyKey) =>
  Object.defineProperty(target, key, { get: () => calls++, enumerable: true, configurable: true });
/** An engine runs it for the stack of an error. */
const throwing = () => {
  throw new Error('no');
};

const KEY = Symbol('s');
const errorWith = (slots: object) => Object.assign(new Error('x'), slots);

const oddView = (offset: number) => new Uint8Array(new ArrayBuffer(16), offset, 8).fill(1, 6);

function shrunk(to: number): Uint8Array {
  const buffer = Reflect.construct(ArrayBuffer, [16, { maxByteLength: 64 }]) as ArrayBuffer & {
    resize(bytes: number): void;
  };
  const view = new Uint8Array(buffer, 8);
  buffer.resize(to);
  return view;
}

function detached(): DataView {
  const view = new DataView(new ArrayBuffer(8));
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

/** What clones lose is compared in test/differential/losses: classes, getters, attributes, frozen and hidden properties. */
const ROWS: Row[] = [
  ['minus zero', { a: -0 }, { a: 0 }, '$.a -0 became 0'],
  ['NaN lost', [Number.NaN], [null], '$[0] NaN became null'],
  ['bigint', { a: 1n }, { a: 1 }, '$.a bigint became number'],
  ['bigint changed', { a: 1n }, { a: 2n }, '$.a bigint changed'],
  ['undefined lost', { a: undefined }, {}, '$.a undefined became absent'],
  ['undefined gained', {}, { a: undefined }, '$.a absent became undefined'],
  ['hole filled', holey(3, { 0: 1, 2: 3 }), [1, undefined, 3], '$[1] hole became undefined'],
  ['hole made', [1, undefined], holey(2, { 0: 1 }), '$[1] undefined became hole'],
  ['length', [1, 2, 3], [1, 2], '$ length 3 became 2'],
  ['sparse', FAR, Object.assign([], { 4000000000: 2 }), '$[4000000000] 1 became 2'],
  [
    'a hole and a name in its place',
    holey(2, { 0: 1, x: 2 }),
    holey(2, { 0: 1, 1: 2 }),
    '$.x 2 became absent',
    '$[1] hole became 2',
  ],
  ['odd keys', { 'a b': { 1: 0 } }, { 'a b': { 1: 1 } }, '$["a b"]["1"] 0 became 1'],
  ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['own __proto__', JSON.parse('{"__proto__":{"a":1}}'), {}, '$.__proto__ object became absent'],
  ['below a symbol key', { [KEY]: { a: [1] } }, { [KEY]: { a: [1] } }],
  ['changed below a symbol key', { [KEY]: { a: 1 } }, { [KEY]: { a: 2 } }, '$["Symbol(s)"].a 1 became 2'],
  ['invalid date lost', new Date(Number.NaN), new Date(0), '$ time NaN became 0'],
  ['veiled', Object.setPrototypeOf(new Date(0), Object.prototype), new Date(0), '$ class Object became Date'],
  ['spoofed date', TAGGED, { a: 1 }, '$ property Symbol(Symbol.toStringTag): string became absent'],
  ['regexp flags', /a/g, /a/i, '$ pattern or flags changed'],
  ['regexp lastIndex', Object.assign(/a/g, { lastIndex: 3 }), /a/g, '$.lastIndex 3 became 0'],
  [
    'map order',
    map('a', 'b'),
    map('b', 'a'),
    root('{key:0} string changed'),
    root('{value:0} 1 became 2'),
    root('{key:1} string changed'),
    root('{value:1} 2 became 1'),
  ],
  ['map value', new Map([['a', { b: -0 }]]), new Map([['a', { b: 0 }]]), root('{value:0}.b -0 became 0')],
  ['map with fewer entries', map('a', 'b'), map('a'), root(' 2 entries became 1')],
  ['set member', new Set([{}, 1]), new Set([{}, 2]), root('{member:1} 1 became 2')],
  ['error', new TypeError('x', { cause: { a: 1 } }), new TypeError('x', { cause: { a: 1 } })],
  ['error cause', new Error('x', { cause: 1 }), new Error('x'), '$.cause 1 became absent'],
  ['boxed changed', new Number(-0), new Number(0), '$ boxed -0 became 0'],
  ['boxed lost', Object('s'), 's', '$ String became string'],
  [
    'other realm',
    runInNewContext('({a: [new Map([[1, new Date(3)]])], t: new TypeError("x")})'),
    {
      a: [new Map([[1, new Date(3)]])],
      t: new TypeError('x'),
    },
  ],
  ['typed array type', new Uint8Array(4), new Int8Array(4), '$ Uint8Array became Int8Array'],
  ['content', { v: new Int32Array([1, 2, 3]) }, { v: new Int32Array([1, 2, 4]) }, '$.v[2] content changed'],
  ['typed array length', new Int32Array(2), new Int32Array(1), '$ 8 bytes became 4'],
  ['view at another place', oddView(1), oddView(2)],
  ['view without memory', shrunk(4), shrunk(4)],
  ['view that has lost its memory', shrunk(8), shrunk(4), '$ view lost its memory'],
  ['view that got memory', shrunk(4), shrunk(9), '$ view got memory'],
  ['detached view', detached(), detached()],
  ['detached', detached(), new DataView(new ArrayBuffer(8)), '$ view got memory'],
  ['long views', new Uint8Array(5000), new Uint8Array(5000).fill(1, 4999), '$[4999] content changed'],
  ['view of larger', new Uint8Array(pool, 8, 8), new Uint8Array(8)],
  ['data view', new DataView(pool, 3, 5), new DataView(new ArrayBuffer(5))],
  ['buffer', new Uint8Array([1, 2]).buffer, new Uint8Array([1, 3]).buffer, '$ content changed at byte 1'],
  ['shared to plain', new SharedArrayBuffer(2), new ArrayBuffer(2), '$ SharedArrayBuffer became ArrayBuffer'],
  ['reference lost', shared((o) => [o, o]), [{ x: 1 }, { x: 1 }], '$[1] shared reference became a copy'],
  ['copies merged', [{ x: 1 }, { x: 1 }], shared((o) => [o, o]), '$[1] copies became a shared reference'],
  ['cycle', ring(), ring()],
  ['cycle unrolled', ring(), { n: 1, self: { n: 1, self: null } }, '$.self shared reference became a copy'],
  ['overlapping views kept', views(pool, pool), views(other, other)],
  ['views torn', views(pool, pool), parts([pool, 0], [other, 4]), '$[1] shared buffer became a copy'],
  ['pool neighbours part', parts([pool, 0], [pool, 8]), parts([pool, 0], [other, 8])],
  [
    'buffer and its view',
    [pool, new Uint8Array(pool, 0, 8)],
    [other, new Uint8Array(8)],
    '$[1] shared buffer became a copy',
  ],
  [
    'own name of an error',
    errorWith({ name: 'TypeError' }),
    new TypeError('x'),
    '$ Error became TypeError',
    '$.name string became absent',
  ],
  ['message', errorWith({ message: 5 }), new Error('5'), '$.message number became string'],
  ['blob size', new Blob(['a']), new Blob(['ab']), '$ size: 1 became 2'],
  ['class', new (class Bytes extends Uint8Array {})(2), new Uint8Array(2), '$ class Bytes became Uint8Array'],
  [
    'DOMException',
    new DOMException('m', 'AbortError'),
    new DOMException('m'),
    '$ name: string changed',
    '$ code: 20 became 0',
  ],
  ['getter in an array', withGetter([1, 2], 1), [1, 2], '$[1] getter became a value'],
  [
    'getter of a tag',
    withGetter({}, Symbol.toStringTag),
    {},
    '$ property Symbol(Symbol.toStringTag): getter became absent',
  ],
  [
    'message that throws',
    Object.defineProperty(new Error('x'), 'message', { get: throwing }),
    new Error('x'),
  ],
];

for (const [name, original, restored, ...losses] of ROWS) {
  test(`compare: ${name}`, () => {
    assert.deepEqual(
      compare(original, restored).map((loss) => `${loss.path} ${loss.what}`),
      losses,
    );
    assert.equal(calls, 0);
  });
}

const LEVELS = usually([30_000], [100_000]).at(-1)!;

test(`compare: ${LEVELS} levels, with bounded paths`, () => {
  const chain = (leaf: unknown) => {
    let value: unknown = leaf;
    for (let i = 0; i < LEVELS; i++) value = i % 2 === 0 ? [value] : { next: value };
    return value;
  };
  const [loss, ...rest] = compare(chain(-0), chain(0));
  assert.equal(loss?.what, '-0 became 0');
  assert.ok(loss.path.length < 400 && loss.path.includes('…'));
  assert.deepEqual(rest, []);
});

test('compare: a hundred losses are listed, further ones counted', () => {
  const found = compare(new Array(1000).fill(undefined), new Array(1000).fill(null));
  assert.equal(found.length, 101);
  assert.deepEqual(found.at(-1), { path: '$', what: '900 more losses' });
});

test('compare: many views on one pool', () => {
  const cut = (size: number) =>
    Array.from({ length: 4000 }, (_, i) => new Uint8Array(new ArrayBuffer(size), 0, i % 2));
  const whole = new ArrayBuffer(4000);
  const pooled = Array.from({ length: 4000 }, (_, i) => new Uint8Array(whole, i, i % 2));
  assert.deepEqual(compare(pooled, cut(1)), []);
});

test('a Map is known as one after a Proxy of a Map, which JSON writes as an ordinary object', () => {
  const made = [new Map(), new Set(), new Date(0), /x/, new Error('e'), new Uint8Array(1), Object(1)];
  for (const one of [...made, new Late()]) {
    compare(new Proxy(one, {}), {});
    assert.match(compare(one, {})[0]!.what, / became object$/);
  }
});

test('plain data is the same exactly if its JSON text is', () => {
  const random = seeded(20);
  for (let nth = 0; nth < 1000; nth++) {
    const [text, otherText] = [JSON.stringify(jsonValue(random, 3)), JSON.stringify(jsonValue(random, 3))];
    const [one, another]: unknown[] = [JSON.parse(text), JSON.parse(otherText)];
    assert.deepEqual(compare(one, structuredClone(one)), [], text);
    assert.equal(compare(one, another).length === 0, text === otherText, `${text} ${otherText}`);
  }
});

// Copies, which equal their originals.

const replicate = (value: unknown) => deepCopy(value, { types: typeDetection });

class Point {
  x = new Uint8Array([1, 2]);
}

const buffer = new ArrayBuffer(8);
const cyclic: { bytes: Uint8Array; self?: unknown } = { bytes: new Uint8Array([9]) };
cyclic.self = cyclic;
const VALUES: [name: string, value: unknown][] = [
  ['a number', 7],
  ['null', null],
  ['rows', [1, 2].map((id) => ({ id, at: new Date(id) }))],
  ['a buffer', buffer],
  ['two views of one buffer', { a: new Uint8Array(buffer, 2, 3), b: new DataView(buffer, 1, 4) }],
  ['a big-int view', new BigInt64Array([1n, 2n])],
  ['a Node buffer', Buffer.alloc(9, 1)],
  ['a map of buffers', new Map([['a', new Float64Array([1.5])]])],
  ['a set', new Set([new Uint8Array([3])])],
  ['a class instance', new Point()],
  ['an object without prototype', Object.assign(Object.create(null), { b: new Uint8Array(4) })],
  ['a cycle', cyclic],
  ['holes', Object.assign(new Array(3), { 0: 1, 2: 3 })],
];

for (const [name, value] of VALUES) {
  test(`a replica of ${name} is equal`, () => assert.deepEqual(compare(value, replicate(value)), []));
}

test('detaching a replica does not affect the original', () => {
  const value = { list: [new Uint8Array([1, 2, 3])], map: new Map([['k', buffer]]) };
  const replica = replicate(value) as typeof value;
  const taken = [replica.list[0]?.buffer as ArrayBuffer, replica.map.get('k') as ArrayBuffer];
  structuredClone(replica, { transfer: taken });
  assert.equal(replica.list[0]?.byteLength, 0);
  assert.deepEqual(value, { list: [new Uint8Array([1, 2, 3])], map: new Map([['k', new ArrayBuffer(8)]]) });
});

test('arrays stay dense in a replica, although a clone makes them sparse', () => {
  const DENSE = 'A'.charCodeAt(0);
  const rows = [
    [1, 2, 3],
    [0.5, 1.5],
    [{ a: 1 }, 'b'],
  ];
  const tagOf = (array: unknown) => serialize(array)[2];
  const replica = replicate(rows) as unknown[];
  for (const array of [replica, ...replica]) assert.equal(tagOf(array), DENSE);
  assert.notEqual(tagOf(structuredClone(rows)), DENSE);
});

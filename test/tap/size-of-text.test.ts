import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'node:util';
import { countedText } from '../../src/tap/size/counted-text.ts';
import '../support/probe.ts';

const ALL = Number.POSITIVE_INFINITY;
const bytesOf = (value: unknown): number => Buffer.byteLength(`${JSON.stringify(value)}\n`);
const shared = { a: [1, 'ä'] };

const VALUES: Readonly<Record<string, unknown>> = {
  scalars: [null, true, false, 0, -0, 1.5, -1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
  'a text': 'text',
  texts: ['"quoted" \\ \b\t\n\u0001', 'äöü', '€中文', '🙂🙂', '\ud800 alone', ''],
  keys: { 'a "key"': 1, ключ: 2, 7: 3 },
  'left out': { a: undefined, b: () => 1, c: Symbol('c'), d: 4 },
  'all left out': { a: undefined },
  'null in lists': [undefined, () => 1, Symbol('c')],
  empty: [
    {},
    [],
    new Map([[1, 2]]),
    new Set([1]),
    /x/g,
    new ArrayBuffer(8),
    new DataView(new ArrayBuffer(8)),
  ],
  holes: Object.assign(new Array(4), { 0: 1, 2: 3 }),
  'the same twice': [shared, shared, { shared }],
  dates: [new Date(0), new Date(Number.NaN), new Date(8e15), new Date(-1e14)],
  boxed: [Object(1.5), Object('x'), Object(true), Object(Symbol('x'))],
  buffers: [Buffer.from([0, 9, 10, 99, 100, 255]), Buffer.alloc(0)],
  views: [
    new Uint8Array([0, 10, 200]),
    new Float64Array([0.5, Number.NaN]),
    new Uint8Array(0),
    new Uint16Array(1234),
  ],
  'not an own function': { toJSON: 1, inherited: Object.create({ toJSON: 'no' }) },
  nested: Array.from({ length: 50 }, (_, id) => ({
    id,
    name: `n${id}`,
    tags: ['a', 'b'],
    at: { x: id / 3 },
  })),
};

for (const [name, value] of Object.entries(VALUES))
  test(`bytes of JSON text: ${name}`, () => {
    const { bytes, error, isWhole } = countedText(value, types, ALL, false)!;
    assert.deepEqual({ bytes, error, isWhole }, { bytes: bytesOf(value), error: 0, isWhole: true });
  });

test('views are lists where a runtime writes them so', () => {
  const value = { a: new Uint16Array([1, 256]), b: Buffer.from([7, 200]) };
  assert.equal(countedText(value, types, ALL, true)!.bytes, bytesOf({ a: [1, 0, 0, 1], b: [7, 200] }));
});

test('what would run code of the program, or is refused, has no size', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const fail = () => assert.fail('it ran');
  const ran: unknown[] = [
    { toJSON: fail },
    Object.create({ toJSON: fail }),
    Object.create(Object.defineProperty({}, 'toJSON', { get: fail })),
    Object.defineProperty({}, 'a', { get: fail, enumerable: true }),
    new Proxy({}, { ownKeys: fail, get: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail }),
    new URL('https://example.com'),
    ...[1n, Object(1n), circle, undefined, () => 1, Symbol('x')],
  ];
  for (const value of ran) assert.equal(countedText(value, types, ALL, false), null);
});

/** Too large to be counted whole. */
const LARGE: Readonly<Record<string, unknown>> = {
  rows: Array.from({ length: 40_000 }, (_, id) => ({ id, name: `name ${id % 977}`, ratio: id / 7 })),
  'a long text': 'line "quoted"\n€'.repeat(40_000),
  'map-like': Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, { n: i * i }])),
  'a buffer': Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i) % 256)),
  numbers: Float64Array.from({ length: 50_000 }, (_, i) => Math.sqrt(i)),
};

for (const [name, value] of Object.entries(LARGE))
  test(`a part stands for the rest of the text: ${name}`, () => {
    const { bytes, error, visited } = countedText(value, types, 2000, false)!;
    const truth = bytesOf(value);
    assert.ok(visited < 4000, `${visited} were visited`);
    assert.ok(error > 0 && error < 0.2, `${error}`);
    assert.ok(Math.abs(bytes / truth - 1) <= error, `${bytes} for ${truth}, ${error}`);
  });

/** Where remedies apply: paths of their plans for a value, as the engines store it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumedStorage } from '../../src/core/describe/assumed-storage.ts';
import { describe } from '../../src/core/describe/describe.ts';
import type { EngineName } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/rules/remedy.ts';
import type { Classification } from '../../src/model/rules/rule.ts';
import { typeDetection } from '../../src/probe/type-detection/type-detection.ts';
import { REMEDIES, type RemedyName } from '../../src/remedies/index.ts';
import { big, rows } from './cases/build.ts';

interface Row {
  value: string;
  make: () => unknown;
  v8: string[];
  jsc: string[];
}

const words = (count: number, units = 5) => rows(count, (i) => `${i}`.padEnd(units, '.'));
const dates = (count: number) => rows(count, (i) => new Date(i));
const bigints = (count: number, first = -50n) => rows(count, (i) => first + BigInt(i));
const table = (count = 100) => rows(count, (i) => ({ id: i, tags: ['x'], pos: [i, 1] }));
const odd = (list: unknown[], element: unknown) => [...list, element];

const DATES: Row[] = [
  { value: 'many', make: () => dates(100), v8: ['$'], jsc: ['$'] },
  { value: 'few', make: () => dates(99), v8: [], jsc: [] },
  { value: 'below a key', make: () => ({ a: { b: dates(200) } }), v8: ['$.a.b'], jsc: ['$.a.b'] },
  { value: 'of two keys', make: () => ({ a: dates(200), b: dates(99) }), v8: ['$.a'], jsc: ['$.a'] },
  { value: 'null among them', make: () => odd(dates(200), null), v8: [], jsc: [] },
  { value: 'properties', make: () => odd(dates(200), Object.assign(new Date(5), { a: 1 })), v8: [], jsc: [] },
  { value: 'a subclass', make: () => odd(dates(200), new (class Day extends Date {})(5)), v8: [], jsc: [] },
  { value: 'a hole', make: () => Object.assign(dates(200), { length: 201 }), v8: [], jsc: [] },
  {
    value: 'one date twice',
    make: () => {
      const list = dates(200);
      return odd(list, list[0]);
    },
    v8: [],
    jsc: [],
  },
];

const BIGINTS: Row[] = [
  { value: 'signed', make: () => bigints(200), v8: ['$ BigInt64Array'], jsc: [] },
  { value: 'unsigned', make: () => bigints(200, 2n ** 63n - 5n), v8: ['$ BigUint64Array'], jsc: [] },
  { value: 'few', make: () => bigints(99), v8: [], jsc: [] },
  { value: 'too great', make: () => odd(bigints(200), 2n ** 64n), v8: [], jsc: [] },
  { value: 'of both ends', make: () => odd(bigints(200), 2n ** 63n), v8: [], jsc: [] },
  { value: 'a number among them', make: () => odd(bigints(200), 1), v8: [], jsc: [] },
  {
    value: 'below keys',
    make: () => ({ a: bigints(200), b: [bigints(200, 2n ** 63n)] }),
    v8: ['$.a BigInt64Array, $.b[*] BigUint64Array'],
    jsc: [],
  },
];

const TEXTS: Row[] = [
  { value: 'words', make: () => words(16), v8: [], jsc: ['$'] },
  { value: 'few', make: () => words(15), v8: [], jsc: [] },
  { value: 'long ones, which Bun shares', make: () => words(50, 300), v8: [], jsc: [] },
  { value: 'few in each row', make: () => rows(20, (i) => ({ t: words(i % 3) })), v8: [], jsc: ['$[*].t'] },
  { value: 'one in each row', make: () => rows(20, (i) => ({ i, t: words(1) })), v8: [], jsc: ['$[*].t'] },
  { value: 'a small share', make: () => ({ t: words(50), u: rows(201, (i) => i) }), v8: [], jsc: [] },
  { value: 'a number among them', make: () => odd(words(50), 1), v8: [], jsc: [] },
  { value: 'a list that is null', make: () => [{ t: words(50) }, { t: null }], v8: [], jsc: [] },
];

const JSON_TEXTS: Row[] = [
  { value: 'a table', make: () => table(), v8: ['$'], jsc: ['$'] },
  { value: 'beside a number', make: () => ({ n: 1, t: table() }), v8: ['$'], jsc: ['$', '$.t'] },
  { value: 'beside NaN', make: () => ({ n: Number.NaN, t: table() }), v8: ['$.t'], jsc: ['$.t'] },
  { value: 'beside bytes', make: () => ({ b: new Uint8Array(9), t: table() }), v8: ['$.t'], jsc: ['$.t'] },
  {
    value: 'deep, beside a Date',
    make: () => ({ a: { at: new Date(5), t: table(), u: table(30) }, n: 1 }),
    v8: ['$.a.t $.a.u'],
    jsc: ['$.a.t $.a.u'],
  },
  { value: 'small', make: () => ({ at: new Date(5), t: table(5) }), v8: [], jsc: [] },
  { value: 'a small share', make: () => ({ at: dates(999), t: table(50) }), v8: [], jsc: [] },
  { value: 'a Date in each row', make: () => [...table(), ...dates(5)], v8: [], jsc: [] },
  { value: 'many small', make: () => rows(99, () => ({ at: new Date(5), t: table(3) })), v8: [], jsc: [] },
  {
    value: 'few large',
    make: () => rows(3, () => ({ at: new Date(5), t: table() })),
    v8: ['$[*].t'],
    jsc: ['$[*].t'],
  },
  { value: 'in a Map', make: () => new Map([['t', table()]]), v8: [], jsc: [] },
  {
    value: 'beside a long text',
    make: () => ({ html: big(20_000), t: table(), u: { t: table() } }),
    v8: ['$', '$.t $.u'],
    jsc: ['$', '$.t $.u'],
  },
  {
    value: 'beside a long text, deep',
    make: () => ({ a: { html: big(20_000), t: table() } }),
    v8: ['$', '$.a.t'],
    jsc: ['$'],
  },
  { value: 'one text', make: () => big(500), v8: [], jsc: [] },
];

const NOTHING_FOUND = { verdict: {}, findings: [] } as unknown as Classification;

function shown({ path, paths = [path], lists }: Plan): string {
  if (lists === undefined) return (paths as string[]).join(' ');
  return (lists as { path: string; type: string }[]).map((list) => `${list.path} ${list.type}`).join(', ');
}

function plansOf(name: RemedyName, engine: EngineName, value: unknown): string[] {
  const storage = assumedStorage(engine);
  const shape = describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
  return REMEDIES[name].plans(shape, NOTHING_FOUND).map(shown);
}

const TABLES = [
  ['dates-as-numbers', DATES],
  ['bigint-array', BIGINTS],
  ['joined-text', TEXTS],
  ['json-text', JSON_TEXTS],
] as const;

for (const [name, table] of TABLES)
  for (const { value, make, ...expected } of table)
    for (const engine of ['v8', 'jsc'] as const)
      test(`${name}, ${engine}: ${value}`, () => {
        assert.deepEqual(plansOf(name, engine, make()), expected[engine]);
      });

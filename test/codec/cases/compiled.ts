import type { Plan } from '../../../src/model/documents/trial.ts';
import { usually } from '../../support/whole.ts';
import { schemaOf } from '../compiled/codec.ts';
import {
  big,
  bytes,
  type Case,
  holey,
  ODD,
  orders,
  Point,
  part,
  ring,
  rows,
  throwing,
  twice,
  withProto,
} from './build.ts';

type Make = () => unknown;

/** Of what arrives of the sample. */
function planFor(value: unknown, form = 'joined'): Plan {
  return { path: '$', form, name: 'payload', schema: schemaOf(value) };
}

const sample = (what: string, make: Make, form?: string): Case => [what, make, planFor(make(), form)];

const viewed = (what: string, make: Make): Case => [
  what,
  make,
  { ...planFor(make(), 'viewed'), isView: true },
];

/** Another payload than the sample: what does not fit is cloned. */
const misfit = (what: string, of: unknown, make: Make, lost: string[] = []): Case => [
  what,
  make,
  planFor(of),
  lost,
];

const TEXT_ROWS = rows(9, (i) => ({ id: i, name: `n${i}` }));
const LAST_DATE = 8.64e15;
const INT64 = 2n ** 63n;

/** One for each way of writing a type: compiled/property.test.ts and differential/ have random ones on all runtimes. */
const SAMPLES: Case[] = [
  sample('single values', () => ({
    dates: [0, -1, 0.9, -0, LAST_DATE, LAST_DATE + 1, Number.NaN].map((time) => new Date(time)),
    numbers: [1, -2, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 5e-324, -Number.MAX_VALUE, Number.NaN, -0],
    marks: rows(20, (i) => ({ n: -(2 ** 31) + i })),
    bigints: [INT64 - 1n, -INT64, 0n, -1n, 2n ** 32n, -(2n ** 31n)],
    larger: [{ id: INT64 }, { id: -INT64 - 1n }, { id: 1n }],
    texts: ['', 'a\0b', '\ud83d', '\ude00', '\ufeff\u2028', 'ü\u4e00', '__proto__'],
    words: rows(99, (i) => ({ s: ['a', '', '\ud800'][i % 3], n: null })),
    constants: rows(9, (i) => ({ a: [null, undefined, true, false][i % 4], b: i })),
    mixed: [1, 'a', 2.5, null, { a: 1 }, [1], ['x'], 7n, new Date(5), true, new Map(), undefined],
  })),
  sample('containers', () => ({
    records: new Map([...'ab'].map((key, i) => [key, { i, at: new Date(i) }])),
    odd: new Map<unknown, unknown>(
      [...[Number.NaN, '__proto__', null].entries()].map(([i, key]) => [key, i]),
    ),
    byObject: new Map([[{ x: 1 }, [1, 2]]]),
    set: new Set(['a', 'b', '\ud800']),
    all: new Set<unknown>([1, 'a', { b: 2 }]),
    empty: { list: [], map: new Map(), set: new Set(), object: {}, text: '' },
    lists: [[[1, 2.5], []], [], [[-0, Number.NaN]], [['x', [null]]]],
    tuples: rows(9, (i) => [i, `x${i}`, [i / 2, i % 2 === 0]]),
    points: rows(9, (i) => [i, i / 2]),
    dictionary: Object.fromEntries(
      rows(300, (i) => [`id ${i}`, { i, name: `n${i % 3}` }]) as [string, unknown][],
    ),
    tables: rows(40, (i) => Object.fromEntries(rows(70, (n) => [`k${n}`, n * i]) as [string, number][])),
    bytes: [new Uint8Array(3), new Float64Array([1, -0]), part()],
  })),
  sample('long texts', () => rows(9, (i) => ({ i, html: big(500) + i })), 'listed'),
  sample('empty list', () => []),
  sample('a tree', () => ({ id: 1, children: [{ id: 2, children: [{ id: 4, children: [] }] }] })),
  // Nearly twice as deep as a schema is.
  sample('a deep tree', () => rows(700, (i) => i).reduce((below: unknown, i) => ({ i, below }), null)),
  sample('records in lists in records', orders),
  viewed('a view of rows', () => rows(9, (i) => ({ id: i, name: `n${i}`, at: new Date(0), ok: true }))),
  viewed('a view of rows in a record', () => ({
    page: [1, 'x'],
    rows: rows(9, (i) => ({ i, geo: { lat: i / 3 } })),
  })),
  sample('optional keys', () =>
    rows(30, (i) => ({ i, ...(i % 2 ? { a: 1 } : {}), z: 'x', ...(i % 3 ? { b: undefined } : {}) })),
  ),
  sample('several layouts, and orders', () => ({
    kinds: [{ kind: 'a', x: 1 }, { kind: 'b', list: ['x'] }, { kind: 'c' }],
    orders: [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  })),
  sample('odd keys', () => rows(4, () => ({ ...ODD, 'a.b': { '\u2028"': [{ '': 1 }] } }))),
  sample('integer keys', () => rows(9, (i) => ({ 7: i, b: 'x', 1: null }))),
  sample('own __proto__', () => withProto('{"a":1,"__proto__":{"polluted":1}}')),
  sample('own __proto__ in a dictionary', () =>
    withProto(`{"__proto__":[1],${rows(300, (i) => `"${i}":[${i}]`).join()}}`),
  ),
  sample('the marker', () => ({ asIs: { asIs: 1 }, version: 'x', ints: [1] })),
  sample('rest', () => ({
    ...{ re: /a\/b/giu, error: new RangeError('no'), boxed: Object(1), buffer: bytes(1, 2).buffer },
    rows: rows(9, (i) => ({ i, re: i % 2 ? /x/ : null })),
  })),
  sample('class instances', () => [new Point(), Object.create(null), new (class Day extends Date {})(5)]),
  sample('one object at two places', twice),
  sample('a cycle', ring),
  sample('holes', () => ({ list: holey(3, { 0: 'x' }), numbers: holey(2, { 1: 1 }) })),
  sample('huge', () => rows(usually([20_000], [150_000]).at(-1)!, (i) => ({ i }))),
];

/** Strange values at each place are in compiled/property.test.ts. */
const MISFITS: Case[] = [
  misfit('another key', TEXT_ROWS, () => [
    { id: 1, name: 'x', more: 1 },
    { id: 2, name: 'y' },
  ]),
  misfit('a missing key', TEXT_ROWS, () => [{ id: 1 }, {}, { name: 'x', id: 1 }]),
  misfit('no list', TEXT_ROWS, () => ({ id: 1 })),
  misfit('nothing', TEXT_ROWS, () => undefined),
  misfit(
    'shared in no sample',
    { a: { x: 1 }, b: { x: 1 } },
    () => {
      const one = { x: 1 };
      return { a: one, b: one };
    },
    ['$.b shared reference became a copy'],
  ),
  ['a throwing getter', throwing, planFor({ a: 1 }), 'refused'],
  [
    'an endless tree',
    () => {
      const tree: Record<string, unknown> = { id: 1 };
      tree.below = tree;
      return tree;
    },
    planFor({ id: 1, below: { id: 2, below: { id: 3, below: null } } }),
    'refused',
  ],
  ['only looks like one', () => [Object.create(Date.prototype)], planFor([new Date(5)]), 'refused'],
];

/** Over a channel that carries JSON: numbers and bytes as base64 text. */
const asText = (what: string, make: Make): Case => sample(`as text: ${what}`, make, 'base64');

const AS_TEXT: Case[] = [
  asText('rows of numbers', () => rows(99, (i) => ({ i, x: i / 7, n: -0, at: new Date(i) }))),
  asText('odd numbers and words', () => [Number.NaN, -Infinity].map((n) => ({ n, s: n ? '"' : '\ud800' }))),
  asText('what JSON has not', () => ({ m: new Map([['a', 1n]]), s: new Set([1]), u: undefined })),
  asText('bytes of each row', () =>
    rows(5, (i) => ({ i, b: bytes(i), f: new Float32Array([i]), a: bytes(i).buffer })),
  ),
  ['as text: a misfit', () => [{ id: [{ x: 'text' }], name: 1.5 }], planFor(TEXT_ROWS, 'base64')],
  [
    'as text: an object that looks like bytes',
    () => [{ id: { base64: '', type: '' }, name: '' }],
    planFor(TEXT_ROWS, 'base64'),
    'refused',
  ],
];

export const compiled: Case[] = [...SAMPLES, ...MISFITS, ...AS_TEXT];

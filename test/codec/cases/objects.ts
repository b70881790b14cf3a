/** Cases of what rewrites objects, arrays and what they hold, behind the values and plans that all cases are made of. */

import type { Plan } from '../../../src/model/documents/trial.ts';
import { usually } from '../../support/whole.ts';
import { schemaOf } from '../compiled/codec.ts';
import type { Outcome } from '../outcomes.ts';

/** Name of the value, how to make a fresh one, the plan, and the outcome: equal without one. */
export type Case = [name: string, make: () => unknown, plan: Plan, outcome?: Outcome];

const holey = (length: number, entries: object) => Object.assign([] as unknown[], entries, { length });
export const big = (units: number) => 'x'.repeat(units);
export const JSON_ROOT = { path: '$', paths: ['$'] };
export const at = (...paths: string[]) => ({ path: paths[0] ?? '$', paths });
export const formed = (form: string, ...paths: string[]) => ({ ...at(...paths), form });
export const ODD = {
  'a b': 1,
  '"': 2,
  '\n\u2028\u0007': 3,
  toString: 4,
  constructor: 5,
  '': 6,
  ünï: 7,
  '0': 8,
};
export const withProto = (json: string) => JSON.parse(json) as unknown;
export const ring = () => {
  const value: Record<string, unknown> = { list: [1] };
  value.self = value;
  return value;
};
export const twice = () => {
  const one = { list: [1, 2] };
  return { a: one, b: one };
};
const throwing = () => ({
  get a() {
    throw new Error('no');
  },
});
export const bytes = (...values: number[]) => new Uint8Array(values);
export const part = (buffer = new ArrayBuffer(64)) => new Uint8Array(buffer, 8, 4).fill(7);
export const overlapping = () => {
  const one = new ArrayBuffer(64);
  return [part(one), part(one)];
};
const dates = { path: '$', forms: [{ path: '$[*].at', form: 'date' }] };
const form = (path: string, name: string) => ({ path, forms: [{ path, form: name }] });
class Point {
  x = 1;
  get double() {
    return this.x * 2;
  }
}

export const rows = (count: number, make: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => make(i));
const numbers = (path: string, type: string) => ({ path, lists: [{ path, type }] });

/** Records in arrays in records, and arrays of scalars beside them. */
const orders = () =>
  rows(9, (i) => ({
    id: `o${i}`,
    items: rows(i % 3, (n) => ({ sku: `s${n}`, n: n / 2, lots: rows(n, (l) => ({ l })) })),
    at: { rows: i, column: 'name' },
    tags: i === 4 ? ['a', '\ud800', null] : [],
    scores: [i, -i],
  })) as Record<string, unknown>[];

export const plain: Case[] = [
  [
    'dates in rows',
    () => [{ at: new Date(5) }, { at: null }, {}, { at: undefined }, { at: 'x' }, 3, null],
    dates,
  ],
  ['invalid date', () => [{ at: new Date(Number.NaN) }], dates],
  ['a number among dates', () => [{ at: new Date(5) }, { at: 5 }], dates, 'refused'],
  ['bigint', () => ({ n: -(2n ** 70n) }), form('$.n', 'bigint')],
  [
    'bigints as numbers, as text where no number holds them',
    () => [0n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 2n ** 64n, null],
    form('$[*]', 'bigint'),
  ],
  ['text among bigints', () => [1n, '1'], form('$[*]', 'bigint'), 'refused'],
  ['regexp', () => [/a\/b/giu, /[/]/, /\n/m, null], form('$[*]', 'regexp')],
  [
    'map',
    () => ({
      m: new Map<unknown, unknown>([
        [{ k: 1 }, new Date(1)],
        ['__proto__', 2],
        [Number.NaN, -0],
      ]),
    }),
    form('$.m', 'map'),
  ],
  ['a list among maps', () => [new Map(), []], form('$[*]', 'map'), 'refused'],
  ['set', () => new Set([1, 'a', { b: 2 }]), form('$', 'set')],
  ['set in a map', () => new Map([['a', new Set([1])]]), form('$', 'map')],
  [
    'a map that holds itself',
    () => {
      const map = new Map<string, unknown>();
      return map.set('self', map);
    },
    form('$', 'map'),
    [`$${'{value:0}'} shared reference became a copy`],
  ],
];

export const rebuild: Case[] = [
  [
    'deleted',
    () => {
      const value: Record<string, unknown> = { a: 1, b: 2 };
      delete value.a;
      return value;
    },
    at('$'),
  ],
  ['null prototype', () => Object.assign(Object.create(null), { a: { b: 1 } }), at('$')],
  ['frozen rows', () => [Object.freeze({ a: 1 }), null, 'x', Object.freeze({ b: 2 })], at('$[*]')],
  ['odd keys', () => Object.freeze({ ...ODD }), at('$')],
  ['own __proto__', () => Object.freeze(withProto('{"__proto__":{"a":1},"b":1}')), at('$')],
  [
    'own __proto__ and symbol',
    () => Object.assign(withProto('{"__proto__":1,"b":1}') as object, { [Symbol.for('s')]: 1 }),
    at('$'),
  ],
  ['class instance', () => [new Point()], at('$[*]')],
  ['a throwing getter', throwing, at('$'), 'refused'],
  ['a Date there', () => [new Date(3), new Map([[1, 2]]), [1]], at('$[*]')],
  ['nested', () => ({ a: Object.freeze({ b: Object.freeze({ c: 1 }) }) }), at('$.a', '$.a.b')],
];

export const repack: Case[] = [
  ['frozen root', () => Object.freeze([1, 2, 3]), at('$')],
  ['holey kind', () => holey(3, { 0: 1, 1: undefined, 2: 3 }), at('$')],
  [
    'nested',
    () => ({ a: 'x', rows: [{ v: Object.freeze([1]) }, { w: 1 }, null, 3] }),
    at('$.rows', '$.rows[*].v'),
  ],
  ['map-like', () => ({ x: [1], y: [2], toString: [3] }), at('$.*')],
  ['own __proto__ below .*', () => withProto('{"__proto__":[1],"b":[2]}'), at('$.*')],
  ['other kinds there', () => ({ a: new Map([[1, 2]]) }), at('$.a', '$.a.b')],
  ['a Map on the way', () => [new Map([['a', [1]]])], at('$[*].a')],
  ['sparse', () => holey(100, { 5: 1 }), at('$'), 'refused'],
  ['a cycle off the way', () => [ring(), 1], at('$')],
  ['huge', () => new Array(150_000).fill(1), at('$')],
  ['shared on the way', twice, at('$.a.list'), ['$.b shared reference became a copy']],
];

export const typedArray: Case[] = [
  ['ints', () => [1, -2, 2 ** 31 - 1], numbers('$', 'Int32Array')],
  ['doubles', () => [1.5, Number.NaN, -0, Number.POSITIVE_INFINITY, 5e-324], numbers('$', 'Float64Array')],
  [
    'several',
    () => ({ a: [1], 'b"': { c: [0.5] } }),
    {
      path: '$',
      lists: [
        { path: '$.a', type: 'Int32Array' },
        { path: '$["b\\""].c', type: 'Float64Array' },
      ],
    },
  ],
  ['-0 in ints', () => [-0], numbers('$', 'Int32Array'), 'refused'],
  ['text', () => [1, '2'], numbers('$', 'Float64Array'), 'refused'],
  ['holes', () => holey(2, { 0: 1 }), numbers('$', 'Float64Array'), 'refused'],
  ['typed already', () => ({ a: new Float64Array(2) }), numbers('$.a', 'Float64Array'), 'refused'],
  ['the marker', () => ({ asIs: 1, a: [1] }), numbers('$.a', 'Int32Array'), 'refused'],
  ['no list there', () => ({ a: null, b: [1] }), numbers('$.a', 'Float64Array')],
  ['huge', () => new Array(150_000).fill(7), numbers('$', 'Int32Array')],
];

const AT_ROOT = { path: '$' };

/** First messages, which are whole: what follows them is in `test/codec/patch`. */
export const patch: Case[] = [
  ['orders', orders, AT_ROOT],
  ['a list', () => rows(9, (i) => ({ id: i, name: `n${i}`, at: new Date(i) })), AT_ROOT],
  ['an object at two places', twice, AT_ROOT],
  ['a circle', ring, AT_ROOT],
  ['a key __proto__', () => withProto('{"__proto__":{"a":1},"b":[1]}'), AT_ROOT],
  ['bytes', () => ({ a: bytes(8), n: -0, none: undefined }), AT_ROOT],
];

// The compiled codec.

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

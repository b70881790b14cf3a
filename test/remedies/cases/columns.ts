import { type Case, dated, holey, nested, orders, rows, table, withProto } from './build.ts';

export const columns: Case[] = [
  [
    'cells',
    () => rows(9, (i) => ({ id: i, s: `n${i}`, geo: { lat: i / 2 } })),
    table('cells', { id: '' }, { s: '' }, { 'geo.lat': '' }),
    [],
  ],
  ['lists', () => rows(9, (i) => ({ id: i, s: undefined })), table('cells', { id: '' }, { s: 'maybe' }), []],
  [
    'typed',
    () => rows(9, (i) => ({ id: i, v: i / 2, s: 'x' })),
    table('typed', { id: 'Int32Array' }, { v: 'Float64Array' }, { s: '' }),
    [],
  ],
  [
    'odd numbers',
    () => [{ v: Number.NaN }, { v: -0 }, { v: Number.NEGATIVE_INFINITY }, { v: 2 ** 53 }],
    table('typed', { v: 'Float64Array' }),
    [],
  ],
  ['-0 among int32', () => [{ v: 1 }, { v: -0 }], table('typed', { v: 'Int32Array' }), 'refused'],
  ['beyond int32', () => [{ v: 2 ** 31 }], table('typed', { v: 'Int32Array' }), 'refused'],
  ['text among numbers', () => [{ v: 1 }, { v: '2' }], table('typed', { v: 'Float64Array' }), 'refused'],
  ['boxed number', () => [{ v: Object(1) }], table('typed', { v: 'Float64Array' }), 'refused'],
  [
    'rich cells',
    () => rows(9, (i) => ({ d: new Date(i), l: [i], n: null })),
    table('cells', { d: '' }, { l: '' }, { n: '' }),
    [],
  ],
  [
    'one object in two cells',
    () => {
      const one = { x: 1 };
      return [
        { a: one, b: 1 },
        { a: one, b: 2 },
      ];
    },
    table('cells', { a: '' }, { b: '' }),
    [],
  ],
  ['dates as cells', () => rows(9, (i) => ({ d: new Date(i), e: new Date(Number.NaN) })), dated('cells'), []],
  [
    'dates as numbers',
    () => rows(9, (i) => ({ d: new Date(i), e: new Date(Number.NaN) })),
    dated('typed'),
    [],
  ],
  [
    'bigints as numbers of 64 bits',
    () => rows(9, (i) => ({ n: i / 2, b: 2n ** 63n - 1n - BigInt(i), c: { d: -(2n ** 63n) } })),
    table('typed', { n: 'Float64Array' }, { b: 'BigInt64Array' }, { 'c.d': 'BigInt64Array' }),
    [],
  ],
  ['only bigints', () => rows(9, (i) => ({ b: BigInt(i) })), table('typed', { b: 'BigInt64Array' }), []],
  ['bigints as cells', () => rows(9, (i) => ({ b: BigInt(i) })), table('cells', { b: 'BigInt64Array' }), []],
  ...[2n ** 63n, -(2n ** 63n) - 1n, 1, '1', true, null].map(
    (value): Case => [
      `${typeof value} ${value} among bigints of 64 bits`,
      () => [{ b: 1n }, { b: value }],
      table('typed', { b: 'BigInt64Array' }),
      'refused',
    ],
  ),
  ['null among dates', () => [{ d: new Date(1), e: null }], dated('typed'), 'refused'],
  [
    'an undefined value that is not in the facts',
    () => [{ a: 1 }, { a: undefined }],
    table('cells', { a: '' }),
    'refused',
  ],
  ['no list of records', () => ({ a: 1 }), table('typed', { a: 'Int32Array' }), 'refused'],
  ['lists in records, as cells', orders, { ...nested, form: 'cells' }, []],
  ['lists in records, as lists', orders, { ...nested, form: 'cells' }, []],
  ['lists in records, typed', orders, { ...nested, form: 'typed' }, []],
  ['a list that is null', () => [{ ...orders()[0]!, items: null }], { ...nested, form: 'cells' }, 'refused'],
  [
    'an item with another key',
    () => [{ ...orders()[0]!, items: [{ sku: 'x', n: 1, lots: [], more: 1 }] }],
    { ...nested, form: 'typed' },
    'refused',
  ],
  [
    'a hole in a list',
    () => [{ ...orders()[0]!, tags: holey(2, { 0: 'x' }) }],
    { ...nested, form: 'cells' },
    'refused',
  ],
  ['empty cells', () => [], table('cells', { a: '' }), []],
  ['empty columns', () => [], table('typed', { a: 'Int32Array' }), []],
  ['mixed keys', () => [{ a: 1 }, { b: 2 }], table('cells', { a: '' }), 'refused'],
  ['a key more', () => [{ a: 1 }, { a: 1, b: 2 }], table('cells', { a: '' }), 'refused'],
  [
    'keys in another order',
    () => [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    table('cells', { a: '' }, { b: '' }),
    [],
  ],
  [
    'below',
    () => ({ n: 1, 'a b': { c: rows(3, (i) => ({ i })) } }),
    { ...table('typed', { i: 'Int32Array' }), path: '$["a b"].c' },
    [],
  ],
  [
    'in each of many',
    () => [{ l: [{ a: 1 }] }, { l: [] }, {}],
    { ...table('cells', { a: '' }), path: '$[*].l' },
    [],
  ],
  ['huge', () => rows(150_000, (i) => ({ i })), table('cells', { i: '' }), []],
  ['looks like columns', () => [{ c0: [1], c1: 2 }], table('cells', { c0: '' }, { c1: '' }), []],
  [
    'a throwing getter',
    () => [
      {
        get a() {
          throw new Error('no');
        },
      },
    ],
    table('cells', { a: '' }),
    'refused',
  ],
  ['symbol keys go, as in a clone', () => [{ a: 1, [Symbol.for('s')]: 1 }], table('cells', { a: '' }), []],
  ['own __proto__', () => [withProto('{"__proto__":1}')], table('cells', { ['__proto__']: '' }), 'refused'],
];

import type { Plan } from '../../src/model/remedy.ts';
import type { RemedyName } from '../../src/remedies/index.ts';
import type { Outcome } from './prove.ts';

/** What the value is, how a fresh one is made, the plan, and what comes of it ([]: equal). */
export type Case = [name: string, make: () => unknown, plan: Plan, outcome: Outcome];

const holey = (length: number, entries: object) => Object.assign([] as unknown[], entries, { length });
const big = (units: number) => 'x'.repeat(units);
const JSON_ROOT = { path: '$', paths: ['$'] };
const at = (...paths: string[]) => ({ path: paths[0] ?? '$', paths });
const ODD = { 'a b': 1, '"': 2, '\n\u2028\u0007': 3, toString: 4, constructor: 5, '': 6, ünï: 7, '0': 8 };
const withProto = (json: string) => JSON.parse(json) as unknown;
const ring = () => {
  const value: Record<string, unknown> = { list: [1] };
  value.self = value;
  return value;
};
const twice = () => {
  const one = { list: [1, 2] };
  return { a: one, b: one };
};
const bytes = (...values: number[]) => new Uint8Array(values);
const part = (buffer = new ArrayBuffer(64)) => new Uint8Array(buffer, 8, 4).fill(7);
const dates = { path: '$', forms: [{ path: '$[*].at', form: 'date' }] };
const form = (path: string, name: string) => ({ path, forms: [{ path, form: name }] });
class Point {
  x = 1;
  get double() {
    return this.x * 2;
  }
}

const rows = (count: number, make: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => make(i));
const numbers = (path: string, type: string) => ({ path, lists: [{ path, type }] });

interface Fields {
  key: string;
  fields?: Fields[];
  type?: string;
}
function grow(fields: Fields[], [key, ...rest]: readonly string[], type = ''): void {
  const known = fields.find((field) => field.key === key);
  const field: Fields = known ?? {
    key: key!,
    ...(rest.length > 0 ? { fields: [] } : {}),
    ...(type === 'maybe' ? { maybe: true } : type ? { type } : {}),
  };
  if (known === undefined) fields.push(field);
  if (rest.length > 0) grow(field.fields!, rest, type);
}
function flat(...leaves: string[][]) {
  const fields: Fields[] = [];
  for (const leaf of leaves) grow(fields, leaf);
  return { path: '$', fields };
}
/** `{ 'geo.lat': 'Float64Array' }` for each column. */
function table(kind: string, ...leaves: Record<string, string>[]) {
  const fields: Fields[] = [];
  for (const leaf of leaves)
    for (const [name, type] of Object.entries(leaf)) grow(fields, name.split('.'), type);
  return { path: '$', fields, form: kind };
}

const dated = (kind: string) => ({
  path: '$',
  fields: ['d', 'e'].map((key) => ({ key, date: true, type: 'Float64Array' })),
  form: kind,
});

/** Records in lists in records, and lists of scalars beside them. */
const orders = () =>
  rows(9, (i) => ({
    id: `o${i}`,
    items: rows(i % 3, (n) => ({ sku: `s${n}`, n: n / 2, lots: rows(n, (l) => ({ l })) })),
    at: { rows: i, column: 'name' },
    tags: i === 4 ? ['a', '\ud800', null] : [],
    scores: [i, -i],
  })) as Record<string, unknown>[];
const nested = {
  path: '$',
  fields: [
    { key: 'id' },
    {
      key: 'items',
      items: [
        { key: 'sku' },
        { key: 'n', type: 'Float64Array' },
        { key: 'lots', items: [{ key: 'l', type: 'Int32Array' }] },
      ],
    },
    { key: 'at', fields: [{ key: 'rows', type: 'Int32Array' }, { key: 'column' }] },
    { key: 'tags', list: true },
    { key: 'scores', list: true, type: 'Float64Array' },
  ],
};

export const CASES: Record<RemedyName, Case[]> = {
  'json-text': [
    ['nested', () => ({ a: { b: [1, 'x', null, true] } }), JSON_ROOT, []],
    ['empty', () => ({}), JSON_ROOT, []],
    ['empty list', () => [], JSON_ROOT, []],
    ['odd keys', () => ({ ...ODD }), JSON_ROOT, []],
    ['lone surrogates', () => ['\ud800', 'a\udfff', '\u2028'], JSON_ROOT, []],
    ['own __proto__', () => withProto('{"__proto__":{"polluted":1},"a":{"__proto__":2}}'), JSON_ROOT, []],
    ['a part', () => ({ id: 1, task: { a: [1] }, name: 'x' }), at('$.task'), []],
    ['parts', () => ({ id: 1, a: { x: 1 }, 'b c': [2] }), at('$.a', '$["b c"]'), []],
    ['an absent part', () => ({ id: 1 }), at('$.task'), []],
    ['a part that is null', () => ({ id: 1, task: null }), at('$.task'), []],
    ['a part that is text already', () => ({ task: '{"a":1}' }), at('$.task'), 'refused'],
    ['bigint', () => ({ a: 1n }), JSON_ROOT, 'refused'],
    ['cycle', ring, JSON_ROOT, 'refused'],
    ['a string', () => 'text', JSON_ROOT, []],
    ['undefined', () => undefined, JSON_ROOT, 'refused'],
    ['minus zero', () => [-0], JSON_ROOT, ['$[0] -0 became 0']],
    ['undefined inside', () => ({ a: undefined }), JSON_ROOT, ['$.a undefined became absent']],
    ['date', () => ({ d: new Date(0) }), JSON_ROOT, ['$.d Date became string']],
    ['shared reference', twice, JSON_ROOT, ['$.b shared reference became a copy']],
    ['NaN', () => [Number.NaN], JSON_ROOT, ['$[0] NaN became null']],
  ],
  'parse-text': [
    ['object', () => '{"a":[1,2,{"b":null}]}', { path: '$' }, []],
    ['own __proto__', () => '{"__proto__":{"a":1}}', { path: '$' }, []],
    ['not JSON', () => 'hello {', { path: '$' }, 'refused'],
    ['JSON of a scalar', () => '12', { path: '$' }, 'refused'],
    ['no text', () => ({ a: 1 }), { path: '$' }, 'refused'],
    ['white space', () => '{ "a": 1 }', { path: '$' }, ['$ string changed at unit 1']],
  ],
  'unwrap-string': [
    ['alone', () => ({ task: { s: big(300) } }), { ...at('$.task.s'), form: 'bare' }, []],
    ['not alone', () => ({ task: { s: big(300), n: 1 } }), { ...at('$.task.s'), form: 'bare' }, 'refused'],
    ['not alone above', () => ({ n: 1, task: { s: 'x' } }), { ...at('$.task.s'), form: 'bare' }, 'refused'],
    [
      'beside others',
      () => ({ id: 7, task: { s: big(300), n: [1] } }),
      { ...at('$.task.s'), form: 'beside' },
      [],
    ],
    [
      'several',
      () => ({ 'a b': big(300), x: { '"': big(400), toString: big(3) } }),
      { ...at('$["a b"]', '$.x["\\""]', '$.x.toString'), form: 'beside' },
      [],
    ],
    ['empty string', () => ({ a: { s: '' } }), { ...at('$.a.s'), form: 'beside' }, []],
    [
      'lone surrogates',
      () => ({ a: { s: '\ud800\u0000', t: '\udc00' } }),
      { ...at('$.a.s'), form: 'beside' },
      [],
    ],
    [
      'looks like the message',
      () => ({ rest: '{}', text0: { s: 'x' } }),
      { ...at('$.text0.s'), form: 'beside' },
      [],
    ],
    ['no string there', () => ({ task: { s: 1 } }), { ...at('$.task.s'), form: 'beside' }, 'refused'],
    ['nothing there', () => ({}), { ...at('$.task.s'), form: 'beside' }, 'refused'],
    ['a path through __proto__', () => ({}), { ...at('$.__proto__.s'), form: 'bare' }, 'refused'],
    [
      'undefined in the rest',
      () => ({ s: 'x', u: undefined }),
      { ...at('$.s'), form: 'beside' },
      ['$.u undefined became absent'],
    ],
    [
      'own __proto__ in the rest',
      () => withProto('{"s":"x","__proto__":{"a":1}}'),
      { ...at('$.s'), form: 'beside' },
      [],
    ],
  ],
  repack: [
    ['frozen root', () => Object.freeze([1, 2, 3]), at('$'), []],
    ['holey kind', () => holey(3, { 0: 1, 1: undefined, 2: 3 }), at('$'), []],
    [
      'nested',
      () => ({ a: 'x', rows: [{ v: Object.freeze([1]) }, { w: 1 }, null, 3] }),
      at('$.rows', '$.rows[*].v'),
      [],
    ],
    ['map-like', () => ({ x: [1], y: [2], toString: [3] }), at('$.*'), []],
    ['own __proto__ below .*', () => withProto('{"__proto__":[1],"b":[2]}'), at('$.*'), []],
    ['empty', () => [], at('$'), []],
    ['other kinds there', () => ({ a: new Map([[1, 2]]) }), at('$.a', '$.a.b'), []],
    ['a Map on the way', () => [new Map([['a', [1]]])], at('$[*].a'), []],
    ['sparse', () => holey(100, { 5: 1 }), at('$'), 'refused'],
    ['a cycle off the way', () => [ring(), 1], at('$'), []],
    ['huge', () => new Array(300_000).fill(1), at('$'), []],
    ['shared on the way', twice, at('$.a.list'), ['$.b shared reference became a copy']],
  ],
  rebuild: [
    [
      'deleted',
      () => {
        const value: Record<string, unknown> = { a: 1, b: 2 };
        delete value.a;
        return value;
      },
      at('$'),
      [],
    ],
    ['null prototype', () => Object.assign(Object.create(null), { a: { b: 1 } }), at('$'), []],
    ['frozen rows', () => [Object.freeze({ a: 1 }), null, 'x', Object.freeze({ b: 2 })], at('$[*]'), []],
    ['odd keys', () => Object.freeze({ ...ODD }), at('$'), []],
    ['own __proto__', () => Object.freeze(withProto('{"__proto__":{"a":1},"b":1}')), at('$'), []],
    [
      'own __proto__ and symbol',
      () => Object.assign(withProto('{"__proto__":1,"b":1}') as object, { [Symbol.for('s')]: 1 }),
      at('$'),
      [],
    ],
    ['class instance', () => [new Point()], at('$[*]'), []],
    [
      'getter',
      () => ({
        get a() {
          return 1;
        },
      }),
      at('$'),
      [],
    ],
    [
      'a throwing getter',
      () => ({
        get a() {
          throw new Error('no');
        },
      }),
      at('$'),
      'refused',
    ],
    ['a Date there', () => [new Date(3), new Map([[1, 2]]), [1]], at('$[*]'), []],
    ['nested', () => ({ a: Object.freeze({ b: Object.freeze({ c: 1 }) }) }), at('$.a', '$.a.b'), []],
  ],
  plain: [
    [
      'dates in rows',
      () => [{ at: new Date(5) }, { at: null }, {}, { at: undefined }, { at: 'x' }, 3, null],
      dates,
      [],
    ],
    ['invalid date', () => [{ at: new Date(Number.NaN) }], dates, []],
    ['a number among dates', () => [{ at: new Date(5) }, { at: 5 }], dates, 'refused'],
    ['root date', () => new Date(-1), form('$', 'date'), []],
    ['bigint', () => ({ n: -(2n ** 70n) }), form('$.n', 'bigint'), []],
    ['text among bigints', () => [1n, '1'], form('$[*]', 'bigint'), 'refused'],
    ['regexp', () => [/a\/b/giu, /[/]/, /\n/m, null], form('$[*]', 'regexp'), []],
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
      [],
    ],
    ['empty map', () => new Map(), form('$', 'map'), []],
    ['a list among maps', () => [new Map(), []], form('$[*]', 'map'), 'refused'],
    ['set', () => new Set([1, 'a', { b: 2 }]), form('$', 'set'), []],
    ['set in a map', () => new Map([['a', new Set([1])]]), form('$', 'map'), []],
    [
      'a map that holds itself',
      () => {
        const map = new Map<string, unknown>();
        return map.set('self', map);
      },
      form('$', 'map'),
      [`$${'{value:0}'} shared reference became a copy`],
    ],
    ['boxed', () => [Object(1), Object('x'), Object(false), Object(2n), null, 4], form('$[*]', 'boxed'), []],
    [
      'markers of its own',
      () => ({ path: 'date', form: { kind: 'date' }, d: new Date(1) }),
      form('$.d', 'date'),
      [],
    ],
  ],
  transfer: [
    ['root view', () => bytes(1, 2, 3), at('$'), []],
    ['root buffer', () => bytes(1, 2).buffer, at('$'), []],
    ['rows', () => [{ b: bytes(1) }, { b: bytes(2).buffer }, { b: null }, {}, 5], at('$[*].b'), []],
    [
      'one buffer twice',
      () => {
        const one = bytes(1, 2);
        return { a: one, b: one, c: one.buffer, d: new DataView(one.buffer) };
      },
      at('$.a', '$.b', '$.c', '$.d'),
      [],
    ],
    ['a part of a buffer is copied', () => ({ v: part() }), at('$.v'), []],
    [
      'shared memory stays',
      () => [new SharedArrayBuffer(4), new Uint8Array(new SharedArrayBuffer(4))],
      at('$[*]'),
      [],
    ],
    [
      'in a Map and a Set',
      () => ({ m: new Map([[bytes(1), bytes(2)]]), s: new Set([bytes(3)]) }),
      at(['$.m', 'key}'].join('{'), ['$.m', 'value}'].join('{'), ['$.s', 'member}'].join('{')),
      [],
    ],
    ['map-like', () => ({ a: bytes(1), __proto__: null, b: bytes(2) }), at('$.*'), []],
    ['odd keys', () => ({ ...ODD, '"': bytes(1) }), at('$["\\""]', '$.toString', '$["a b"].c'), []],
    [
      'own __proto__',
      () => Object.defineProperty({}, '__proto__', { value: bytes(1), enumerable: true }),
      at('$.__proto__'),
      [],
    ],
    ['empty', () => [], at('$[*]'), []],
    ['node buffer of the pool', () => ({ b: Buffer.from('pooled') }), at('$.b'), []],
  ],
  'slice-view': [
    ['root', () => part(), { ...at('$'), transfer: false }, []],
    [
      'moved',
      () => ({ v: part(), w: new DataView(new ArrayBuffer(9), 1, 3) }),
      { ...at('$.v', '$.w'), transfer: true },
      [],
    ],
    [
      'every type',
      () => [
        new Int8Array(new ArrayBuffer(32), 8, 2),
        new Float64Array(new ArrayBuffer(32), 8, 2).fill(-0),
        new BigInt64Array(new ArrayBuffer(32), 8, 2),
        new Uint8ClampedArray(new ArrayBuffer(3), 1, 1),
        part(),
        null,
      ],
      { ...at('$[*]'), transfer: true },
      [],
    ],
    ['whole already', () => bytes(1, 2), { ...at('$'), transfer: false }, []],
    ['node buffer of the pool', () => ({ b: Buffer.from('pooled') }), { ...at('$.b'), transfer: true }, []],
    ['empty view', () => new Uint8Array(new ArrayBuffer(8), 4, 0), { ...at('$'), transfer: true }, []],
    [
      'shared memory',
      () => new Uint8Array(new SharedArrayBuffer(8), 0, 4),
      { ...at('$'), transfer: false },
      'refused',
    ],
    [
      'views that overlap',
      () => {
        const one = new ArrayBuffer(64);
        return [part(one), part(one)];
      },
      { ...at('$[*]'), transfer: false },
      ['$[1] shared buffer became a copy'],
    ],
    [
      'neighbours',
      () => {
        const one = new ArrayBuffer(64);
        return [new Uint8Array(one, 0, 4), new Uint8Array(one, 4, 4)];
      },
      { ...at('$[*]'), transfer: true },
      [],
    ],
  ],
  'own-string': [
    ['root', () => `a${big(999)}b`.slice(1, 400), { ...at('$'), form: 'own' }, []],
    [
      'rows',
      () => [{ s: big(300) }, { s: 'short' }, { s: 4 }, {}, null],
      { ...at('$[*].s'), form: 'own' },
      [],
    ],
    ['lone surrogates', () => `\ud800${big(300)}\udc00`, { ...at('$'), form: 'own' }, []],
    ['narrow', () => `ü\u4e00${big(300)}`.slice(2), { ...at('$'), form: 'narrow' }, []],
    ['narrow odd text', () => ['\ud800', '\u0000"\\', '', '\u2029'], { ...at('$[*]'), form: 'narrow' }, []],
    ['no text', () => [1, null, new Date(0)], { ...at('$[*]'), form: 'own' }, []],
  ],
  flatten: [
    ['nested', () => ({ id: 1, a: { b: { c: 'x' } } }), flat(['id'], ['a', 'b', 'c']), []],
    [
      'dots and backslashes',
      () => ({ 'a.b': 1, a: { b: 2, '.': 3, '\\': { '.': 4 } }, 'a\\': { b: 5 } }),
      flat(['a.b'], ['a', 'b'], ['a', '.'], ['a', '\\', '.'], ['a\\', 'b']),
      [],
    ],
    [
      'odd keys',
      () => ({ '': { '': 1 }, toString: { constructor: 2 }, '\u2028"': 3 }),
      flat(['', ''], ['toString', 'constructor'], ['\u2028"']),
      [],
    ],
    [
      'undefined and -0 kept',
      () => ({ a: { b: undefined, c: -0 } }),
      { path: '$', fields: [{ key: 'a', fields: [{ key: 'b', maybe: true }, { key: 'c' }] }] },
      [],
    ],
    [
      'absent instead of undefined',
      () => ({ a: { z: undefined, c: -0 } }),
      { path: '$', fields: [{ key: 'a', fields: [{ key: 'b', maybe: true }, { key: 'c' }] }] },
      'refused',
    ],
    [
      'rich leaves',
      () => ({ a: { d: new Date(1), m: new Map([[1, { x: 2 }]]), e: {} } }),
      flat(['a', 'd'], ['a', 'm'], ['a', 'e']),
      [],
    ],
    [
      'text leaves',
      () => ({ id: 1, a: { tags: ['x', '\ud800'], n: null } }),
      {
        path: '$',
        fields: [
          { key: 'id' },
          {
            key: 'a',
            fields: [
              { key: 'tags', text: true },
              { key: 'n', text: true },
            ],
          },
        ],
      },
      [],
    ],
    ['another key', () => ({ id: 1, a: { b: 2, extra: 3 } }), flat(['id'], ['a', 'b']), 'refused'],
    ['a missing key', () => ({ id: 1, a: {} }), flat(['id'], ['a', 'b']), 'refused'],
    ['an inherited key', () => ({ id: 1, a: { b: 2 } }), flat(['id'], ['a', 'toString']), 'refused'],
    ['null inside', () => ({ id: 1, a: null }), flat(['id'], ['a', 'b']), 'refused'],
    [
      'own __proto__',
      () => withProto('{"__proto__":{"polluted":1}}'),
      flat(['__proto__', 'polluted']),
      'refused',
    ],
    ['no fields', () => ({}), { path: '$', fields: [] }, 'refused'],
  ],
  'flat-rows': [
    [
      'nested',
      () => rows(9, (i) => ({ id: i, geo: { lat: i / 2, lon: -0 } })),
      flat(['id'], ['geo', 'lat'], ['geo', 'lon']),
      [],
    ],
    ['empty', () => [], flat(['id']), []],
    [
      'not at the root',
      () => ({ list: rows(3, (i) => ({ a: { 'b.c': i } })) }),
      { ...flat(['a', 'b.c']), path: '$.list' },
      [],
    ],
    [
      'one differs',
      () => [...rows(3, (i) => ({ a: { b: i } })), { a: { c: 1 } }],
      flat(['a', 'b']),
      'refused',
    ],
    ['one is null', () => [{ a: { b: 1 } }, null], flat(['a', 'b']), 'refused'],
    ['holes', () => holey(3, { 0: { a: { b: 1 } } }), flat(['a', 'b']), 'refused'],
    ['no list', () => ({ a: { b: 1 } }), flat(['a', 'b']), 'refused'],
    [
      'one record twice',
      () => {
        const one = { a: { b: 1 } };
        return [one, one];
      },
      flat(['a', 'b']),
      ['$[1] shared reference became a copy'],
    ],
  ],
  columns: [
    [
      'cells',
      () => rows(9, (i) => ({ id: i, s: `n${i}`, geo: { lat: i / 2 } })),
      table('cells', { id: '' }, { s: '' }, { 'geo.lat': '' }),
      [],
    ],
    [
      'lists',
      () => rows(9, (i) => ({ id: i, s: undefined })),
      table('lists', { id: '' }, { s: 'maybe' }),
      [],
    ],
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
      table('lists', { a: '' }, { b: '' }),
      [],
    ],
    [
      'dates as cells',
      () => rows(9, (i) => ({ d: new Date(i), e: new Date(Number.NaN) })),
      dated('cells'),
      [],
    ],
    [
      'dates as numbers',
      () => rows(9, (i) => ({ d: new Date(i), e: new Date(Number.NaN) })),
      dated('typed'),
      [],
    ],
    ['null among dates', () => [{ d: new Date(1), e: null }], dated('typed'), 'refused'],
    [
      'an undefined that no fact told of',
      () => [{ a: 1 }, { a: undefined }],
      table('lists', { a: '' }),
      'refused',
    ],
    ['no list of records', () => ({ a: 1 }), table('typed', { a: 'Int32Array' }), 'refused'],
    ['lists in records, as cells', orders, { ...nested, form: 'cells' }, []],
    ['lists in records, as lists', orders, { ...nested, form: 'lists' }, []],
    ['lists in records, typed', orders, { ...nested, form: 'typed' }, []],
    [
      'a list that is null',
      () => [{ ...orders()[0]!, items: null }],
      { ...nested, form: 'cells' },
      'refused',
    ],
    [
      'an item with another key',
      () => [{ ...orders()[0]!, items: [{ sku: 'x', n: 1, lots: [], more: 1 }] }],
      { ...nested, form: 'typed' },
      'refused',
    ],
    [
      'a hole in a list',
      () => [{ ...orders()[0]!, tags: holey(2, { 0: 'x' }) }],
      { ...nested, form: 'lists' },
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
    ['looks like columns', () => [{ c0: [1], c1: 2 }], table('lists', { c0: '' }, { c1: '' }), []],
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
  ],
  'typed-array': [
    ['ints', () => [1, -2, 2 ** 31 - 1], numbers('$', 'Int32Array'), []],
    [
      'doubles',
      () => [1.5, Number.NaN, -0, Number.POSITIVE_INFINITY, 5e-324],
      numbers('$', 'Float64Array'),
      [],
    ],
    ['empty', () => [], numbers('$', 'Int32Array'), []],
    ['matrix', () => [[1], [2.5], []], numbers('$[*]', 'Float64Array'), []],
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
      [],
    ],
    ['-0 in ints', () => [-0], numbers('$', 'Int32Array'), 'refused'],
    ['text', () => [1, '2'], numbers('$', 'Float64Array'), 'refused'],
    ['null', () => [1, null], numbers('$', 'Float64Array'), 'refused'],
    ['holes', () => holey(2, { 0: 1 }), numbers('$', 'Float64Array'), 'refused'],
    ['typed already', () => ({ a: new Float64Array(2) }), numbers('$.a', 'Float64Array'), 'refused'],
    ['no list there', () => [{ a: null }, { a: 'x' }, {}], numbers('$[*].a', 'Float64Array'), []],
    ['huge', () => new Array(300_000).fill(7), numbers('$', 'Int32Array'), []],
  ],
  dedupe: [
    ['rows', () => rows(20, (i) => ({ s: big(90 + (i % 3)), n: i })), at('$[*].s'), []],
    [
      'several places',
      () => ({ a: 'x', b: ['x', 'y', null, 'x'], c: { d: 'y' } }),
      at('$.a', '$.b[*]', '$.c.d'),
      [],
    ],
    [
      'texts of its own',
      () => ({ texts: ['a', 'a'], body: { body: 'a' } }),
      at('$.texts[*]', '$.body.body'),
      [],
    ],
    ['empty and lone', () => ['', '\ud800', '', '\ud800'], at('$[*]'), []],
    ['a number among them', () => ['a', 1], at('$[*]'), 'refused'],
    ['other things among them', () => ['a', null, undefined, new Date(1), true, { a: 'a' }], at('$[*]'), []],
    ['nothing there', () => ({}), at('$.a.b'), []],
  ],
  share: [
    ['view', () => new Float64Array([1, -0, Number.NaN]), at('$'), []],
    ['buffer', () => ({ b: bytes(1, 2, 3).buffer }), at('$.b'), []],
    ['part', () => ({ v: part(), d: new DataView(new ArrayBuffer(9), 2, 3) }), at('$.v', '$.d'), []],
    ['rows', () => [{ v: bytes(1) }, { v: null }, {}, 3], at('$[*].v'), []],
    ['empty', () => new Uint8Array(0), at('$'), []],
    ['shared already', () => new Uint8Array(new SharedArrayBuffer(4)), at('$'), 'refused'],
    [
      'views that overlap',
      () => {
        const one = new ArrayBuffer(64);
        return [part(one), part(one)];
      },
      at('$[*]'),
      ['$[1] shared buffer became a copy'],
    ],
  ],
};

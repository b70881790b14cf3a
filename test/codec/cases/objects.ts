/** Rewrites of objects, arrays and what they hold. */
import {
  at,
  bytes,
  type Case,
  dates,
  form,
  holey,
  numbers,
  ODD,
  orders,
  Point,
  ring,
  rows,
  throwing,
  twice,
  withProto,
} from './build.ts';

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

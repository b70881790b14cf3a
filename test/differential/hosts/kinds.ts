/** One value of each kind that programs post, by its name in docs/hosts.md. Where a host has no such class the factory throws. */
class Point {
  x = 1;

  length() {
    return this.x;
  }
}

export const KINDS: Readonly<Record<string, () => unknown>> = {
  'text, numbers, booleans, null': () => ['text', 1, -0, Number.NaN, true, null],
  undefined: () => ({ a: undefined }),
  BigInt: () => 1n,
  Symbol: () => Symbol('a'),
  function: () => () => 1,
  Date: () => new Date(0),
  'invalid Date': () => new Date(Number.NaN),
  RegExp: () => /a/g,
  'RegExp with lastIndex': () => Object.assign(/a/g, { lastIndex: 2 }),
  'object of a primitive': () => [Object(1), Object('a'), Object(true), Object(1n)],
  array: () => [1, 'a', { b: 2 }],
  'array with a hole': () => Object.assign(new Array(3), { 0: 1, 2: 3 }),
  'array with a named property': () => Object.assign([1], { name: 'a' }),
  object: () => ({ a: 1, b: { c: [2] } }),
  'object without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'instance of a class': () => new Point(),
  'object with a getter': () => ({
    get a() {
      return 1;
    },
  }),
  'symbol key': () => ({ a: 1, [Symbol.for('b')]: 2 }),
  'property that is not enumerable': () => Object.defineProperty({ a: 1 }, 'b', { value: 2 }),
  'frozen object': () => Object.freeze({ a: 1 }),
  'same object twice': () => {
    const one = { a: 1 };
    return [one, one];
  },
  circle: () => {
    const one: { self?: object } = {};
    one.self = one;
    return one;
  },
  Map: () => new Map([['a', { b: 1 }]]),
  Set: () => new Set(['a', 1]),
  WeakMap: () => new WeakMap(),
  Promise: () => ({ a: Promise.resolve(1) }),
  Proxy: () => new Proxy({ a: 1 }, {}),
  generator: () =>
    (function* () {
      yield 1;
    })(),
  Error: () => new RangeError('message'),
  'Error with a cause': () => new Error('message', { cause: { code: 1 } }),
  'Error of a class': () => Object.assign(new (class Failure extends Error {})('message'), { code: 'E_A' }),
  AggregateError: () => new AggregateError([new Error('one')], 'message'),
  DOMException: () => new DOMException('message', 'AbortError'),
  ArrayBuffer: () => new ArrayBuffer(8),
  'resizable ArrayBuffer': () => {
    const buffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]) as ArrayBuffer & {
      resizable?: boolean;
    };
    if (!buffer.resizable) throw new ReferenceError('resizable is not defined');
    return buffer;
  },
  'typed array': () => new Float64Array([1, 2]),
  DataView: () => new DataView(new ArrayBuffer(8)),
  'view of a part of a buffer': () => new Uint8Array(new ArrayBuffer(1024), 8, 8),
  'Buffer of Node': () => Buffer.from('text'),
  SharedArrayBuffer: () => new SharedArrayBuffer(8),
  URL: () => new URL('http://localhost/'),
  Headers: () => new Headers({ a: 'b' }),
  Request: () => new Request('http://localhost/'),
  AbortSignal: () => new AbortController().signal,
  Event: () => new Event('a'),
  'Intl.NumberFormat': () => new Intl.NumberFormat('en'),
};

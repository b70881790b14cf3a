/** Values that a codec of another sample meets: each call makes a new one. */

class Point {
  x = 1;
  y = -0;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { value } : [value];
  return value;
}

class OddDate extends Date {
  override getTime = () => 9;
}
class OddMap extends Map<unknown, unknown> {
  override get size() {
    return 5;
  }
}
class OddSet extends Set<unknown> {
  override *[Symbol.iterator]() {
    yield 'another';
    return undefined;
  }
}

const hiddenKey = (key: PropertyKey): object =>
  Object.defineProperty({ seen: 1 }, key, { value: 2, configurable: true, writable: true });

export const STRANGE_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => 0,
  () => -0,
  () => Number.NaN,
  () => 1.5,
  () => -2147483648,
  () => -2147483641,
  () => 4294967296,
  () => -Number.MAX_VALUE,
  () => 5n,
  () => 2n ** 70n,
  () => '',
  () => 'text\ud800',
  () => 'x'.repeat(3000),
  () => [],
  () => ({}),
  () => [1, undefined, 2],
  () => Array.from({ length: 1500 }, (_, at) => (at % 500 === 7 ? at + 0.5 : at)),
  () => Object.assign(new Array(9), { 4: 'sparse' }),
  () => Array.from({ length: 300 }, (_, at) => ({ id: at, name: `n${at % 7}` })),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`key ${at}`, at])),
  () => Object.fromEntries([['__proto__', { inherited: 1 }]]),
  () => Object.assign(Object.create(null), { bare: 1 }),
  () => Object.create({ inherited: 1 }),
  () => new Point(),
  () => new (class List extends Array {})(3),
  () => Object.freeze({ a: 1 }),
  () => hiddenKey('hidden'),
  () => hiddenKey(Symbol.for('hidden')),
  () => ({ [Symbol.for('s')]: 1, seen: 2 }),
  () => ({ __proto__: { inherited: 1 }, own: 2 }),
  () => ({
    get got() {
      return [4];
    },
  }),
  () => ({
    get got() {
      throw new Error('a getter that throws');
    },
  }),
  () => new Proxy({ a: 1 }, {}),
  () => new Proxy([1], {}),
  () => () => 1,
  () => Symbol('s'),
  () => new Date(5),
  () => new Date(Number.NaN),
  () => new (class Day extends Date {})(7),
  () => new OddDate(7),
  () => Object.assign(new Date(5), { getTime: () => 7 }),
  () => new OddMap([['a', 1]]),
  () => new OddSet(['a', 'b']),
  () => Object.assign(new Set(['a']), { [Symbol.iterator]: [][Symbol.iterator] }),
  () => Object.assign(new Date(5), { extra: 1 }),
  () => Object.create(Date.prototype),
  () => Object.create(Map.prototype),
  () => new Map<unknown, unknown>([['key', { deep: new Set([1]) }]]),
  () => new Map<unknown, unknown>([[{ key: 1 }, Number.NaN]]),
  () => Object.assign(new Map(), { extra: 1 }),
  () => new Set<unknown>(['a', 1, { b: 2 }]),
  () => new Uint8Array([1, 2, 3]),
  () => new Uint16Array(new ArrayBuffer(16), 4, 2),
  () => new DataView(new ArrayBuffer(4)),
  () => new ArrayBuffer(3),
  () => /x/giu,
  () => new RangeError('out'),
  () => Object(1),
  () => Object('boxed'),
  () => nested(40),
  () => nested(900),
];

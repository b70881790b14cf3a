/** Strange values, and seeded changes of a value: it may not fit the codec of its sample any more. */
import { type Random, randomBelow } from '../../../src/stats/intervals/random.ts';
import { objectsIn } from './arrival.ts';

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

/** Values that a codec of another sample meets: each call makes a new one. */
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

type Change = (target: Record<string, unknown>, key: string, random: Random) => void;

export const pick = <T>(list: readonly T[], random: Random): T => list[randomBelow(list.length, random)]!;
const strange = (random: Random): unknown => pick(STRANGE_VALUES, random)();

/** An own property, also where the name is `__proto__`. */
export function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
}

const NEW_KEYS = ['', 'a b', ...'extra 0 12 __proto__ constructor é \ud800 toJSON length'.split(' ')];

const OF_ANY: Record<string, Change> = {
  'other value': (target, key, random) => define(target, key, strange(random)),
  'other value, deep': (target, key, random) => define(target, key, { deep: [strange(random)] }),
  'value wrapped': (target, key) => define(target, key, [target[key]]),
  'missing key': (target, key) => delete target[key],
  'key twice': (target, key) => define(target, `${key}2`, target[key]),
  frozen: (target) => Object.freeze(target),
  // Registered, so that two values made alike have the same key.
  'symbol key': (target, _, random) => define(target, Symbol.for('s'), strange(random)),
};

const OF_OBJECTS: Record<string, Change> = {
  ...OF_ANY,
  'extra key': (target, _, random) => define(target, pick(NEW_KEYS, random), strange(random)),
  'reordered keys': (target) => {
    const entries = Object.entries(target).reverse();
    for (const [key] of entries) delete target[key];
    for (const [key, value] of entries) define(target, key, value);
  },
  'a getter': (target, key) => {
    const value = target[key];
    Object.defineProperty(target, key, { get: () => value, configurable: true, enumerable: true });
  },
  'a getter that throws': (target, key) =>
    Object.defineProperty(target, key, {
      get: () => {
        throw new Error('no');
      },
      configurable: true,
      enumerable: true,
    }),
  'a setter alone': (target, key) => Object.defineProperty(target, key, { set: () => {}, enumerable: true }),
  'not enumerable': (target, key) => Object.defineProperty(target, key, { enumerable: false }),
  'hidden key': (target) => Object.defineProperty(target, 'hidden', { value: 1 }),
  'no prototype': (target) => Object.setPrototypeOf(target, null),
  'other prototype': (target) => Object.setPrototypeOf(target, { inherited: 1 }),
  'many keys': (target) => {
    for (let at = 0; at < 400; at++) define(target, `many${at}`, at);
  },
};

/** Not what codecs tell that they leave out: accessors and hidden elements. */
const OF_ARRAYS: Record<string, Change> = {
  ...OF_ANY,
  'further item': (target, _, random) => (target as unknown as unknown[]).push(strange(random)),
  'many items': (target, key) => {
    const list = target as unknown as unknown[];
    for (let left = 20; left > 0; left--) list.push(list[Number(key) || 0]);
  },
  'raised length': (target, _, random) => Object.assign(target, { length: 3 + randomBelow(20, random) }),
  'far item': (target) => define(target, '5000', 1),
  reversed: (target) => (target as unknown as unknown[]).reverse(),
  'no prototype': (target) => Object.setPrototypeOf(target, null),
};

function changeContainer(target: Map<unknown, unknown> | Set<unknown>, random: Random): string {
  const value = strange(random);
  if (target instanceof Set) target.add(value);
  else if (randomBelow(2, random) === 0) target.set(value, value);
  else target.set([...target.keys()][0] ?? 'key', value);
  return 'another member';
}

function changeOne(target: object, random: Random): string {
  if (target instanceof Map || target instanceof Set) return changeContainer(target, random);
  const changes = Array.isArray(target) ? OF_ARRAYS : OF_OBJECTS;
  const name = pick(Object.keys(changes), random);
  const keys = Object.keys(target);
  const key = keys.length === 0 ? 'a' : pick(keys, random);
  try {
    changes[name]!(target as Record<string, unknown>, key, random);
  } catch {
    // Frozen, or a property that may not be changed.
    return `no ${name}`;
  }
  return name;
}

const ROOT_SHARE = 12;
const MAX_CHANGES = 3;

/** @param value is changed in place, if it is an object. @returns `what`: what was done */
export function mutated(value: unknown, random: Random): { value: unknown; what: string } {
  const targets = [...objectsIn(value)].filter((one) => !ArrayBuffer.isView(one));
  if (targets.length === 0 || randomBelow(ROOT_SHARE, random) === 0) {
    const isWrapped = randomBelow(2, random) === 0;
    return isWrapped
      ? { value: [value], what: 'wrapped' }
      : { value: strange(random), what: 'another value' };
  }
  const names = Array.from({ length: 1 + randomBelow(MAX_CHANGES, random) }, () =>
    changeOne(pick(targets, random), random),
  );
  return { value, what: names.join(', ') };
}

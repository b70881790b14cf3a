/** Every value of the published tables of Bun's object test and array rules, with the path that it takes. */
import { runInNewContext } from 'node:vm';
import type { PathName } from '../../../src/model/names.ts';

export interface BunValue {
  name: string;
  make: () => unknown;
  /** From the first version with a fast path for such a root. */
  path: PathName;
  /** An equally valid path, depending on what ran before in the process. */
  or?: PathName;
  /** Another path in versions before this one. */
  until?: { version: string; path: PathName };
}

type Group = Record<string, () => unknown>;

const keyed = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
const define = (attributes: PropertyDescriptor) => Object.defineProperty({ a: 1 }, 'b', attributes);
const open = { value: 2, writable: true, enumerable: true, configurable: true };

class Point {
  x = 1;
  get twice() {
    return this.x * 2;
  }
}
class Point3 extends Point {
  z = 3;
}
class Secret {
  a = 1;
  #hidden = 2;
  reveal() {
    return this.#hidden;
  }
}
class Branded {
  a = 1;
  #method() {
    return this.a;
  }
  reveal() {
    return this.#method();
  }
}

const FLAT: Group = {
  '{}': () => ({}),
  '{a:1}': () => ({ a: 1 }),
  '200 keys': () => keyed(200),
  '2000 keys': () => keyed(2000),
  'class instance': () => new Point(),
  subclass: () => new Point3(),
  'null prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'own prototype': () => Object.assign(Object.create({ inherited: 1 }), { a: 1 }),
  setPrototypeOf: () => Object.setPrototypeOf({ a: 1 }, { inherited: 1 }),
  '__proto__ in a literal': () => ({ __proto__: { inherited: 1 }, a: 1 }),
  'own __proto__ of JSON': () => JSON.parse('{"__proto__":1,"a":2}'),
  spread: () => ({ ...{ a: 1, b: 'two' } }),
  assign: () => Object.assign({}, { a: 1 }),
  fromEntries: () => Object.fromEntries([['a', 1]]),
  rest: () => (({ a: _, ...others }: { a: number; b: number }) => others)({ a: 1, b: 2 }),
  'other realm': () => runInNewContext('({ a: 1 })'),
  'read-only property': () => define({ ...open, writable: false }),
  'undefined, null and NaN': () => ({ a: undefined, b: null, c: Number.NaN, d: -0, e: true }),
  'delete of what is missing': () => {
    const value: Record<string, number> = { a: 1 };
    delete value.missing;
    return value;
  },
};

const deleted = (again: boolean) => () => {
  const value: Record<string, number> = { a: 1, b: 2 };
  delete value.b;
  if (again) value.b = 2;
  return value;
};

const NOT_FLAT: Group = {
  frozen: () => Object.freeze({ a: 1 }),
  sealed: () => Object.seal({ a: 1 }),
  'frozen {}': () => Object.freeze({}),
  getter: () => ({
    get a() {
      return 1;
    },
  }),
  setter: () => ({ set a(_: number) {} }),
  'non-enumerable': () => define({ ...open, enumerable: false }),
  'non-configurable': () => define({ ...open, configurable: false }),
  'symbol key': () => ({ a: 1, [Symbol('s')]: 2 }),
  '#field': () => new Secret(),
  '#method': () => new Branded(),
  'deleted key': deleted(false),
  'deleted and added again': deleted(true),
  'symbol added, then deleted': () => {
    const s = Symbol('s');
    const value: Record<PropertyKey, number> = { a: 1 };
    value[s] = 2;
    delete value[s];
    return value;
  },
  'getter turned into data': () =>
    Object.defineProperty(
      Object.defineProperty({ a: 1 }, 'b', { get: () => 2, configurable: true }),
      'b',
      open,
    ),
  'non-enumerable made enumerable': () =>
    Object.defineProperty(define({ ...open, enumerable: false }), 'b', open),
  'dictionary with a delete': () => {
    const value = keyed(2000);
    delete value.key7;
    return value;
  },
  'indexed key': () => ({ 0: 1 }),
  'indexed key, deleted': () => {
    const value: Record<string, number> = { a: 1 };
    value[0] = 1;
    delete value[0];
    return value;
  },
  '{a:1n}': () => ({ a: 1n }),
  '{a:{}}': () => ({ a: {} }),
  '{a:[]}': () => ({ a: [] }),
  '{a:Date}': () => ({ a: new Date(0) }),
  '{a:new String}': () => ({ a: new String('x') }),
};

const REFUSED: Group = {
  'function value': () => ({ a: () => 1 }),
  'symbol value': () => ({ a: Symbol('s') }),
  'arrow function field': () =>
    new (class {
      run = () => 1;
    })(),
  function: () => () => 1,
  proxy: () => new Proxy({}, {}),
  arguments: () => new Function('return arguments')(1),
};

const NO_FAST_PATH: Group = {
  number: () => 1,
  boolean: () => true,
  null: () => null,
  undefined: () => undefined,
  bigint: () => 1n,
  Uint8Array: () => new Uint8Array(8),
  ArrayBuffer: () => new ArrayBuffer(8),
  Buffer: () => Buffer.from('abc'),
  Map: () => new Map([['a', 1]]),
  Set: () => new Set([1]),
  Date: () => new Date(0),
  RegExp: () => /a/g,
  Error: () => new Error('x'),
  boxed: () => new Number(1),
  Blob: () => new Blob(['x']),
};

function pushed<T>(...items: T[]): T[] {
  const list: T[] = [];
  for (const item of items) list.push(item);
  return list;
}

const INT32: Group = {
  '[1,2,3]': () => [1, 2, 3],
  'ints, pushed': () => pushed(1, 2, 3),
  'Array.of': () => Array.of(1, 2, 3),
  'sorted ints': () => pushed(3, 1, 2).sort(),
  'ints of JSON': () => JSON.parse('[1,2,3]'),
  'new Array(n), filled': () => {
    const value = new Array(5);
    for (let i = 0; i < 5; i++) value[i] = i;
    return value;
  },
  'a hole, filled': () => {
    const value = pushed(1, 2, 3);
    delete value[1];
    value[1] = 2;
    return value;
  },
  'emptied by pop': () => {
    const value = pushed(1);
    value.pop();
    return value;
  },
  'shift with 100': () => {
    const value = pushed(...Array.from({ length: 100 }, (_, i) => i));
    value.shift();
    return value;
  },
};

const DOUBLE: Group = {
  '[1.5]': () => [1.5],
  '[-0]': () => [-0],
  '[2**31]': () => [2 ** 31],
  '[1,1.5]': () => [1, 1.5],
  '[Infinity]': () => [Number.POSITIVE_INFINITY],
};

const SIMPLE: Group = {
  '[NaN,1.5]': () => [Number.NaN, 1.5],
  '["a"]': () => ['a'],
  '[true,null]': () => [true, null],
  split: () => 'a b c'.split(' '),
  'Object.keys': () => Object.keys({ a: 1, b: 2 }),
  '[undefined]': () => [undefined],
  'Object.values': () => Object.values({ a: 1, b: 2 }),
  'spread of a Set': () => [...new Set([1, 2])],
  'flat of ints': () => [[1], [2]].flat(),
  'match(/g/)': () => 'abc'.match(/\w/g),
};

const DENSE: Group = {
  '[{a:1}]': () => [{ a: 1 }, { a: 2 }],
  'rows of JSON': () => JSON.parse('[{"a":1},{"a":2}]'),
  'ints, text and objects': () => [1, 'a', { a: 1 }],
  'class instances': () => [new Point(), new Point()],
  'null-prototype rows': () => [Object.assign(Object.create(null), { a: 1 })],
  'field-less Array subclass': () => class extends Array {}.of({ a: 1 }, { a: 2 }),
};

const shared = { a: 1 };

const SLOW_ARRAYS: Group = {
  '[[1]]': () => [[1]],
  'Object.entries': () => Object.entries({ a: 1 }),
  'matchAll, spread': () => [...'abc'.matchAll(/\w/g)],
  '[{a:{}}]': () => [{ a: {} }],
  '[Date]': () => [new Date(0)],
  'the same object twice': () => [shared, shared],
  '[frozen]': () => [Object.freeze({ a: 1 })],
  '[{0:1}]': () => [{ 0: 1 }],
  '[{a:1n}]': () => [{ a: 1n }],
  '[1n]': () => [1n],
  'hole in a literal': () => {
    const value = [1, 2, 3];
    delete value[1];
    return value;
  },
  'length raised': () => {
    const value = pushed(1, 2);
    value.length = 5;
    return value;
  },
  '[]': () => [],
  'new Array(5)': () => new Array(5),
  'frozen array': () => Object.freeze([1, 2, 3]),
  'sealed array': () => Object.seal([1, 2, 3]),
  'non-extensible array': () => Object.preventExtensions([1, 2, 3]),
  'accessor index': () => Object.defineProperty(pushed(1, 2), 0, { get: () => 1 }),
  'read-only index': () => Object.defineProperty(pushed(1, 2), 0, { value: 1, writable: false }),
  'read-only length': () => Object.defineProperty(pushed(1, 2), 'length', { writable: false }),
  sparse: () => {
    const value = pushed(1);
    value[100_000] = 2;
    return value;
  },
  'named property': () => Object.assign(pushed(1, 2), { total: 3 }),
  'named property, deleted': () => {
    const value: number[] & { total?: number } = pushed(1, 2);
    value.total = 3;
    delete value.total;
    return value;
  },
  'symbol property': () => Object.assign(pushed(1, 2), { [Symbol('s')]: 3 }),
  'regex match': () => 'abc'.match(/b/),
  'Array subclass with a field': () =>
    class extends Array {
      label = 'x';
    }.of(1, 2, 3),
  'prototype with an index': () => Object.setPrototypeOf([1, 2], [9]),
  'shift with 200': () => {
    const value = pushed(...Array.from({ length: 200 }, (_, i) => i));
    value.shift();
    return value;
  },
  'first write at 1000': () => {
    const value: number[] = [];
    value[1000] = 1;
    return value;
  },
};

const OWN_PROTOTYPES: Group = {
  'ints with a plain prototype': () => Object.setPrototypeOf([1, 2], { label: 'x' }),
  'ints without a prototype': () => Object.setPrototypeOf([1, 2], null),
};

const literal =
  'a source literal is interned when the module is parsed, so it can only be copied, however long it is; ' +
  'this one is long enough to be shared otherwise, for it has more than two hundred and fifty-six code units, ' +
  'which is the least that Bun shares between threads instead of copying; the rest is padding, and more padding.';

const SHARED: Group = {
  repeat: () => 'x'.repeat(300),
  'joined pieces': () => ['left '.repeat(60), 'right '.repeat(60)].join(),
  rope: () => 'left '.repeat(60) + 'right '.repeat(60),
  'JSON.stringify': () => JSON.stringify(keyed(100)),
  'Buffer.toString': () => Buffer.alloc(300, 'x').toString('latin1'),
  'piece of a rope, never joined': () => `head ${'x'.repeat(400)}`.slice(5),
  'slice(0) of the whole': () => 'x'.repeat(300).slice(0),
};

const COPIED: Group = {
  'short string': () => 'x'.repeat(255),
  'empty string': () => '',
  'piece of a string': () => Buffer.alloc(600, 'x').toString('latin1').slice(5),
  'source literal': () => literal,
  'used as a key': () => {
    const key = 'k'.repeat(300);
    Reflect.set({}, key, 1);
    return key;
  },
};

const of = (path: PathName, group: Group): BunValue[] =>
  Object.entries(group).map(([name, make]) => ({ name, make, path }));

export const VALUES: readonly BunValue[] = [
  ...of('simple-object', FLAT),
  {
    name: 'preventExtensions',
    make: () => Object.preventExtensions({ a: 1 }),
    path: 'simple-object',
    until: { version: '1.4.0', path: 'serializer' },
  },
  ...of('serializer', NOT_FLAT),
  ...of('rejected', REFUSED),
  ...of('serializer', NO_FAST_PATH),
  // All calls of map share one allocation profile: after it made an array of objects, it makes no Int32 ones.
  { name: 'mapped ints', make: () => [1, 2, 3].map((x) => x * 2), path: 'int32-array', or: 'simple-array' },
  ...of('int32-array', { ...INT32, ...OWN_PROTOTYPES }),
  ...of('double-array', DOUBLE),
  ...of('simple-array', SIMPLE),
  ...of('dense-array', DENSE),
  ...of('serializer', SLOW_ARRAYS),
  ...of('string-shared', SHARED),
  ...of('string-copied', COPIED),
];

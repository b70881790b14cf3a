import { at, type Case, ODD, Point, withProto } from './build.ts';

export const rebuild: Case[] = [
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
];

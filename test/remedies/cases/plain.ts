import { type Case, dates, form } from './build.ts';

export const plain: Case[] = [
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
  [
    'bigints as numbers, as text where no number holds them',
    () => [0n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 2n ** 64n, null],
    form('$[*]', 'bigint'),
    [],
  ],
  ['a number among bigints', () => [1n, 1], form('$[*]', 'bigint'), 'refused'],
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
];

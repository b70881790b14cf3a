import { type Case, holey, numbers } from './build.ts';

export const typedArray: Case[] = [
  ['ints', () => [1, -2, 2 ** 31 - 1], numbers('$', 'Int32Array'), []],
  [
    'doubles',
    () => [1.5, Number.NaN, -0, Number.POSITIVE_INFINITY, 5e-324],
    numbers('$', 'Float64Array'),
    [],
  ],
  ['empty', () => [], numbers('$', 'Int32Array'), []],
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
  ['no list there', () => ({ a: null, b: [1] }), numbers('$.a', 'Float64Array'), []],
  ['huge', () => new Array(150_000).fill(7), numbers('$', 'Int32Array'), []],
];

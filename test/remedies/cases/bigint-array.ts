import { type Case, holey, numbers, rows } from './build.ts';

const signed = (path: string) => numbers(path, 'BigInt64Array');
const unsigned = (path: string) => numbers(path, 'BigUint64Array');
/** The outermost values that fit, and the first that do not. */
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const MOST_UNSIGNED = 2n ** 64n - 1n;

export const bigintArray: Case[] = [
  ['bigints', () => rows(150, (i) => BigInt(i) * -123_456_789n), signed('$'), []],
  ['edges', () => [LEAST, -1n, 0n, 1n, MOST], signed('$'), []],
  ['unsigned edges', () => [0n, MOST + 1n, MOST_UNSIGNED], unsigned('$'), []],
  ['empty', () => [], signed('$'), []],
  [
    'several',
    () => ({ a: [1n], 'b"': { c: [MOST + 1n] } }),
    { path: '$', lists: [...signed('$.a').lists, ...unsigned('$["b\\""].c').lists] },
    [],
  ],
  ['no list there', () => [{ a: null }, { a: 5n }, {}, { a: [7n] }], signed('$[*].a'), []],
  ['beyond int64', () => [MOST + 1n], signed('$'), 'refused'],
  ['below int64', () => [LEAST - 1n], signed('$'), 'refused'],
  ['beyond uint64', () => [MOST_UNSIGNED + 1n], unsigned('$'), 'refused'],
  ['negative', () => [-1n], unsigned('$'), 'refused'],
  ['a number', () => [1n, 2], signed('$'), 'refused'],
  ['a text of digits', () => [1n, '2'], signed('$'), 'refused'],
  ['true', () => [1n, true], signed('$'), 'refused'],
  ['boxed', () => [Object(1n)], signed('$'), 'refused'],
  ['null', () => [1n, null], signed('$'), 'refused'],
  ['holes', () => holey(2, { 0: 1n }), signed('$'), 'refused'],
  ['typed already', () => ({ a: new BigInt64Array(2) }), signed('$.a'), 'refused'],
];

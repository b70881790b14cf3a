import { at, type Case, holey, rows } from './build.ts';

const LAST = 8.64e15;

export const datesAsNumbers: Case[] = [
  ['dates', () => rows(150, (i) => new Date(1.7e12 + i)), at('$'), []],
  ['invalid dates', () => [new Date(Number.NaN), new Date(LAST + 1), new Date(0)], at('$'), []],
  ['first and last', () => [-LAST, LAST, -1, 0.9, -0].map((time) => new Date(time)), at('$'), []],
  ['empty', () => [], at('$'), []],
  ['in rows', () => [{ a: [new Date(5)] }, { a: [] }, { a: null }, { a: 'x' }, {}, 3], at('$[*].a'), []],
  ['several', () => ({ a: [new Date(1)], 'b"': { c: [new Date(2)] } }), at('$.a', '$["b\\""].c'), []],
  ['a number among them', () => [new Date(1), 1], at('$'), 'refused'],
  ['null among them', () => [new Date(1), null], at('$'), 'refused'],
  ['only looks like one', () => [Object.create(Date.prototype)], at('$'), 'refused'],
  ['holes', () => holey(2, { 0: new Date(1) }), at('$'), 'refused'],
  ['times already', () => ({ a: new Float64Array(2) }), at('$.a'), 'refused'],
  [
    'a subclass is a Date in the clone too',
    () => [new (class Day extends Date {})(5), Object.assign(new Date(6), { zone: 'x' })],
    at('$'),
    [],
  ],
];

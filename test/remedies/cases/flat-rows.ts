import { type Case, flat, holey, rows } from './build.ts';

export const flatRows: Case[] = [
  [
    'nested',
    () => rows(9, (i) => ({ id: i, geo: { lat: i / 2, lon: -0 } })),
    flat(['id'], ['geo', 'lat'], ['geo', 'lon']),
    [],
  ],
  ['empty', () => [], flat(['id']), []],
  [
    'not at the root',
    () => ({ list: rows(3, (i) => ({ a: { 'b.c': i } })) }),
    { ...flat(['a', 'b.c']), path: '$.list' },
    [],
  ],
  ['one differs', () => [...rows(3, (i) => ({ a: { b: i } })), { a: { c: 1 } }], flat(['a', 'b']), 'refused'],
  ['one is null', () => [{ a: { b: 1 } }, null], flat(['a', 'b']), 'refused'],
  ['holes', () => holey(3, { 0: { a: { b: 1 } } }), flat(['a', 'b']), 'refused'],
  ['no list', () => ({ a: { b: 1 } }), flat(['a', 'b']), 'refused'],
  [
    'one record twice',
    () => {
      const one = { a: { b: 1 } };
      return [one, one];
    },
    flat(['a', 'b']),
    ['$[1] shared reference became a copy'],
  ],
];

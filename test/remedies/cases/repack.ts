import { at, type Case, holey, ring, twice, withProto } from './build.ts';

export const repack: Case[] = [
  ['frozen root', () => Object.freeze([1, 2, 3]), at('$'), []],
  ['holey kind', () => holey(3, { 0: 1, 1: undefined, 2: 3 }), at('$'), []],
  [
    'nested',
    () => ({ a: 'x', rows: [{ v: Object.freeze([1]) }, { w: 1 }, null, 3] }),
    at('$.rows', '$.rows[*].v'),
    [],
  ],
  ['map-like', () => ({ x: [1], y: [2], toString: [3] }), at('$.*'), []],
  ['own __proto__ below .*', () => withProto('{"__proto__":[1],"b":[2]}'), at('$.*'), []],
  ['empty', () => [], at('$'), []],
  ['other kinds there', () => ({ a: new Map([[1, 2]]) }), at('$.a', '$.a.b'), []],
  ['a Map on the way', () => [new Map([['a', [1]]])], at('$[*].a'), []],
  ['sparse', () => holey(100, { 5: 1 }), at('$'), 'refused'],
  ['a cycle off the way', () => [ring(), 1], at('$'), []],
  ['huge', () => new Array(150_000).fill(1), at('$'), []],
  ['shared on the way', twice, at('$.a.list'), ['$.b shared reference became a copy']],
];

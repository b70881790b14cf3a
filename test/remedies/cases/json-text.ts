import { at, type Case, JSON_ROOT, ODD, ring, twice, withProto } from './build.ts';

export const jsonText: Case[] = [
  ['nested', () => ({ a: { b: [1, 'x', null, true] } }), JSON_ROOT, []],
  ['empty', () => ({}), JSON_ROOT, []],
  ['empty list', () => [], JSON_ROOT, []],
  ['odd keys', () => ({ ...ODD }), JSON_ROOT, []],
  ['lone surrogates', () => ['\ud800', 'a\udfff', '\u2028'], JSON_ROOT, []],
  ['own __proto__', () => withProto('{"__proto__":{"polluted":1},"a":{"__proto__":2}}'), JSON_ROOT, []],
  ['a part', () => ({ id: 1, task: { a: [1] }, name: 'x' }), at('$.task'), []],
  ['parts', () => ({ id: 1, a: { x: 1 }, 'b c': [2] }), at('$.a', '$["b c"]'), []],
  ['an absent part', () => ({ id: 1 }), at('$.task'), []],
  ['a part that is null', () => ({ id: 1, task: null }), at('$.task'), []],
  ['a part that is text already', () => ({ task: '{"a":1}' }), at('$.task'), 'refused'],
  ['bigint', () => ({ a: 1n }), JSON_ROOT, 'refused'],
  ['cycle', ring, JSON_ROOT, 'refused'],
  ['a string', () => 'text', JSON_ROOT, []],
  ['undefined', () => undefined, JSON_ROOT, 'refused'],
  ['minus zero', () => [-0], JSON_ROOT, ['$[0] -0 became 0']],
  ['undefined inside', () => ({ a: undefined }), JSON_ROOT, ['$.a undefined became absent']],
  ['date', () => ({ d: new Date(0) }), JSON_ROOT, ['$.d Date became string']],
  ['shared reference', twice, JSON_ROOT, ['$.b shared reference became a copy']],
  ['NaN', () => [Number.NaN], JSON_ROOT, ['$[0] NaN became null']],
];

import { at, big, type Case, holey, rows } from './build.ts';

export const joinedText: Case[] = [
  ['words', () => rows(50, (i) => `word ${i}`), at('$'), []],
  ['empty list', () => [], at('$'), []],
  ['one empty text', () => [''], at('$'), []],
  ['empty texts', () => ['', '', 'a', ''], at('$'), []],
  ['lone surrogates', () => ['\ud800', '\udc00', 'a\udfff'], at('$'), []],
  ['halves of a pair', () => ['\ud83d', '\ude00'], at('$'), []],
  ['two bytes a unit', () => ['\u4e00', 'ü', '\u2028', '\ufeff'], at('$'), []],
  ['other separators', () => ['a\nb', '\r\n', ',', '\u001f', '\\0', '0', '[]'], at('$'), []],
  ['long', () => [big(70_000), '', big(1)], at('$'), []],
  ['in rows', () => [{ t: ['a', 'b'] }, { t: [] }, { t: null }, { t: 7 }, {}, 'x'], at('$[*].t'), []],
  ['several', () => ({ a: ['x'], 'b"': { c: [''] } }), at('$.a', '$["b\\""].c'), []],
  ['the separator', () => ['a', 'b\0c'], at('$'), 'refused'],
  ['a text instead of the list', () => ({ t: 'a' }), at('$.t'), 'refused'],
  ['0 instead of the list', () => ({ t: 0 }), at('$.t'), 'refused'],
  ['a number', () => ['a', 1], at('$'), 'refused'],
  ['null', () => ['a', null], at('$'), 'refused'],
  ['a list', () => ['a', ['b']], at('$'), 'refused'],
  ['boxed', () => [Object('a')], at('$'), 'refused'],
  ['holes', () => holey(2, { 0: 'a' }), at('$'), 'refused'],
];

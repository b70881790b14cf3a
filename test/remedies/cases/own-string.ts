import { at, big, type Case } from './build.ts';

export const ownString: Case[] = [
  ['root', () => `a${big(999)}b`.slice(1, 400), { ...at('$'), form: 'own' }, []],
  ['rows', () => [{ s: big(300) }, { s: 'short' }, { s: 4 }, {}, null], { ...at('$[*].s'), form: 'own' }, []],
  ['lone surrogates', () => `\ud800${big(300)}\udc00`, { ...at('$'), form: 'own' }, []],
  ['narrow', () => `ü\u4e00${big(300)}`.slice(2), { ...at('$'), form: 'narrow' }, []],
  ['narrow odd text', () => ['\ud800', '\u0000"\\', '', '\u2029'], { ...at('$[*]'), form: 'narrow' }, []],
  ['no text', () => [1, null, new Date(0)], { ...at('$[*]'), form: 'own' }, []],
];

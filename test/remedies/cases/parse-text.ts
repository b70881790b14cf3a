import type { Case } from './build.ts';

export const parseText: Case[] = [
  ['object', () => '{"a":[1,2,{"b":null}]}', { path: '$' }, []],
  ['own __proto__', () => '{"__proto__":{"a":1}}', { path: '$' }, []],
  ['not JSON', () => 'hello {', { path: '$' }, 'refused'],
  ['JSON of a scalar', () => '12', { path: '$' }, 'refused'],
  ['no text', () => ({ a: 1 }), { path: '$' }, 'refused'],
  ['white space', () => '{ "a": 1 }', { path: '$' }, 'refused'],
];

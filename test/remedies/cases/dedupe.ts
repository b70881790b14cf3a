import { at, big, type Case, rows } from './build.ts';

export const dedupe: Case[] = [
  ['rows', () => rows(20, (i) => ({ s: big(90 + (i % 3)), n: i })), at('$[*].s'), []],
  [
    'several places',
    () => ({ a: 'x', b: ['x', 'y', null, 'x'], c: { d: 'y' } }),
    at('$.a', '$.b[*]', '$.c.d'),
    [],
  ],
  [
    'texts of its own',
    () => ({ texts: ['a', 'a'], body: { body: 'a' } }),
    at('$.texts[*]', '$.body.body'),
    [],
  ],
  ['empty and lone', () => ['', '\ud800', '', '\ud800'], at('$[*]'), []],
  ['a number among them', () => ['a', 1], at('$[*]'), 'refused'],
  ['other things among them', () => ['a', null, undefined, new Date(1), true, { a: 'a' }], at('$[*]'), []],
  ['nothing there', () => ({}), at('$.a.b'), []],
];

import { type Case, flat, withProto } from './build.ts';

export const flatten: Case[] = [
  ['nested', () => ({ id: 1, a: { b: { c: 'x' } } }), flat(['id'], ['a', 'b', 'c']), []],
  [
    'dots and backslashes',
    () => ({ 'a.b': 1, a: { b: 2, '.': 3, '\\': { '.': 4 } }, 'a\\': { b: 5 } }),
    flat(['a.b'], ['a', 'b'], ['a', '.'], ['a', '\\', '.'], ['a\\', 'b']),
    [],
  ],
  [
    'odd keys',
    () => ({ '': { '': 1 }, toString: { constructor: 2 }, '\u2028"': 3 }),
    flat(['', ''], ['toString', 'constructor'], ['\u2028"']),
    [],
  ],
  [
    'undefined and -0 kept',
    () => ({ a: { b: undefined, c: -0 } }),
    { path: '$', fields: [{ key: 'a', fields: [{ key: 'b', maybe: true }, { key: 'c' }] }] },
    [],
  ],
  [
    'absent instead of undefined',
    () => ({ a: { z: undefined, c: -0 } }),
    { path: '$', fields: [{ key: 'a', fields: [{ key: 'b', maybe: true }, { key: 'c' }] }] },
    'refused',
  ],
  [
    'rich leaves',
    () => ({ a: { d: new Date(1), m: new Map([[1, { x: 2 }]]), e: {} } }),
    flat(['a', 'd'], ['a', 'm'], ['a', 'e']),
    [],
  ],
  [
    'text leaves',
    () => ({ id: 1, a: { tags: ['x', '\ud800'], n: null } }),
    {
      path: '$',
      fields: [
        { key: 'id' },
        {
          key: 'a',
          fields: [
            { key: 'tags', text: true },
            { key: 'n', text: true },
          ],
        },
      ],
    },
    [],
  ],
  ['another key', () => ({ id: 1, a: { b: 2, extra: 3 } }), flat(['id'], ['a', 'b']), 'refused'],
  ['a missing key', () => ({ id: 1, a: {} }), flat(['id'], ['a', 'b']), 'refused'],
  ['an inherited key', () => ({ id: 1, a: { b: 2 } }), flat(['id'], ['a', 'toString']), 'refused'],
  ['null inside', () => ({ id: 1, a: null }), flat(['id'], ['a', 'b']), 'refused'],
  [
    'own __proto__',
    () => withProto('{"__proto__":{"polluted":1}}'),
    flat(['__proto__', 'polluted']),
    'refused',
  ],
  ['no fields', () => ({}), { path: '$', fields: [] }, 'refused'],
];

import { at, big, type Case, withProto } from './build.ts';

export const unwrapString: Case[] = [
  ['alone', () => ({ task: { s: big(300) } }), { ...at('$.task.s'), form: 'bare' }, []],
  ['not alone', () => ({ task: { s: big(300), n: 1 } }), { ...at('$.task.s'), form: 'bare' }, 'refused'],
  ['not alone above', () => ({ n: 1, task: { s: 'x' } }), { ...at('$.task.s'), form: 'bare' }, 'refused'],
  [
    'beside others',
    () => ({ id: 7, task: { s: big(300), n: [1] } }),
    { ...at('$.task.s'), form: 'beside' },
    [],
  ],
  [
    'several',
    () => ({ 'a b': big(300), x: { '"': big(400), toString: big(3) } }),
    { ...at('$["a b"]', '$.x["\\""]', '$.x.toString'), form: 'beside' },
    [],
  ],
  ['empty string', () => ({ a: { s: '' } }), { ...at('$.a.s'), form: 'beside' }, []],
  [
    'lone surrogates',
    () => ({ a: { s: '\ud800\u0000', t: '\udc00' } }),
    { ...at('$.a.s'), form: 'beside' },
    [],
  ],
  [
    'looks like the message',
    () => ({ rest: '{}', text0: { s: 'x' } }),
    { ...at('$.text0.s'), form: 'beside' },
    [],
  ],
  ['no string there', () => ({ task: { s: 1 } }), { ...at('$.task.s'), form: 'beside' }, 'refused'],
  ['nothing there', () => ({}), { ...at('$.task.s'), form: 'beside' }, 'refused'],
  ['a path through __proto__', () => ({}), { ...at('$.__proto__.s'), form: 'bare' }, 'refused'],
  ['undefined in the rest', () => ({ s: 'x', u: undefined }), { ...at('$.s'), form: 'beside' }, 'refused'],
  [
    'own __proto__ in the rest',
    () => withProto('{"s":"x","__proto__":{"a":1}}'),
    { ...at('$.s'), form: 'beside' },
    [],
  ],
];

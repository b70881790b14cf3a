/** Rewrites that read or write text. */
import {
  at,
  big,
  bytes,
  type Case,
  formed,
  JSON_ROOT,
  ODD,
  overlapping,
  part,
  ring,
  twice,
  withProto,
} from './objects.ts';

const TO_JSON: object = Object.defineProperty({}, 'toJSON', { value: () => 1 });

export const jsonText: Case[] = [
  ['nested', () => ({ a: { b: [1, 'x', null, true] } }), JSON_ROOT],
  ['empty', () => ({}), JSON_ROOT],
  ['odd keys', () => ({ ...ODD }), JSON_ROOT],
  ['lone surrogates', () => ['\ud800', 'a\udfff', '\u2028'], JSON_ROOT],
  ['own __proto__', () => withProto('{"__proto__":{"polluted":1},"a":{"__proto__":2}}'), JSON_ROOT],
  ['a part', () => ({ id: 1, task: { a: [1] }, name: 'x' }), at('$.task')],
  ['parts', () => ({ id: 1, a: { x: 1 }, 'b c': [2] }), at('$.a', '$["b c"]')],
  ['an absent part', () => ({ id: 1 }), at('$.task')],
  ['a part that is text already', () => ({ task: '{"a":1}' }), at('$.task'), 'refused'],
  ['cycle', ring, JSON_ROOT, 'refused'],
  ['a string', () => 'text', JSON_ROOT],
  ['minus zero', () => [-0], JSON_ROOT, 'refused'],
  ['undefined inside', () => ({ a: undefined }), JSON_ROOT, 'refused'],
  ['shared reference', twice, JSON_ROOT, ['$.b shared reference became a copy']],
  ['NaN', () => [Number.NaN], JSON_ROOT, 'refused'],
  ['a text of its own', () => [Object.create(TO_JSON)], JSON_ROOT, 'refused'],
];

export const parseText: Case[] = [
  ['object', () => '{"a":[1,2,{"b":null}]}', { path: '$' }],
  ['own __proto__', () => '{"__proto__":{"a":1}}', { path: '$' }],
  ['not JSON', () => 'hello {', { path: '$' }, 'refused'],
  ['no text', () => ({ a: 1 }), { path: '$' }, 'refused'],
  ['white space', () => '{ "a": 1 }', { path: '$' }, 'refused'],
];

export const ownString: Case[] = [
  ['root', () => `a${big(999)}b`.slice(1, 400), formed('own', '$')],
  ['rows', () => [{ s: big(300) }, { s: 'short' }, { s: 4 }, {}, null], formed('own', '$[*].s')],
  ['lone surrogates', () => `\ud800${big(300)}\udc00`, formed('own', '$')],
  ['narrow', () => `ü\u4e00${big(300)}`.slice(2), formed('narrow', '$')],
  ['narrow odd text', () => ['\ud800', '\u0000"\\', '', '\u2029'], formed('narrow', '$[*]')],
];

export const unwrapString: Case[] = [
  ['alone', () => ({ task: { s: big(300) } }), formed('bare', '$.task.s')],
  ['not alone', () => ({ task: { s: big(300), n: 1 } }), formed('bare', '$.task.s'), 'refused'],
  ['not alone above', () => ({ n: 1, task: { s: 'x' } }), formed('bare', '$.task.s'), 'refused'],
  ['beside others', () => ({ id: 7, task: { s: big(300), n: [1] } }), formed('beside', '$.task.s')],
  [
    'several',
    () => ({ 'a b': big(300), x: { '"': big(400), toString: big(3) } }),
    formed('beside', '$["a b"]', '$.x["\\""]', '$.x.toString'),
  ],
  ['lone surrogates', () => ({ a: { s: '\ud800\u0000', t: '\udc00' } }), formed('beside', '$.a.s')],
  ['looks like the message', () => ({ rest: '{}', text0: { s: 'x' } }), formed('beside', '$.text0.s')],
  ['no string there', () => ({ task: { s: 1 } }), formed('beside', '$.task.s'), 'refused'],
  ['a path through __proto__', () => ({}), formed('bare', '$.__proto__.s'), 'refused'],
  ['undefined in the rest', () => ({ s: 'x', u: undefined }), formed('beside', '$.s'), 'refused'],
  ['own __proto__ in the rest', () => withProto('{"s":"x","__proto__":{"a":1}}'), formed('beside', '$.s')],
];

export const base64: Case[] = [
  ['root', () => bytes(1, 2, 255), at('$')],
  ['more than the arguments of a call', () => new Uint8Array(20_001).map((_, i) => i * 7), at('$')],
  [
    'every type',
    () => [
      new Int8Array([-1]),
      new Uint8ClampedArray([300]),
      new Float64Array([Number.NaN, -0]),
      new BigInt64Array([-1n]),
      new DataView(bytes(1, 2, 3).buffer),
      bytes(4, 5).buffer,
      null,
      'text',
    ],
    at('$[*]'),
  ],
  [
    'parts of larger buffers',
    () => ({ v: part(), w: new DataView(new ArrayBuffer(9), 1, 3) }),
    at('$.v', '$.w'),
  ],
  ['in rows', () => [{ n: 1, b: bytes(1) }, { n: 2 }, { b: null }, 3], at('$[*].b')],
  ['Buffer', () => ({ b: Buffer.from('pooled') }), at('$.b')],
  ['an object that looks alike', () => ({ b: { base64: 'AA==', type: 'x' } }), at('$.b'), 'refused'],
  ['an object with one such key', () => ({ b: { base64: 'AA==' } }), at('$.b')],
  ['views that overlap', overlapping, at('$[*]'), ['$[1] shared buffer became a copy']],
];

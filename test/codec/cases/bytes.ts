/** Rewrites of buffers, views and images. */
import { at, bytes, type Case, formed, ODD, overlapping, part } from './objects.ts';

export const transfer: Case[] = [
  ['root view', () => bytes(1, 2, 3), at('$')],
  ['root buffer', () => bytes(1, 2).buffer, at('$')],
  ['rows', () => [{ b: bytes(1) }, { b: bytes(2).buffer }, { b: null }, {}, 5], at('$[*].b')],
  ['an array without a prototype', () => Object.setPrototypeOf([bytes(1)], null), at('$[*]')],
  [
    'one buffer twice',
    () => {
      const one = bytes(1, 2);
      return { a: one, b: one, c: one.buffer, d: new DataView(one.buffer) };
    },
    at('$.a', '$.b', '$.c', '$.d'),
  ],
  ['a part of a buffer is copied', () => ({ v: part() }), at('$.v')],
  [
    'shared memory stays',
    () => [new SharedArrayBuffer(4), new Uint8Array(new SharedArrayBuffer(4))],
    at('$[*]'),
  ],
  [
    'in a Map and a Set',
    () => ({ m: new Map([[bytes(1), bytes(2)]]), s: new Set([bytes(3)]) }),
    at(['$.m', 'key}'].join('{'), ['$.m', 'value}'].join('{'), ['$.s', 'member}'].join('{')),
  ],
  ['map-like', () => ({ a: bytes(1), __proto__: null, b: bytes(2) }), at('$.*')],
  ['odd keys', () => ({ ...ODD, '"': bytes(1) }), at('$["\\""]', '$.toString', '$["a b"].c')],
  [
    'own __proto__',
    () => Object.defineProperty({}, '__proto__', { value: bytes(1), enumerable: true }),
    at('$.__proto__'),
  ],
  [
    'named',
    () => ({ v: bytes(1), in: { b: bytes(2).buffer } }),
    { ...at('$.v', '$.in.b'), inline: ['view', 'buffer'] },
  ],
  ['node buffer of the pool', () => ({ b: Buffer.from('pooled') }), at('$.b')],
];

export const sliceView: Case[] = [
  ['root', () => part(), formed('copied', '$')],
  [
    'moved',
    () => ({ v: part(), w: new DataView(new ArrayBuffer(9), 1, 3) }),
    formed('transferred', '$.v', '$.w'),
  ],
  [
    'every type',
    () => [
      new Int8Array(new ArrayBuffer(32), 8, 2),
      new Float64Array(new ArrayBuffer(32), 8, 2).fill(-0),
      new BigInt64Array(new ArrayBuffer(32), 8, 2),
      new Uint8ClampedArray(new ArrayBuffer(3), 1, 1),
      part(),
      null,
    ],
    formed('transferred', '$[*]'),
  ],
  ['a whole view beside a part', () => ({ v: part(), w: bytes(1, 2) }), formed('transferred', '$.v', '$.w')],
  ['inline', () => ({ v: part() }), { ...at('$.v'), form: 'transferred', inline: 'slice' }],
  [
    'inline node buffer',
    () => ({ b: { c: Buffer.from('pooled') } }),
    { ...at('$.b.c'), form: 'transferred', inline: 'Uint8Array.prototype.slice' },
  ],
  ['node buffer of the pool', () => ({ b: Buffer.from('pooled') }), formed('transferred', '$.b')],
  ['empty view', () => new Uint8Array(new ArrayBuffer(8), 4, 0), formed('transferred', '$')],
  ['shared memory', () => new Uint8Array(new SharedArrayBuffer(8), 0, 4), formed('copied', '$'), 'refused'],
  ['views that overlap', overlapping, formed('copied', '$[*]'), ['$[1] shared buffer became a copy']],
  [
    'neighbours',
    () => {
      const one = new ArrayBuffer(64);
      return [new Uint8Array(one, 0, 4), new Uint8Array(one, 4, 4)];
    },
    formed('transferred', '$[*]'),
  ],
];

export const share: Case[] = [
  ['view', () => new Float64Array([1, -0, Number.NaN]), at('$')],
  ['part', () => ({ v: part(), d: new DataView(new ArrayBuffer(9), 2, 3) }), at('$.v', '$.d')],
  ['rows', () => [{ v: bytes(1) }, { v: null }, {}, 3], at('$[*].v')],
  ['shared already', () => new Uint8Array(new SharedArrayBuffer(4)), at('$'), 'refused'],
  ['views that overlap', overlapping, at('$[*]'), ['$[1] shared buffer became a copy']],
];

const LARGE = 256 * 1024;
const large = (first = 7) => new Uint8Array(LARGE).fill(first);

export const blob: Case[] = [
  ['root', () => large(), at('$')],
  ['fewer bytes', () => new Uint8Array(LARGE - 1), at('$')],
  [
    'every type',
    () => [
      new Int8Array(LARGE).fill(-1),
      new Uint8ClampedArray(LARGE),
      new Float64Array(LARGE / 8).fill(-0),
      new BigInt64Array(LARGE / 8).fill(-1n),
      new DataView(large().buffer),
      large().buffer,
      null,
      'text',
    ],
    at('$[*]'),
  ],
  [
    'a part of a larger buffer',
    () => ({ v: new Uint16Array(new ArrayBuffer(4 * LARGE), 2, LARGE) }),
    at('$.v'),
  ],
  ['shared memory', () => ({ s: new Uint8Array(new SharedArrayBuffer(LARGE)) }), at('$.s')],
  [
    'an object that looks alike',
    () => ({ b: { blob: new Blob(['x']), type: 'x' }, c: large() }),
    at('$.b', '$.c'),
    'refused',
  ],
];

/** Those of a real ImageData are in runtimes/browser/measure: only browsers have one. */
export const imageBuffer: Case[] = [
  ['other values', () => [{ data: [1], width: 1 }, null, 'text'], at('$[*]')],
  ['absent', () => ({ a: 1 }), at('$.tile', '$.next.tile')],
  ['under ids', () => ({ a: { tile: 1 }, b: {} }), at('$.*.tile')],
  [
    'an object that looks like a message',
    () => ({ tile: { imageData: new ArrayBuffer(4) } }),
    at('$.tile'),
    'refused',
  ],
];

import { at, bytes, type Case, part } from './build.ts';

export const base64: Case[] = [
  ['root', () => bytes(1, 2, 255), at('$'), []],
  ['empty', () => new Uint8Array(0), at('$'), []],
  ['more than the arguments of a call', () => new Uint8Array(20_001).map((_, i) => i * 7), at('$'), []],
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
    [],
  ],
  [
    'parts of larger buffers',
    () => ({ v: part(), w: new DataView(new ArrayBuffer(9), 1, 3) }),
    at('$.v', '$.w'),
    [],
  ],
  ['in rows', () => [{ n: 1, b: bytes(1) }, { n: 2 }, { b: null }, 3], at('$[*].b'), []],
  ['nested', () => ({ a: { b: { c: bytes(9) }, d: [bytes(8)] } }), at('$.a.b.c', '$.a.d[*]'), []],
  ['Buffer', () => ({ b: Buffer.from('pooled') }), at('$.b'), []],
  ['an object that looks alike', () => ({ b: { base64: 'AA==', type: 'x' } }), at('$.b'), 'refused'],
  ['an object with one such key', () => ({ b: { base64: 'AA==' } }), at('$.b'), []],
  [
    'views that overlap',
    () => {
      const one = new ArrayBuffer(64);
      return [part(one), part(one)];
    },
    at('$[*]'),
    ['$[1] shared buffer became a copy'],
  ],
];

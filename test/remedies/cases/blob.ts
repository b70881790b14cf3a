import { at, type Case } from './build.ts';

const LARGE = 256 * 1024;
const large = (first = 7) => new Uint8Array(LARGE).fill(first);

export const blob: Case[] = [
  ['root', () => large(), at('$'), []],
  ['fewer bytes', () => new Uint8Array(LARGE - 1), at('$'), []],
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
    [],
  ],
  [
    'a part of a larger buffer',
    () => ({ v: new Uint16Array(new ArrayBuffer(4 * LARGE), 2, LARGE) }),
    at('$.v'),
    [],
  ],
  ['in rows', () => [{ n: 1, b: large(1) }, { n: 2 }, { b: null }, { b: large(2) }, 3], at('$[*].b'), []],
  ['nested', () => ({ a: { b: { c: large(9) }, d: [large(8)] } }), at('$.a.b.c', '$.a.d[*]'), []],
  ['by many keys', () => ({ x: large(1), y: large(2) }), at('$.*'), []],
  ['shared memory', () => ({ s: new Uint8Array(new SharedArrayBuffer(LARGE)) }), at('$.s'), []],
  [
    'an object that looks alike',
    () => ({ b: { blob: new Blob(['x']), type: 'x' }, c: large() }),
    at('$.b', '$.c'),
    'refused',
  ],
];

import { at, bytes, type Case, ODD, part } from './build.ts';

export const transfer: Case[] = [
  ['root view', () => bytes(1, 2, 3), at('$'), []],
  ['root buffer', () => bytes(1, 2).buffer, at('$'), []],
  ['rows', () => [{ b: bytes(1) }, { b: bytes(2).buffer }, { b: null }, {}, 5], at('$[*].b'), []],
  [
    'one buffer twice',
    () => {
      const one = bytes(1, 2);
      return { a: one, b: one, c: one.buffer, d: new DataView(one.buffer) };
    },
    at('$.a', '$.b', '$.c', '$.d'),
    [],
  ],
  ['a part of a buffer is copied', () => ({ v: part() }), at('$.v'), []],
  [
    'shared memory stays',
    () => [new SharedArrayBuffer(4), new Uint8Array(new SharedArrayBuffer(4))],
    at('$[*]'),
    [],
  ],
  [
    'in a Map and a Set',
    () => ({ m: new Map([[bytes(1), bytes(2)]]), s: new Set([bytes(3)]) }),
    at(['$.m', 'key}'].join('{'), ['$.m', 'value}'].join('{'), ['$.s', 'member}'].join('{')),
    [],
  ],
  ['map-like', () => ({ a: bytes(1), __proto__: null, b: bytes(2) }), at('$.*'), []],
  ['odd keys', () => ({ ...ODD, '"': bytes(1) }), at('$["\\""]', '$.toString', '$["a b"].c'), []],
  [
    'own __proto__',
    () => Object.defineProperty({}, '__proto__', { value: bytes(1), enumerable: true }),
    at('$.__proto__'),
    [],
  ],
  [
    'named',
    () => ({ v: bytes(1), in: { b: bytes(2).buffer } }),
    { ...at('$.v', '$.in.b'), inline: ['view', 'buffer'] },
    [],
  ],
  ['a named root', () => bytes(1).buffer, { ...at('$'), inline: ['buffer'] }, []],
  ['named by an odd key', () => ({ ...ODD, '"': bytes(1) }), { ...at('$["\\""]'), inline: ['view'] }, []],
  ['empty', () => [], at('$[*]'), []],
  ['node buffer of the pool', () => ({ b: Buffer.from('pooled') }), at('$.b'), []],
];

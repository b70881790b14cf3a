import { at, bytes, type Case, part } from './build.ts';

export const share: Case[] = [
  ['view', () => new Float64Array([1, -0, Number.NaN]), at('$'), []],
  ['buffer', () => ({ b: bytes(1, 2, 3).buffer }), at('$.b'), []],
  ['part', () => ({ v: part(), d: new DataView(new ArrayBuffer(9), 2, 3) }), at('$.v', '$.d'), []],
  ['rows', () => [{ v: bytes(1) }, { v: null }, {}, 3], at('$[*].v'), []],
  ['empty', () => new Uint8Array(0), at('$'), []],
  ['shared already', () => new Uint8Array(new SharedArrayBuffer(4)), at('$'), 'refused'],
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

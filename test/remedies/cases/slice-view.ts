import { at, bytes, type Case, part } from './build.ts';

export const sliceView: Case[] = [
  ['root', () => part(), { ...at('$'), form: 'copied' }, []],
  [
    'moved',
    () => ({ v: part(), w: new DataView(new ArrayBuffer(9), 1, 3) }),
    { ...at('$.v', '$.w'), form: 'transferred' },
    [],
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
    { ...at('$[*]'), form: 'transferred' },
    [],
  ],
  [
    'a whole view beside a part',
    () => ({ v: part(), w: bytes(1, 2) }),
    { ...at('$.v', '$.w'), form: 'transferred' },
    [],
  ],
  ['inline', () => ({ v: part() }), { ...at('$.v'), form: 'transferred', inline: 'slice' }, []],
  ['inline root', () => part(), { ...at('$'), form: 'copied', inline: 'slice' }, []],
  [
    'inline node buffer',
    () => ({ b: { c: Buffer.from('pooled') } }),
    { ...at('$.b.c'), form: 'transferred', inline: 'Uint8Array.prototype.slice' },
    [],
  ],
  ['whole already', () => bytes(1, 2), { ...at('$'), form: 'copied' }, []],
  [
    'node buffer of the pool',
    () => ({ b: Buffer.from('pooled') }),
    { ...at('$.b'), form: 'transferred' },
    [],
  ],
  ['empty view', () => new Uint8Array(new ArrayBuffer(8), 4, 0), { ...at('$'), form: 'transferred' }, []],
  [
    'shared memory',
    () => new Uint8Array(new SharedArrayBuffer(8), 0, 4),
    { ...at('$'), form: 'copied' },
    'refused',
  ],
  [
    'views that overlap',
    () => {
      const one = new ArrayBuffer(64);
      return [part(one), part(one)];
    },
    { ...at('$[*]'), form: 'copied' },
    ['$[1] shared buffer became a copy'],
  ],
  [
    'neighbours',
    () => {
      const one = new ArrayBuffer(64);
      return [new Uint8Array(one, 0, 4), new Uint8Array(one, 4, 4)];
    },
    { ...at('$[*]'), form: 'transferred' },
    [],
  ],
];

import { at, type Case } from './build.ts';

/** Those of a real ImageData are in runtimes/browser/measure: only browsers have one. */
export const imageBuffer: Case[] = [
  ['other values', () => [{ data: [1], width: 1 }, null, 'text'], at('$[*]'), []],
  ['no values', () => [], at('$[*]'), []],
  ['absent', () => ({ a: 1 }), at('$.tile', '$.next.tile'), []],
  ['under ids', () => ({ a: { tile: 1 }, b: {} }), at('$.*.tile'), []],
  [
    'an object that looks like a message',
    () => ({ tile: { imageData: new ArrayBuffer(4) } }),
    at('$.tile'),
    'refused',
  ],
];

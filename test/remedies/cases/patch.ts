import { bytes, type Case, orders, ring, rows, twice, withProto } from './build.ts';

const PLAN = { path: '$' };

/** First messages, which are whole: what follows them is in `test/remedies/patch`. */
export const patch: Case[] = [
  ['orders', orders, PLAN, []],
  ['a list', () => rows(9, (i) => ({ id: i, name: `n${i}`, at: new Date(i) })), PLAN, []],
  ['an object at two places', twice, PLAN, []],
  ['a circle', ring, PLAN, []],
  ['a key __proto__', () => withProto('{"__proto__":{"a":1},"b":[1]}'), PLAN, []],
  ['bytes', () => ({ a: bytes(8), n: -0, none: undefined }), PLAN, []],
  ['a text', () => 'text', PLAN, []],
];

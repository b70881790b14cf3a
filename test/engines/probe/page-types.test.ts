/** Built-in types as a page finds them, against those of node:util, on values of this realm and of another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types as known } from 'node:util';
import { runInNewContext } from 'node:vm';
import { pageTypes } from '../../../src/engines/probe/page-types.ts';

const { types } = pageTypes(null);

const VALUES = `[
  {}, [], null, undefined, 1, 'text', Symbol('s'), 1n, () => 1, class {}, Object.create(null),
  new Date(), new Date(NaN), new Map(), new Set(), new WeakMap(), new WeakSet(), new WeakRef({}), /x/g,
  new Error('e'), new TypeError('t'), new AggregateError([]), Promise.resolve(), new ArrayBuffer(4),
  new SharedArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Uint8Array(4),
  Object(1), Object('s'), Object(true), Object(1n), Object(Symbol('s')),
  (function () { return arguments; })(1, 2), (function* () {})(),
  new Map().entries(), new Set().values(), [][Symbol.iterator](), ''[Symbol.iterator](),
  Object.prototype, RegExp.prototype, Date.prototype, Map.prototype, Error.prototype, Promise.prototype,
  new (class extends Map {})(), new (class extends Date {})(), new (class extends Error {})(),
  { [Symbol.toStringTag]: 'Map' }, { [Symbol.toStringTag]: 'Error' }, { [Symbol.toStringTag]: 'Arguments' },
  Object.create(Map.prototype), Object.create(Date.prototype), Object.create(Error.prototype),
  Object.create(RegExp.prototype), Object.create(Number.prototype),
  ...[new Date(), /x/, new Error(), Object('s')].map((one) => Object.setPrototypeOf(one, Object.prototype)),
]`;

/** Found by prototypes of one realm alone: their methods would change them. */
const OF_THIS_REALM = ['isPromise', 'isGeneratorObject', 'isMapIterator', 'isSetIterator'];
/** Not to be told from an object that is made with the prototype alone. */
const ONLY_MADE_WITH = (value: unknown) =>
  typeof value === 'object' && value !== null && value === Promise.prototype;

type Tests = Record<string, ((value: unknown) => boolean) | undefined>;

for (const [realm, values] of [
  ['this realm', new Function(`return ${VALUES}`)() as unknown[]],
  ['another realm', runInNewContext(VALUES) as unknown[]],
] as const) {
  for (const [name, isType] of Object.entries(types as Tests)) {
    const asked = realm === 'another realm' && OF_THIS_REALM.includes(name) ? undefined : isType;
    if (asked === undefined || name === 'isProxy') continue;
    test(`${name} in ${realm}`, () => {
      const expected = (known as unknown as Tests)[name]!;
      for (const [at, value] of values.entries())
        if (!ONLY_MADE_WITH(value)) assert.equal(asked(value), expected(value), `value ${at}`);
    });
  }
}

test('type tests run no getters and no traps, except traps of a Proxy that cannot be detected', () => {
  const touched: string[] = [];
  const value = Object.defineProperty({}, Symbol.toStringTag, {
    get: () => touched.push('toStringTag') && 'Map',
  });
  for (const isType of Object.values(types as Tests)) isType?.(value);
  assert.deepEqual(touched, []);
});

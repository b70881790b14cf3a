/** Built-in types as a page finds them, against those of node:util, on values of this realm and of another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types as known } from 'node:util';
import { runInNewContext } from 'node:vm';
import { runningBrowser } from '../../../src/engines/probe/browser.ts';
import { nearest, stringPath } from '../../../src/engines/probe/page-probe.ts';
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

// Browsers as they call themselves.

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = [{ brand: 'Not A;Brand' }, { brand: 'Google Chrome' }];

const ROWS: [userAgent: string, told: string, brands?: { brand: string }[]][] = [
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36`, 'chromium 140.0.0.0 v8'],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36`, 'chrome 140.0.0.0 v8', CHROME],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'edge 140.0.0.0 v8'],
  [`${WINDOWS} Chrome/139.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'opera 139.0.0.0 v8'],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'samsung 130.0.0.0 v8',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox 140.0 spidermonkey'],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'safari 18.1 webkit'],
  [`${IPHONE} Version/18.1.1 Mobile/15E148 Safari/604.1`, 'safari 18.1.1 webkit'],
  // All browsers of iOS are Safari beneath.
  [`${IPHONE} CriOS/140.0.1 Mobile/15E148 Safari/604.1`, 'webkit 18.1.1 webkit'],
  [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/604.1`, 'webkit 18.1.1 webkit'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15',
    'webkit 60.5 webkit',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101', 'firefox 0 spidermonkey'],
  ['Something/1.0', 'webkit 0 webkit'],
  ['', 'webkit 0 webkit'],
];

for (const [userAgent, told, brands] of ROWS) {
  test(`${told}: ${userAgent}`, () => {
    const navigator = { userAgent, ...(brands && { userAgentData: { brands } }) };
    const found = runningBrowser({ navigator });
    assert.equal(`${found.brand ?? found.name} ${found.version} ${found.engine}`, told);
  });
}

/** Times of one clone: the string, a shared control, a copied one. */
const CASES: [own: number, shared: number, copied: number, expected: string | null][] = [
  [1, 1, 100, 'string-shared'],
  [2, 1, 100, 'string-shared'],
  [100, 1, 100, 'string-copied'],
  // Between the two.
  [10, 1, 100, null],
  // The controls do not separate, or the clock stands still.
  [1, 1, 3, null],
  [100, Number.NaN, 100, null],
  [Number.NaN, 1, 100, null],
  [0, 1, 100, null],
];

test('a string is what the nearer control is', () => {
  for (const [own, shared, copied, expected] of CASES)
    assert.equal(nearest(own, shared, copied), expected, `${own} between ${shared} and ${copied}`);
});

test('short strings are never asked', () => {
  assert.equal(stringPath('x'.repeat(2047)), null);
  assert.equal(stringPath('ж'.repeat(127)), null);
});

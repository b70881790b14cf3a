import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../../src/model/documents/measurement.ts';
import type { RecordedMessages, Site } from '../../../src/model/documents/recorded/recording.ts';
import * as sites from '../../../src/record/sites/sites.ts';
import { measurement, messages } from '../../make.ts';

const { areNew, costsOf, heaviest, keepsBuffers, perMessageNs } = sites;
const { placeOfSite, sendWeights, siteNames, sitesNamed, sizeDifference } = sites;

const frameAt = (file: string, line = 1) => ({ file, line, column: 1, name: null });
const user = (file: string, line?: number): { site: Site; api: 'Worker.postMessage' } => ({
  site: { user: frameAt(file, line), library: null },
  api: 'Worker.postMessage',
});
const library = (name: string, file: string) => ({
  site: { user: null, library: { name, version: '1.0.0', frame: frameAt(file, 9) } },
  api: 'MessagePort.postMessage' as const,
});
const nowhere = { site: { user: null, library: null }, api: 'process.send' as const };

const NAMES: [what: string, sites: Parameters<typeof siteNames>[0], names: string[]][] = [
  ['a path that is the end of another', [user('pool.js'), user('b/pool.js')], ['pool.js:1', 'b/pool.js:1']],
  ['shapes of one site', [user('a.js'), user('b.js'), user('a.js')], ['a.js:1', 'b.js:1', 'a.js:1#2']],
  [
    'the package where no frame is of the program',
    [
      library('piscina', 'node_modules/piscina/dist/index.js'),
      library('@a/b', 'x/node_modules/@a/b/index.js'),
    ],
    ['dist/index.js:9', 'b/index.js:9'],
  ],
  ['a library elsewhere', [library('piscina', 'vendored/index.js')], ['piscina index.js:9']],
];

for (const [what, sites, names] of NAMES) {
  test(`names: ${what}`, () => assert.deepEqual(siteNames(sites), names));
}

test('names of sites are distinct, even for odd file names', () => {
  const odd = ['', '/', '//', 'a:1', 'a:1#2', 'a', 'x/a', 'x//a', '#2'];
  const files = [...odd, 'a/'.repeat(50), `b/${'a/'.repeat(50)}`];
  const names = siteNames([...files, ...files].map((file) => user(file)));
  assert.equal(new Set(names).size, names.length, names.join(' | '));
});

test('ten thousand files of one name are named at once', () => {
  const names = siteNames(Array.from({ length: 10_000 }, (_, i) => user(`${'d/'.repeat(40)}${i}/index.js`)));
  assert.equal(new Set(names).size, 10_000);
  assert.equal(names[7], '7/index.js:1');
});

test('--site means a name in the report, else file and line, library, or the called function', () => {
  const pooled = library('piscina', 'node_modules/piscina/dist/index.js');
  const all = [user('src/pool.js', 4), user('src/pool.js', 4), user('src/pool.js', 41), pooled, nowhere];
  const rows: [text: string, found: number[]][] = [
    ['pool.js:4', [0]],
    ['pool.js:4#2', [1]],
    ['pool.js:41', [2]],
    ['pool.js:', [0, 1, 2]],
    ['piscina', [3]],
    ['process.send', [4]],
    ['pool.js:42', []],
  ];
  for (const [text, found] of rows) assert.deepEqual(sitesNamed(all, text), found, text);
  assert.equal(placeOfSite(pooled), 'piscina/dist/index.js:9');
});

// Cost of the sites.

const sent = (total: number, more: Partial<RecordedMessages> = {}) =>
  messages({ send: { timed: 10, median: 1, max: 1, total, long: 0 }, ...more });
const size = (total: number) => ({ total, ci: [total, total] as [number, number], max: total });
const untimed = (more: Partial<RecordedMessages>) => messages({ send: null, ...more });

const estimate = (median: number) => ({ median, ci: [median, median] as [number, number] });
const measured = (ns: number): Measurement =>
  measurement(1000, { send: estimate(ns), receive: estimate(ns) });

const WEIGHTS: [what: string, sites: RecordedMessages[], weights: number[]][] = [
  [
    'untimed by bytes, as the timed',
    [sent(300, { bytes: size(100) }), untimed({ bytes: size(50) })],
    [300, 150],
  ],
  [
    'neither timed nor sized: nothing',
    [sent(300, { count: 10 }), untimed({ bytes: null, count: 4 })],
    [300, 0],
  ],
  ['nothing timed: bytes alone', [untimed({ bytes: size(7) }), untimed({ bytes: size(9) })], [7, 9]],
];

for (const [what, sites, weights] of WEIGHTS) {
  test(`weights: ${what}`, () => assert.deepEqual(sendWeights(sites), weights));
}

const HEAVIEST: [what: string, weights: number[], top: number | null, indices: number[]][] = [
  ['95 % of the cost', [1, 90, 6, 3], null, [1, 2]],
  ['at most ten', Array<number>(30).fill(1), null, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['as many as asked for', [1, 90, 6, 3], 3, [1, 2, 3]],
  ['nothing known: one is still shown', [0, 0], null, [0]],
];

for (const [what, weights, top, indices] of HEAVIEST) {
  test(`heaviest: ${what}`, () => assert.deepEqual(heaviest(weights, top), indices));
}

const PER_MESSAGE: [what: string, api: RecordedMessages['api'], times: Measurement['floor'], ns: number][] = [
  ['send and receive', 'Worker.postMessage', { roundTrip: 1000, send: 200, receive: 300 }, 500],
  ['half the round trip', 'BroadcastChannel.postMessage', { roundTrip: 1000, send: 200, receive: null }, 500],
  ['a structured clone is one call', 'structuredClone', { roundTrip: 1000, send: 1000, receive: null }, 1000],
];

for (const [what, api, times, ns] of PER_MESSAGE) {
  test(`per message: ${what}`, () => assert.equal(perMessageNs(api, times), ns));
}

test('shares of what was measured and of the time of calls add up to 1 each, those left out too', () => {
  const sites = [
    { posted: sent(2e6, { count: 1000 }), measurement: measured(2000) },
    { posted: sent(1e6, { count: 10 }), measurement: null },
  ];
  const { costs, leftShare } = costsOf(sites, 3e6);
  assert.deepEqual(costs, [
    { perMessageNs: 4000, totalMs: 4, share: 1, of: 'measured' },
    { perMessageNs: 1e5, totalMs: 1, share: 1 / 6, of: 'send' },
  ]);
  assert.equal(leftShare, 0.5);
});

// Their messages, posted again.

const { transfer } = messages();
const SIZES: [why: string, copied: number, typicalBytes: number | null, listed: number, isTold: boolean][] = [
  ['nearly as large', 1090, 1000, 0, false],
  ['too small', 1500, 28_700, 0, true],
  ['too large', 1200, 1000, 0, true],
  ['a few bytes', 20, 10, 0, false],
  ['of unknown size', 20, null, 0, false],
  ['what is moved has no bytes', 5000, 100, 1, false],
];
for (const [why, copied, typicalBytes, listed, isTold] of SIZES)
  test(`a value made of a shape: ${why}`, () => {
    const difference = sizeDifference(copied, { typicalBytes, transfer: { ...transfer, listed } });
    assert.equal(difference !== null, isTold);
  });

const bytes = (max: number) => ({ ...size(100 * max), max });
const NEW: [what: string, posted: Parameters<typeof areNew>[0], are: boolean][] = [
  ['another object each time', { count: 100, sameObject: 0, bytes: bytes(20_000) }, true],
  ['one object that is reused', { count: 100, sameObject: 99, bytes: bytes(20_000) }, false],
  ['small messages', { count: 100, sameObject: 0, bytes: bytes(500) }, false],
  ['messages of unknown size', { count: 100, sameObject: 0, bytes: null }, false],
];
for (const [what, posted, are] of NEW)
  test(`values that are measured new: ${what}`, () => assert.equal(areNew(posted), are));

/** Then no rewrite that transfers is proven for the site. */
const KEPT: [what: string, possible: number, messages: number, keeps: boolean][] = [
  ['memory of WebAssembly, in each message', 1, 20, true],
  ['a buffer for each message', 20, 20, false],
];
for (const [what, possible, seen, keeps] of KEPT)
  test(`buffers that the sender needs: ${what}`, () =>
    assert.equal(keepsBuffers({ transfer: { ...transfer, possible, messages: seen } }), keeps));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../../src/model/documents/measurement.ts';
import type { RecordedMessages, Site } from '../../../src/model/documents/recorded/recording.ts';
import type { TrafficFinding } from '../../../src/model/documents/recorded/traffic.ts';
import { TRAFFIC_RULES } from '../../../src/model/vocabulary/traffic.ts';
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

// Problems in the way that they are posted.

const moved = (more: Partial<typeof transfer>) => ({ transfer: { ...transfer, ...more } });
const sized = (total: number) => ({ bytes: size(total) });
const changed = (compared: number, same: number, equal: number, ...paths: string[]) => ({
  changes: { compared, same, equal, paths: paths.map((path) => ({ path, count: 4 })) },
});
const equal = (same: number) => changed(100, same, same / 100);

const longCalls = (calls = 64) => ({ send: { timed: calls, median: 5000, max: 31e6, total: 6e6, long: 3 } });
const slowSend = (total: number) => ({ send: { timed: 64, median: 5000, max: 31e6, total, long: 0 } });

/** 1,200 messages of 10 µs each. */
const COST: sites.LintContext = {
  cost: { perMessageNs: 10_000, totalMs: 12, share: 1, of: 'send' },
  measurement: null,
};
/** An empty message takes 40 µs there and back, and costs both threads 8 of them. */
const timed = (perMessageNs: number): sites.LintContext => ({
  cost: { perMessageNs, totalMs: (1200 * perMessageNs) / 1e6, share: 1, of: 'measured' },
  measurement: measurement(4 * perMessageNs, {
    send: estimate(perMessageNs / 2),
    receive: estimate(perMessageNs / 2),
    floor: { roundTrip: 40_000, send: 4000, receive: 4000 },
  }),
});

const few = { count: 100, received: 100 };
const often = { times: { stepMs: 100, counts: [600, 600] } };

type Found = Partial<TrafficFinding>[];
type Row = [what: string, posted: Partial<RecordedMessages>, found: Found, context?: sites.LintContext];

const COPYING = ['process.send', 'BroadcastChannel.postMessage', 'ServiceWorker.postMessage'] as const;

/** The site of `messages()` posts 1,200 messages of 1,000 bytes, 100 of which were looked at, and has nothing wrong. */
const LINTS: Row[] = [
  [
    'a state that is sent again and again',
    changed(5, 0, 0.97, '$.session.lastSeen'),
    [{ rule: 'mostly-same', count: 5, equal: 0.97, paths: ['$.session.lastSeen'], savesMs: 11.6303 }],
  ],
  ['a small state that is sent again', { ...changed(5, 0, 0.97), ...sized(400) }, []],
  [
    'buffers that could be transferred, scaled to all messages',
    { ...moved({ messages: 50, possible: 50, possibleBytes: 50_000 }), ...sized(1_200_000) },
    [{ rule: 'transfer-missing', count: 1200, bytes: 1_200_000, savesMs: 12 }],
  ],
  [
    'a buffer that is posted again and again is not transferred',
    { ...moved({ messages: 20, possible: 1, possibleBytes: 65_536 }), ...sized(1_200_000) },
    [],
  ],
  [
    'what a transfer saves is not known where other data is in the message',
    { ...moved({ possible: 100, possibleBytes: 50_000 }), ...sized(1_200_000) },
    [{ rule: 'transfer-missing', bytes: 600_000, savesMs: null }],
  ],
  ...COPYING.map(
    (api): Row => [
      `nothing can be transferred by ${api}`,
      { api, ...moved({ possible: 100, possibleBytes: 100_000 }), ...sized(1_200_000) },
      [],
    ],
  ),
  [
    'to another process only what a view shows is written',
    { api: 'process.send', ...moved({ hiddenBytes: 90_000, pooled: 11 }) },
    [],
  ],
  ['the same without pooled buffers', { api: 'process.send', ...moved({ hiddenBytes: 90_000 }) }, []],
  ['useless entries', moved({ listed: 5, useless: 2 }), [{ rule: 'transfer-useless', count: 2, of: 5 }]],
  [
    'views of larger buffers',
    { ...moved({ hiddenBytes: 90_000 }), ...sized(1_200_000) },
    [{ rule: 'view-of-larger', bytes: 1_080_000, savesMs: 10.8 }],
  ],
  [
    'pooled buffers are not told twice',
    moved({ hiddenBytes: 90_000, pooled: 11 }),
    [{ rule: 'pooled-buffer', count: 132, bytes: 1_080_000 }],
  ],
  [
    'a queue that is still there at the end',
    { queue: { max: 900, last: 800 } },
    [{ rule: 'queue-grows', count: 800 }],
  ],
  ['a queue, emptied', { queue: { max: 900, last: 0 } }, [{ rule: 'queue-long', count: 900 }]],
  ['a short queue', { queue: { max: 15, last: 15 } }, []],
  ['a queue of few among many', { queue: { max: 200, last: 3 } }, []],
  ['equal content', equal(99), [{ rule: 'same-content', count: 99, of: 100, savesMs: 11.8701 }]],
  ['equal content, of which one pair was seen', changed(1, 1, 1), []],
  [
    'the only pair, of equal content',
    { count: 2, ...changed(1, 1, 1) },
    [{ rule: 'same-content', count: 1, of: 1, savesMs: 0.01 }],
  ],
  [
    'one pair of equal content, and the same object each time',
    { sameObject: 1200, ...changed(1, 1, 1) },
    [{ rule: 'same-content', count: 1, of: 1, savesMs: 11.99 }],
  ],
  ['the same object once to each receiver', { count: 4, receivers: 4, sameObject: 4 }, []],
  [
    'the same object again and again to four receivers',
    { receivers: 4, sameObject: 1200 },
    [{ rule: 'same-object', count: 1196, of: 1200, savesMs: 11.96 }],
  ],
  ['equal content by chance', equal(5), []],
  ['equal signals: each is news', equal(99), [], { ...COST, isSignal: true }],
  ['a signal that is always the same object', { sameObject: 1199 }, [], { ...COST, isSignal: true }],
  [
    'calls of 10 s in the program that take 7 ms here are told, and no batch',
    { ...slowSend(10e9), ...often, ...sized(12_000) },
    [{ rule: 'slow-calls', count: 1200, ns: 10e9, hereNs: 7_200_000, savesMs: null }],
    timed(12_000),
  ],
  ['slow calls beside a rewrite', slowSend(10e9), [], { ...timed(12_000), hasRewrite: true }],
  ['calls less than five times as long', slowSend(35e6), [], timed(12_000)],
  ['slow calls for a few ms in all', { ...slowSend(9e6), ...few }, [], timed(2000)],
  ['slow calls, another value measured', slowSend(10e9), [], { ...timed(12_000), isLike: false }],
  ['slow calls of JSON text', { ...slowSend(10e9), api: 'process.send' }, [], timed(12_000)],
  [
    'JSON text that the serializer would beat',
    { api: 'process.send', serialization: 'json' },
    [{ rule: 'advanced-faster', count: 1200, share: 0.25, savesMs: 9 }],
    { ...timed(10_000), faster: { channel: 'ipc-advanced', share: 0.25 } },
  ],
  [
    'a serializer that JSON text would beat',
    { api: 'ChildProcess.send', serialization: 'advanced' },
    [{ rule: 'json-faster', count: 1200, share: 0.5, savesMs: 6 }],
    { ...timed(10_000), faster: { channel: 'ipc-json', share: 0.5 } },
  ],
  [
    'many small messages: 6 a millisecond, 100 a frame',
    { ...sized(12_000), ...often },
    [{ rule: 'chatty', count: 100, of: 1200, savesMs: null }],
  ],
  [
    'many messages that cost little more than an empty one',
    { times: { stepMs: 100, counts: [0, 600, 0, 600] }, ...sized(6e6) },
    [{ rule: 'chatty', count: 100, savesMs: 1200 * 0.99 * 0.008 }],
    timed(12_000),
  ],
  ['too few small messages for a batch', { ...few, count: 99, ...sized(990), ...often }, []],
  ['small ones that cost more than an empty one', { ...often, ...sized(12_000) }, [], timed(100_000)],
  ['no times at all', { times: { stepMs: 0, counts: [] }, ...sized(12_000) }, []],
  [
    'long calls',
    { ...longCalls(), ...sized(1_200_000) },
    [{ rule: 'long-call', count: 3, of: 64, ns: 31e6 }],
  ],
  ['calls that the machine made long: so few bytes take no frame', longCalls(), []],
  ['lost ones', { received: 1100 }, [{ rule: 'not-received', count: 100, of: 1200 }]],
  ['one long call among many', longCalls(640), []],
  ['the last ones lost', { received: 1195 }, []],
  ['counts that may be too low', { received: 1100, estimated: true }, []],
  ['an unknown receiver', { received: null }, []],
];

/** Few at a time, unless the row says otherwise. */
const SELDOM = { times: { stepMs: 100_000, counts: [600, 600] } };

for (const [what, posted, found, context = COST] of LINTS) {
  test(`lint: ${what}`, () => {
    const findings = sites.lintOf(messages({ ...SELDOM, ...posted }), context);
    assert.equal(findings.length, found.length, JSON.stringify(findings));
    for (const [at, wanted] of found.entries()) {
      const { savesMs, ...rest } = wanted;
      assert.deepEqual({ ...findings[at], ...rest }, findings[at]);
      if (savesMs !== undefined)
        assert.ok(isClose(findings[at]!.savesMs, savesMs), `${findings[at]!.savesMs}`);
    }
  });
}

const isClose = (a: number | null, b: number | null) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) < 1e-9);

test('every rule fires in a row above', () => {
  const fired = new Set(LINTS.flatMap(([, , found]) => found.map(({ rule }) => rule)));
  assert.deepEqual([...fired].sort(), [...TRAFFIC_RULES].sort());
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import type { TrafficFinding } from '../../../src/model/documents/recorded/traffic.ts';
import { TRAFFIC_RULES } from '../../../src/model/vocabulary/traffic.ts';
import { type LintContext, lintOf } from '../../../src/record/sites/lint.ts';
import { measurement, messages } from '../../make.ts';

const NO_LINT = messages().transfer;
const transfer = (more: Partial<typeof NO_LINT>) => ({ transfer: { ...NO_LINT, ...more } });
const bytes = (total: number) => ({ bytes: { total, ci: [total, total] as [number, number], max: total } });
const equal = (same: number) => ({ changes: { compared: 100, same, equal: same / 100, paths: [] } });

const slowSend = (total: number) => ({ send: { timed: 64, median: 5000, max: 31e6, total, long: 0 } });

/** 1,200 messages of 10 µs each. */
const COST: LintContext = {
  cost: { perMessageNs: 10_000, totalMs: 12, share: 1, of: 'send' },
  measurement: null,
};
const estimate = (median: number) => ({ median, ci: [median, median] as [number, number] });
/** An empty message takes 40 µs there and back, and costs both threads 8 of them. */
const measured = (perMessageNs: number): LintContext => ({
  cost: { perMessageNs, totalMs: (1200 * perMessageNs) / 1e6, share: 1, of: 'measured' },
  measurement: measurement(4 * perMessageNs, {
    send: estimate(perMessageNs / 2),
    receive: estimate(perMessageNs / 2),
    floor: { roundTrip: 40_000, send: 4000, receive: 4000 },
  }),
});

interface Row {
  what: string;
  posted: Partial<RecordedMessages>;
  context?: LintContext;
  found: Partial<TrafficFinding>[];
}

/** The site of `messages()` posts 1,200 messages of 1,000 bytes, 100 of which were looked at, and has nothing wrong. */
const ROWS: Row[] = [
  { what: 'nothing', posted: {}, found: [] },
  {
    what: 'a state that is sent again and again',
    posted: {
      changes: { compared: 5, same: 0, equal: 0.97, paths: [{ path: '$.session.lastSeen', count: 4 }] },
    },
    found: [
      {
        rule: 'mostly-same',
        count: 5,
        of: 1200,
        equal: 0.97,
        paths: ['$.session.lastSeen'],
        savesMs: 11.6303,
      },
    ],
  },
  {
    what: 'a small state that is sent again and again',
    posted: {
      changes: { compared: 5, same: 0, equal: 0.97, paths: [] },
      bytes: { total: 480_000, ci: [480_000, 480_000], max: 400 },
    },
    found: [],
  },
  {
    what: 'equal messages are told as such, and what differs is not told',
    posted: { changes: { compared: 5, same: 0, equal: 0.4, paths: [] } },
    found: [],
  },
  {
    what: 'buffers that could be transferred, scaled to all messages',
    posted: { ...transfer({ possible: 100, possibleBytes: 100_000 }), ...bytes(1_200_000) },
    found: [{ rule: 'transfer-missing', count: 1200, bytes: 1_200_000, savesMs: 12 }],
  },
  {
    what: 'buffers of the messages that were looked into stand for those of all',
    posted: { ...transfer({ messages: 3, possible: 3, possibleBytes: 3000 }), ...bytes(1_200_000) },
    found: [{ rule: 'transfer-missing', count: 1200, bytes: 1_200_000, savesMs: 12 }],
  },
  {
    what: 'a buffer that is posted again and again is not transferred',
    posted: { ...transfer({ messages: 20, possible: 1, possibleBytes: 65_536 }), ...bytes(1_200_000) },
    found: [],
  },
  {
    what: 'what a transfer saves is not known where other data is in the message',
    posted: { ...transfer({ possible: 100, possibleBytes: 50_000 }), ...bytes(1_200_000) },
    found: [{ rule: 'transfer-missing', bytes: 600_000, savesMs: null }],
  },
  ...(
    [
      'process.send',
      'ChildProcess.send',
      'BroadcastChannel.postMessage',
      'ServiceWorker.postMessage',
    ] as const
  ).map((api) => ({
    what: `nothing can be transferred by ${api}`,
    posted: { api, ...transfer({ possible: 100, possibleBytes: 100_000 }), ...bytes(1_200_000) },
    found: [],
  })),
  {
    what: 'to another process only what a view shows is written',
    posted: { api: 'process.send', ...transfer({ hiddenBytes: 90_000, pooled: 11 }) },
    found: [],
  },
  {
    what: 'useless entries',
    posted: transfer({ listed: 5, useless: 2 }),
    found: [{ rule: 'transfer-useless', count: 2, of: 5 }],
  },
  { what: 'listed and used', posted: transfer({ listed: 5 }), found: [] },
  {
    what: 'views of larger buffers',
    posted: { ...transfer({ hiddenBytes: 90_000 }), ...bytes(1_200_000) },
    found: [{ rule: 'view-of-larger', bytes: 1_080_000, savesMs: 10.8 }],
  },
  {
    what: 'pooled buffers are not told twice',
    posted: transfer({ hiddenBytes: 90_000, pooled: 11 }),
    found: [{ rule: 'pooled-buffer', count: 132, bytes: 1_080_000 }],
  },
  {
    what: 'a queue that is still there at the end',
    posted: { queue: { max: 900, last: 800 } },
    found: [{ rule: 'queue-grows', count: 800 }],
  },
  {
    what: 'a queue, emptied',
    posted: { queue: { max: 900, last: 0 } },
    found: [{ rule: 'queue-long', count: 900 }],
  },
  {
    what: 'a queue of fifteen among twenty, which was emptied',
    posted: { count: 20, queue: { max: 15, last: 0 } },
    found: [],
  },
  {
    what: 'views of larger buffers to another process, which gets what they show',
    posted: { api: 'process.send', ...transfer({ hiddenBytes: 90_000 }) },
    found: [],
  },
  { what: 'a short queue', posted: { queue: { max: 15, last: 15 } }, found: [] },
  { what: 'a queue of few among many', posted: { queue: { max: 200, last: 3 } }, found: [] },
  {
    what: 'equal content',
    posted: equal(99),
    found: [{ rule: 'same-content', count: 99, of: 100, savesMs: 11.8701 }],
  },
  {
    what: 'equal content, of which one pair was seen',
    posted: { changes: { compared: 1, same: 1, equal: 1, paths: [] } },
    found: [],
  },
  {
    what: 'the only pair, of equal content',
    posted: { count: 2, changes: { compared: 1, same: 1, equal: 1, paths: [] } },
    found: [{ rule: 'same-content', count: 1, of: 1, savesMs: 0.01 }],
  },
  {
    what: 'one pair of equal content, and the same object each time',
    posted: { sameObject: 1200, changes: { compared: 1, same: 1, equal: 1, paths: [] } },
    found: [{ rule: 'same-content', count: 1, of: 1, savesMs: 11.99 }],
  },
  {
    what: 'the same object once to each receiver',
    posted: { count: 4, receivers: 4, sameObject: 4 },
    found: [],
  },
  {
    what: 'the same object again and again to four receivers',
    posted: { receivers: 4, sameObject: 1200 },
    found: [{ rule: 'same-object', count: 1196, of: 1200, savesMs: 11.96 }],
  },
  { what: 'equal content by chance', posted: equal(5), found: [] },
  {
    what: 'the same object, of whose content nothing is known',
    posted: { sameObject: 600 },
    found: [{ rule: 'same-object', count: 600, of: 1200, savesMs: 6 }],
  },
  { what: 'the same object a few times', posted: { sameObject: 60 }, found: [] },
  { what: 'equal signals: each is news', posted: equal(99), context: { ...COST, isSignal: true }, found: [] },
  {
    what: 'a signal that is always the same object',
    posted: { sameObject: 1199 },
    context: { ...COST, isSignal: true },
    found: [],
  },
  {
    what: 'calls of 10 s in the program that take 7 ms here are told, and no batch',
    posted: { ...slowSend(10e9), times: { stepMs: 100, counts: [600, 600] }, ...bytes(12_000) },
    context: measured(12_000),
    found: [{ rule: 'slow-calls', count: 1200, ns: 10e9, hereNs: 7_200_000, savesMs: null }],
  },
  {
    what: 'calls of 10 s that take 7 ms here, beside a rewrite that is proven',
    posted: { ...slowSend(10e9), ...bytes(12_000) },
    context: { ...measured(12_000), hasRewrite: true },
    found: [],
  },
  {
    what: 'calls less than five times as long',
    posted: slowSend(35e6),
    context: measured(12_000),
    found: [],
  },
  {
    what: 'calls that took five times as long, a few milliseconds in all',
    posted: { ...slowSend(9e6), count: 100, received: 100 },
    context: measured(2000),
    found: [],
  },
  {
    what: 'slow calls, where another value or engine was measured',
    posted: slowSend(10e9),
    context: { ...measured(12_000), isLike: false },
    found: [],
  },
  {
    what: 'slow calls that sent JSON text, which was not measured',
    posted: { ...slowSend(10e9), api: 'process.send' },
    context: measured(12_000),
    found: [],
  },
  {
    what: 'JSON text that the serializer would beat',
    posted: { api: 'process.send', serialization: 'json' },
    context: { ...measured(10_000), faster: { channel: 'ipc-advanced', share: 0.25 } },
    found: [{ rule: 'advanced-faster', count: 1200, share: 0.25, savesMs: 9 }],
  },
  {
    what: 'a serializer that JSON text would beat',
    posted: { api: 'ChildProcess.send', serialization: 'advanced' },
    context: { ...measured(10_000), faster: { channel: 'ipc-json', share: 0.5 } },
    found: [{ rule: 'json-faster', count: 1200, share: 0.5, savesMs: 6 }],
  },
  {
    what: 'equal content says more than the same object',
    posted: { sameObject: 1199, ...equal(50) },
    found: [{ rule: 'same-content', count: 50 }],
  },
  {
    what: 'many small messages: 6 a millisecond, 100 a frame',
    posted: { ...bytes(12_000), times: { stepMs: 100, counts: [600, 600] } },
    found: [{ rule: 'chatty', count: 100, of: 1200, savesMs: null }],
  },
  {
    what: 'many messages that cost little more than an empty one',
    posted: { times: { stepMs: 100, counts: [0, 600, 0, 600] }, ...bytes(6e6) },
    context: measured(12_000),
    found: [{ rule: 'chatty', count: 100, savesMs: 1200 * 0.99 * 0.008 }],
  },
  {
    what: 'too few small messages for a batch',
    posted: { count: 99, ...bytes(990), times: { stepMs: 100, counts: [99] } },
    found: [],
  },
  {
    what: 'small ones that cost much more than an empty one',
    posted: { times: { stepMs: 100, counts: [600, 600] }, ...bytes(12_000) },
    context: measured(100_000),
    found: [],
  },
  {
    what: 'small messages now and then',
    posted: { times: { stepMs: 100_000, counts: [600, 600] }, ...bytes(12_000) },
    found: [],
  },
  { what: 'no times at all', posted: { times: { stepMs: 0, counts: [] }, ...bytes(12_000) }, found: [] },
  {
    what: 'long calls',
    posted: { send: { timed: 64, median: 5000, max: 31e6, total: 6e6, long: 3 }, ...bytes(1_200_000) },
    found: [{ rule: 'long-call', count: 3, of: 64, ns: 31e6 }],
  },
  {
    what: 'calls that the machine made long: so few bytes take no frame',
    posted: { send: { timed: 64, median: 5000, max: 31e6, total: 6e6, long: 3 } },
    found: [],
  },
  { what: 'lost ones', posted: { received: 1100 }, found: [{ rule: 'not-received', count: 100, of: 1200 }] },
  {
    what: 'one long call among many',
    posted: { send: { timed: 640, median: 5000, max: 31e6, total: 6e6, long: 3 } },
    found: [],
  },
  { what: 'the last ones lost', posted: { received: 1195 }, found: [] },
  { what: 'counts that may be too low', posted: { received: 1100, estimated: true }, found: [] },
  { what: 'an unknown receiver', posted: { received: null }, found: [] },
  { what: 'more received than sent', posted: { received: 1300 }, found: [] },
];

/** Few at a time, unless the row says otherwise. */
const SELDOM = { times: { stepMs: 100_000, counts: [600, 600] } };

for (const { what, posted, context = COST, found } of ROWS) {
  test(`lint: ${what}`, () => {
    const findings = lintOf(messages({ ...SELDOM, ...posted }), context);
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
  const fired = new Set(ROWS.flatMap(({ found }) => found.map(({ rule }) => rule)));
  assert.deepEqual([...fired].sort(), [...TRAFFIC_RULES].sort());
});

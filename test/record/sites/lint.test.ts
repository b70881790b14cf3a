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
const changed = (compared: number, same: number, equal: number, ...paths: string[]) => ({
  changes: { compared, same, equal, paths: paths.map((path) => ({ path, count: 4 })) },
});
const equal = (same: number) => changed(100, same, same / 100);

const longCalls = (timed = 64) => ({ send: { timed, median: 5000, max: 31e6, total: 6e6, long: 3 } });
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

const few = { count: 100, received: 100 };
const often = { times: { stepMs: 100, counts: [600, 600] } };

type Found = Partial<TrafficFinding>[];
type Row = [what: string, posted: Partial<RecordedMessages>, found: Found, context?: LintContext];

const COPYING = ['process.send', 'BroadcastChannel.postMessage', 'ServiceWorker.postMessage'] as const;

/** The site of `messages()` posts 1,200 messages of 1,000 bytes, 100 of which were looked at, and has nothing wrong. */
const ROWS: Row[] = [
  [
    'a state that is sent again and again',
    changed(5, 0, 0.97, '$.session.lastSeen'),
    [{ rule: 'mostly-same', count: 5, equal: 0.97, paths: ['$.session.lastSeen'], savesMs: 11.6303 }],
  ],
  ['a small state that is sent again', { ...changed(5, 0, 0.97), ...bytes(400) }, []],
  [
    'buffers that could be transferred, scaled to all messages',
    { ...transfer({ messages: 50, possible: 50, possibleBytes: 50_000 }), ...bytes(1_200_000) },
    [{ rule: 'transfer-missing', count: 1200, bytes: 1_200_000, savesMs: 12 }],
  ],
  [
    'a buffer that is posted again and again is not transferred',
    { ...transfer({ messages: 20, possible: 1, possibleBytes: 65_536 }), ...bytes(1_200_000) },
    [],
  ],
  [
    'what a transfer saves is not known where other data is in the message',
    { ...transfer({ possible: 100, possibleBytes: 50_000 }), ...bytes(1_200_000) },
    [{ rule: 'transfer-missing', bytes: 600_000, savesMs: null }],
  ],
  ...COPYING.map(
    (api): Row => [
      `nothing can be transferred by ${api}`,
      { api, ...transfer({ possible: 100, possibleBytes: 100_000 }), ...bytes(1_200_000) },
      [],
    ],
  ),
  [
    'to another process only what a view shows is written',
    { api: 'process.send', ...transfer({ hiddenBytes: 90_000, pooled: 11 }) },
    [],
  ],
  ['the same without pooled buffers', { api: 'process.send', ...transfer({ hiddenBytes: 90_000 }) }, []],
  ['useless entries', transfer({ listed: 5, useless: 2 }), [{ rule: 'transfer-useless', count: 2, of: 5 }]],
  [
    'views of larger buffers',
    { ...transfer({ hiddenBytes: 90_000 }), ...bytes(1_200_000) },
    [{ rule: 'view-of-larger', bytes: 1_080_000, savesMs: 10.8 }],
  ],
  [
    'pooled buffers are not told twice',
    transfer({ hiddenBytes: 90_000, pooled: 11 }),
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
    { ...slowSend(10e9), ...often, ...bytes(12_000) },
    [{ rule: 'slow-calls', count: 1200, ns: 10e9, hereNs: 7_200_000, savesMs: null }],
    measured(12_000),
  ],
  ['slow calls beside a rewrite', slowSend(10e9), [], { ...measured(12_000), hasRewrite: true }],
  ['calls less than five times as long', slowSend(35e6), [], measured(12_000)],
  ['slow calls for a few ms in all', { ...slowSend(9e6), ...few }, [], measured(2000)],
  ['slow calls, another value measured', slowSend(10e9), [], { ...measured(12_000), isLike: false }],
  ['slow calls of JSON text', { ...slowSend(10e9), api: 'process.send' }, [], measured(12_000)],
  [
    'JSON text that the serializer would beat',
    { api: 'process.send', serialization: 'json' },
    [{ rule: 'advanced-faster', count: 1200, share: 0.25, savesMs: 9 }],
    { ...measured(10_000), faster: { channel: 'ipc-advanced', share: 0.25 } },
  ],
  [
    'a serializer that JSON text would beat',
    { api: 'ChildProcess.send', serialization: 'advanced' },
    [{ rule: 'json-faster', count: 1200, share: 0.5, savesMs: 6 }],
    { ...measured(10_000), faster: { channel: 'ipc-json', share: 0.5 } },
  ],
  [
    'many small messages: 6 a millisecond, 100 a frame',
    { ...bytes(12_000), ...often },
    [{ rule: 'chatty', count: 100, of: 1200, savesMs: null }],
  ],
  [
    'many messages that cost little more than an empty one',
    { times: { stepMs: 100, counts: [0, 600, 0, 600] }, ...bytes(6e6) },
    [{ rule: 'chatty', count: 100, savesMs: 1200 * 0.99 * 0.008 }],
    measured(12_000),
  ],
  ['too few small messages for a batch', { ...few, count: 99, ...bytes(990), ...often }, []],
  ['small ones that cost more than an empty one', { ...often, ...bytes(12_000) }, [], measured(100_000)],
  ['no times at all', { times: { stepMs: 0, counts: [] }, ...bytes(12_000) }, []],
  [
    'long calls',
    { ...longCalls(), ...bytes(1_200_000) },
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

for (const [what, posted, found, context = COST] of ROWS) {
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
  const fired = new Set(ROWS.flatMap(([, , found]) => found.map(({ rule }) => rule)));
  assert.deepEqual([...fired].sort(), [...TRAFFIC_RULES].sort());
});

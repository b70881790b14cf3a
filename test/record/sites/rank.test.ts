import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../../src/model/documents/measurement.ts';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import { costsOf, heaviest, perMessageNs, sendWeights } from '../../../src/record/sites/rank.ts';
import { measurement, messages } from '../../make.ts';

const sent = (total: number, more: Partial<RecordedMessages> = {}) =>
  messages({ send: { timed: 10, median: 1, max: 1, total, long: 0 }, ...more });
const size = (total: number) => ({ total, ci: [total, total] as [number, number], max: total });
const untimed = (more: Partial<RecordedMessages>) => messages({ send: null, ...more });

const estimate = (median: number) => ({ median, ci: [median, median] as [number, number] });
const measured = (ns: number): Measurement =>
  measurement(1000, { send: estimate(ns), receive: estimate(ns) });

const WEIGHTS: [what: string, sites: RecordedMessages[], weights: number[]][] = [
  ['the time of all calls', [sent(300), sent(100)], [300, 100]],
  [
    'untimed by bytes, as the timed',
    [sent(300, { bytes: size(100) }), untimed({ bytes: size(50) })],
    [300, 150],
  ],
  ['not sized: by count', [sent(300, { count: 10 }), untimed({ bytes: null, count: 4 })], [300, 120]],
  ['nothing timed: bytes alone', [untimed({ bytes: size(7) }), untimed({ bytes: size(9) })], [7, 9]],
];

for (const [what, sites, weights] of WEIGHTS) {
  test(`weights: ${what}`, () => assert.deepEqual(sendWeights(sites), weights));
}

const HEAVIEST: [what: string, weights: number[], top: number | null, indices: number[]][] = [
  ['95 % of the cost', [1, 90, 6, 3], null, [1, 2]],
  ['one that is all', [100, 0, 0], null, [0]],
  ['at most ten', Array<number>(30).fill(1), null, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['as many as asked for', [1, 90, 6, 3], 3, [1, 2, 3]],
  ['all that there are', [1, 2], 50, [1, 0]],
  ['none', [], null, []],
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

test('the cost of a site without times is null, and shares leave it out', () => {
  const sites = [
    { posted: sent(3e6, { bytes: size(300) }), measurement: null },
    { posted: untimed({ bytes: size(100) }), measurement: null },
  ];
  const { costs } = costsOf(sites, 0);
  assert.equal(costs[1], null);
  assert.equal(costs[0]?.share, 1);
});

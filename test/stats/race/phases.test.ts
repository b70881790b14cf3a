import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoundTrip } from '../../../src/model/documents/measurement.ts';
import { blockedTimes, toPhases } from '../../../src/stats/race/judge.ts';

const estimate = (median: number) => ({ median, ci: [median, median] as [number, number] });
const trip = (median: number): RoundTrip => ({
  ...estimate(median),
  p95: median,
  p99: median,
  samples: 9,
  processes: 3,
});
const floor = { roundTrip: 10, send: 1, receive: 1 };

const parts = [
  ['adds up', 106, 20, 30, 3, 0],
  ['something else takes time', 126, 20, 30, 3, 10],
  ['both threads work at once', 96, 20, 30, 3, -5],
] as const;

for (const [name, roundTrip, send, receive, transit, unaccounted] of parts) {
  test(`phases: ${name}`, () => {
    const times = { roundTrip: trip(roundTrip), send: estimate(send), receive: estimate(receive), floor };
    assert.deepEqual(toPhases(times), { oneWay: roundTrip / 2, send, receive, transit, unaccounted });
  });
}

test('phases: transit is never negative, even if an empty message is received while it is sent', () => {
  const overlapping = { roundTrip: 10, send: 4, receive: 4 };
  const times = { roundTrip: trip(106), send: estimate(20), receive: estimate(30), floor: overlapping };
  assert.deepEqual(toPhases(times), { oneWay: 53, send: 20, receive: 30, transit: 0, unaccounted: 3 });
});

test('phases: one way is the trip minus half an empty trip if the answers are empty messages', () => {
  const times = { roundTrip: trip(58), send: estimate(20), receive: estimate(30), floor };
  const phases = toPhases({ ...times, answers: { with: 'empty', why: 'no document' } });
  assert.deepEqual(phases, { oneWay: 53, send: 20, receive: 30, transit: 3, unaccounted: 0 });
});

test('phases: none of times that are not known', () => {
  const times = { roundTrip: trip(106), send: estimate(20), receive: estimate(30), floor };
  assert.equal(toPhases({ ...times, roundTrip: { ...trip(106), samples: 1 } }), null);
  assert.equal(toPhases({ ...times, send: { ...estimate(20), samples: 2 } }), null);
  assert.equal(toPhases({ ...times, receive: { median: 30, ci: [2, 900] } }), null);
});

test('phases: none without a receiver', () => {
  const times = { roundTrip: trip(50), send: estimate(50), floor };
  assert.equal(toPhases({ ...times, receive: null }), null);
  assert.equal(toPhases({ ...times, receive: estimate(1), floor: { ...floor, receive: null } }), null);
});

const MS = 1e6;
const often = (ms: number, rest: number[] = []): number[] => [
  ...Array.from({ length: 1000 }, () => ms * MS),
  ...rest.map((one) => one * MS),
];

const blocks = [
  ['short', often(1), often(2), null, 2],
  ['one slice of time was stolen', often(1, [80]), often(2), null, 80],
  ['a frame, by the sender', often(17), often(2), 'frame', 17],
  ['a frame, by the receiver', often(1), often(20), 'frame', 20],
  ['exactly a frame is none', often(16), often(16), null, 16],
  ['a long task', often(1), often(51), 'long-task', 51],
  ['no receiver to time', often(60), [], 'long-task', 60],
] as const;

for (const [name, sends, receives, exceeds, longest] of blocks) {
  test(`blocked: ${name}`, () => {
    const blocked = blockedTimes(sends, receives);
    assert.equal(blocked?.exceeds, exceeds);
    assert.equal(blocked?.longestNs, longest * MS);
    assert.equal(blocked?.receiverNs === null, receives.length === 0);
  });
}

test('blocked: nothing was timed', () => assert.equal(blockedTimes([], []), null));

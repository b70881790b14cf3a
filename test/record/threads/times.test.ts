import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GROUP, groupStart, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { joinedTimes, sendTimes } from '../../../src/record/threads/send-times.ts';

const rows: [why: string, count: number, timed: number[], total: number][] = [
  ['all were timed', 3, [10, 20, 30], 60],
  ['the others take as long as those that were timed', 100, [10, 10, 10, 10], 1000],
  ['one long call is counted once', 100, [10, 10, 10, 970], 1000 + 96 * 10],
  ['one call is all there is', 100, [10], 1000],
];

for (const [why, count, timed, total] of rows) {
  test(`time of all calls: ${why}`, () => {
    const counters = new Float64Array(THREAD_FIELDS);
    const start = groupStart(2);
    counters[start + GROUP.count] = count;
    counters[start + GROUP.timed] = timed.length;
    counters[start + GROUP.sendSumNs] = timed.reduce((sum, ns) => sum + ns, 0);
    counters[start + GROUP.sendMaxNs] = Math.max(...timed);
    assert.equal(sendTimes([{ counters, counter: 2, share: 1 }])?.total, total);
  });
}

type Times = Parameters<typeof joinedTimes>[0][number];

const JOINED: [what: string, all: Times[], joined: Times][] = [
  ['nothing', [], { stepMs: 1, counts: [] }],
  ['one', [{ stepMs: 5, counts: [1, 0, 2] }], { stepMs: 5, counts: [1, 0, 2] }],
  [
    'equal steps',
    [
      { stepMs: 5, counts: [1, 2] },
      { stepMs: 5, counts: [0, 1, 7] },
    ],
    { stepMs: 5, counts: [1, 3, 7] },
  ],
  [
    'shorter steps are added to longer ones',
    [
      { stepMs: 10, counts: [1, 2, 3, 4, 5] },
      { stepMs: 20, counts: [100, 200] },
    ],
    { stepMs: 20, counts: [103, 207, 5] },
  ],
  [
    'nothing posted has no steps',
    [
      { stepMs: 1e308, counts: [] },
      { stepMs: 0, counts: [9] },
      { stepMs: 2, counts: [3] },
    ],
    { stepMs: 2, counts: [3] },
  ],
  [
    'steps of any length end',
    [
      { stepMs: 1e308, counts: [0, 0, 0, 1] },
      { stepMs: Number.MIN_VALUE, counts: [1, 1] },
    ],
    { stepMs: 1e308, counts: [2, 0, 0, 1] },
  ],
];

describe('when the messages of several sites were posted', () => {
  for (const [what, all, joined] of JOINED) test(what, () => assert.deepEqual(joinedTimes(all), joined));
});

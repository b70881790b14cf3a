import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUP, groupStart, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { sendTimes } from '../../../src/record/threads/send-times.ts';

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

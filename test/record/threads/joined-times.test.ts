import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joinedTimes } from '../../../src/record/threads/send-times.ts';

type Times = Parameters<typeof joinedTimes>[0][number];

const ROWS: { what: string; all: Times[]; joined: Times }[] = [
  { what: 'nothing', all: [], joined: { stepMs: 1, counts: [] } },
  { what: 'one', all: [{ stepMs: 5, counts: [1, 0, 2] }], joined: { stepMs: 5, counts: [1, 0, 2] } },
  {
    what: 'equal steps',
    all: [
      { stepMs: 5, counts: [1, 2] },
      { stepMs: 5, counts: [0, 1, 7] },
    ],
    joined: { stepMs: 5, counts: [1, 3, 7] },
  },
  {
    what: 'shorter steps are added to longer ones',
    all: [
      { stepMs: 10, counts: [1, 2, 3, 4, 5] },
      { stepMs: 20, counts: [100, 200] },
    ],
    joined: { stepMs: 20, counts: [103, 207, 5] },
  },
  {
    what: 'nothing posted has no steps',
    all: [
      { stepMs: 1e308, counts: [] },
      { stepMs: 0, counts: [9] },
      { stepMs: 2, counts: [3] },
    ],
    joined: { stepMs: 2, counts: [3] },
  },
  {
    what: 'steps of any length end',
    all: [
      { stepMs: 1e308, counts: [0, 0, 0, 1] },
      { stepMs: Number.MIN_VALUE, counts: [1, 1] },
    ],
    joined: { stepMs: 1e308, counts: [2, 0, 0, 1] },
  },
];

describe('when the messages of several sites were posted', () => {
  for (const { what, all, joined } of ROWS) test(what, () => assert.deepEqual(joinedTimes(all), joined));
});

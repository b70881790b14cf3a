import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextProcessMs, plannedLooks } from '../../../src/core/measure/sampling.ts';

const looks: [
  why: string,
  budgetMs: number,
  spentMs: number,
  results: number,
  failures: number,
  looks: number,
][] = [
  ['nothing is known before the first process', 5000, 0, 0, 0, 12],
  ['as many as the budget has room for', 5000, 1000, 1, 0, 5],
  ['those that failed took their time too', 5000, 2000, 1, 1, 5],
  ['never less than there were', 5000, 9000, 6, 0, 6],
  ['never less than are needed', 5000, 4000, 1, 0, 3],
  ['never more than the level allows for', 60_000, 1000, 2, 0, 12],
];
for (const [why, budgetMs, spentMs, results, failures, expected] of looks) {
  test(`looks: ${why}`, () => {
    const spent = { results: new Array(results), spentMs, failures };
    assert.equal(plannedLooks({ budgetMs, startMs: 100 }, spent), expected);
    assert.equal(plannedLooks({ budgetMs, startMs: 100, mayGrow: true }, spent), 12);
  });
}

test('what an undecided race may take more prolongs no process, but makes room for others', () => {
  const plan = { budgetMs: 5000, startMs: 100 };
  const longer = { ...plan, extraMs: 1500 };
  const spent = { results: [0, 0, 0, 0], spentMs: 2000, failures: 0 };
  assert.equal(nextProcessMs(longer, { results: [], spentMs: 0, failures: 0 }, 20), 500);
  assert.equal(nextProcessMs(plan, { ...spent, spentMs: 5000 }, 20), null);
  assert.equal(nextProcessMs(longer, { ...spent, spentMs: 5000 }, 20), 1500);
  assert.deepEqual([plannedLooks(plan, spent), plannedLooks(longer, spent)], [10, 12]);
});

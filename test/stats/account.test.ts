import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, alike } from '../../src/stats/account.ts';

/** With so much left after one job that took `overheadMs` beyond its share. */
async function account(leftMs: number, overheadMs: number): Promise<Account> {
  let clock = 0;
  const opened = new Account(() => clock, leftMs + overheadMs);
  if (overheadMs > 0)
    await opened.spend(0, async () => {
      clock += overheadMs;
    });
  return opened;
}

const ANY = Number.POSITIVE_INFINITY;
const ROWS = [
  ['without what a job takes beside', 12_000, alike(4), 400, 5000, 2600],
  ['no more than the budget of a job', 120_000, alike(4), 400, 5000, 5000],
  ['rather few jobs with a useful share', 2000, alike(150), 200, 5000, 500],
  ['and never less than what it takes beside', 12_000, alike(20), 2000, 5000, 2000],
  ['nothing is left', 400, alike(1), 0, 5000, null],
  ['in the ratio of what jobs cost', 12_000, [1000, 5000], 0, ANY, 2000],
  ['a small one, whatever the largest costs', 5000, [4000, 90_000], 0, ANY, 5000],
  ['a cheaper one comes first', 11_000, [10_000, 6000], 0, ANY, null],
] as const;

for (const [name, leftMs, costs, overheadMs, mostMs, ms] of ROWS)
  test(`the share of the next job: ${name}`, async () => {
    assert.equal((await account(leftMs, overheadMs)).next(costs, mostMs), ms);
  });

test('each job gets all that it may take unless there is a limit', async () => {
  const unlimited = new Account(() => 0, null);
  assert.equal(await unlimited.spend(1, async () => 'done'), 'done');
  assert.deepEqual([unlimited.isLimited, unlimited.next(alike(9), 5000)], [false, 5000]);
});

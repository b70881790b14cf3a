import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextShare } from '../../../src/core/measure/total-budget.ts';

test('the share of the next run', () => {
  const rows: [
    name: string,
    leftMs: number,
    runs: number,
    overheadMs: number,
    mostMs: number,
    ms: number | null,
  ][] = [
    ['a fair share', 12_000, 4, 0, 5000, 3000],
    ['without what a run takes beside', 12_000, 4, 400, 5000, 2600],
    ['no more than the budget of a run', 120_000, 4, 400, 5000, 5000],
    ['the last gets the rest', 4000, 1, 0, Number.POSITIVE_INFINITY, 4000],
    ['rather few runs with a useful share', 2000, 150, 200, 5000, 500],
    ['and never less than what it takes beside', 12_000, 20, 2000, 5000, 2000],
    ['nothing is left', 400, 1, 0, 5000, null],
    ['overdrawn', -500, 3, 0, 5000, null],
  ];
  for (const [name, leftMs, runs, overheadMs, mostMs, ms] of rows)
    assert.equal(nextShare({ leftMs, runs, overheadMs, mostMs }), ms, name);
});

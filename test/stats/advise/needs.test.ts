import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetToDecide, type OpenTrial } from '../../../src/stats/advise/advise.ts';

const open = (low: number, high: number, outAbove = 0.95): OpenTrial => ({
  estimate: { ratio: Math.sqrt(low * high), ci: [low, high] },
  outAbove,
});
const UNTIMED: OpenTrial = { estimate: null, outAbove: 0.95 };

test('the budget that would probably decide', () => {
  const rows: [name: string, open: OpenTrial[], spentMs: number, needs: number | null][] = [
    ['nearly faster', [open(0.8, 1.01)], 5000, 10_000],
    ['nearly out', [open(0.94, 1.2)], 5000, 10_000],
    ['wide, in the middle', [open(0.7, 1.35)], 5000, 120_000],
    ['on the edge of what counts', [open(0.945, 0.955)], 5000, 60_000],
    ['on the edge, and already narrow after a minute', [open(0.9, 1.0)], 60_000, null],
    ['code of many lines is out from less', [open(0.84, 1.1, 0.85)], 5000, 10_000],
    ['two of them', [open(0.94, 1.2), open(0.93, 1.3)], 5000, 15_000],
    ['one was never timed', [open(0.94, 1.2), UNTIMED], 5000, 15_000],
    ['none was timed', [UNTIMED, UNTIMED], 5000, 10_000],
    ['a short run', [open(0.8, 1.01)], 500, 1000],
    ['never more than five minutes', [open(0.8, 1.01)], 300_000, null],
  ];
  for (const [name, trials, spentMs, needs] of rows)
    assert.equal(budgetToDecide(trials, spentMs), needs, name);
});

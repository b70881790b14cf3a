import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  budgetForSamples,
  budgetOption,
  type Claim,
  carries,
  carriesQuantile,
  differenceOf,
  type Evidence,
  lackText,
} from '../../src/stats/evidence.ts';

const over = (low: number, high: number, samples?: number, processes?: number): Evidence => ({
  ci: [low, high],
  ...(samples === undefined ? {} : { samples }),
  ...(processes === undefined ? {} : { processes }),
});

test('missing evidence for a claim is named: samples, processes or interval', () => {
  const rows: [name: string, evidence: Evidence, claim: Claim, lack: string | null][] = [
    ['two messages', over(0.9, 1.1, 2, 2), 'size', 'too few samples: 2'],
    ['three, far from the limit', over(0.01, 0.3, 3, 3), 'side', null],
    ['three, of an unknown size', over(0.01, 0.3, 3, 3), 'size', 'too few samples: 3'],
    ['three, that agree', over(0.4, 0.6, 3, 3), 'size', null],
    ['many, of one process', over(0.05, 8.93, 300, 1), 'size', 'too few processes: 1'],
    ['two processes fail nothing', over(1.5, 1.6, 300, 2), 'failure', 'too few processes: 2'],
    ['two processes say on which side', over(1.5, 1.6, 300, 2), 'side', null],
    ['three processes fail', over(1.5, 1.6, 3, 3), 'failure', null],
    ['of an earlier version', over(0.4, 0.6), 'size', null],
    ['of an earlier version, too wide', over(0.05, 8.93), 'size', 'too wide an interval'],
    ['less than a step of the clock', over(0, 0, 60, 3), 'size', null],
    ['between no time and a step of the clock', over(0, 1e5, 60, 3), 'size', 'too wide an interval'],
  ];
  for (const [name, evidence, claim, lack] of rows) {
    assert.equal(lackText(evidence, claim), lack, name);
    assert.equal(carries(evidence, claim), lack === null, name);
  }
  assert.equal(carries(null, 'side'), false);
});

test('a quantile is given only if at least one sample lies beyond it', () => {
  const rows: [samples: number, share: number, isCarried: boolean][] = [
    [19, 0.95, false],
    [20, 0.95, true],
    [99, 0.99, false],
    [100, 0.99, true],
  ];
  for (const [samples, share, isCarried] of rows)
    assert.equal(carriesQuantile(samples, share), isCarried, `${samples}: ${share}`);
});

test('a difference needs samples on both sides, and intervals that do not overlap', () => {
  const rows: [name: string, before: Evidence, now: Evidence, difference: string][] = [
    ['apart', over(1, 1.1, 30), over(0.5, 0.6, 30), 'lower'],
    ['apart, upwards', over(1, 1.1), over(1.2, 1.3), 'higher'],
    ['they overlap', over(1, 1.1), over(1.05, 1.2), 'unsure'],
    ['one message before', over(1, 1.1, 1), over(0.5, 0.6, 30), 'unsure'],
    ['one message now', over(1, 1.1, 30), over(0.5, 0.6, 1), 'unsure'],
  ];
  for (const [name, before, now, difference] of rows)
    assert.equal(differenceOf(before, now), difference, name);
});

test('the budget of enough samples', () => {
  const rows: [samples: number, spentMs: number, option: string | null][] = [
    [3, 5000, '-b 20s'],
    [0, 5000, '-b 1m'],
    [6, 500, '-b 1s'],
    [1, 60_000, null],
  ];
  for (const [samples, spentMs, option] of rows) {
    const ms = budgetForSamples(samples, spentMs);
    assert.equal(ms && budgetOption(ms), option, `${samples} in ${spentMs} ms`);
  }
});

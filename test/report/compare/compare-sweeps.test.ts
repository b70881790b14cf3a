import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StrategyComparison } from '../../../src/model/documents/comparison.ts';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import { comparableSeries } from '../../../src/report/compare/compare.ts';
import { joinSweeps } from '../../../src/report/stored/stored-reports.ts';
import { estimate } from '../../make.ts';
import { comparedSweeps, sweepOf } from './reports.ts';

const NODE_24 = ['node', '24.0.0'] as ['node', string];
const NODE_26 = ['node', '26.0.0'] as ['node', string];
const BUN = ['bun', '1.4.5'] as ['bun', string];
const SHARES = { 10: estimate(1.5), 100: estimate(0.8) };
const at = (size: number) => ({ size, ci: [size * 0.9, size * 1.1] as [number, number] });

const sweep = sweepOf(NODE_24, SHARES, [at(30)]);

/** Sizes with their change, changes of crossovers, changed or not. */
const told = ({ shares, crossovers, changed }: StrategyComparison) => [
  shares.map(({ size, change }) => `${size} ${change}`),
  crossovers.map(({ change }) => change),
  changed,
];

const ROWS: [what: string, now: SweepReport, expected: unknown[]][] = [
  ['nothing', sweep, [['10 unsure', '100 unsure'], ['unsure'], false]],
  [
    'a share at one size',
    sweepOf(NODE_24, { ...SHARES, 100: estimate(0.5) }, [at(30)]),
    [['10 unsure', '100 lower'], ['unsure'], true],
  ],
  [
    'other sizes',
    sweepOf(NODE_24, { 20: estimate(9), 100: estimate(0.8) }, [at(30)]),
    [['100 unsure'], ['unsure'], false],
  ],
  ['where it crosses', sweepOf(NODE_24, SHARES, [at(60)]), [['10 unsure', '100 unsure'], ['higher'], true]],
  ['that it crosses no more', sweepOf(NODE_24, SHARES), [['10 unsure', '100 unsure'], [null], true]],
  [
    'that it crosses again',
    sweepOf(NODE_24, SHARES, [at(900), at(30)]),
    [['10 unsure', '100 unsure'], ['unsure', null], true],
  ],
  ['another version', sweepOf(NODE_26, SHARES, [at(30)]), [['10 unsure', '100 unsure'], ['unsure'], false]],
];

describe('changes between two sweeps are listed', () => {
  for (const [what, now, expected] of ROWS) {
    test(what, () => assert.deepEqual(comparedSweeps(sweep, now).strategies?.map(told), [expected]));
  }
});

test('each sweep is compared with the first, on the same version if both have it', () => {
  const both = joinSweeps([sweep, sweepOf(NODE_26, SHARES)]);
  const { strategies = [], runs } = comparedSweeps(both, sweepOf(NODE_26, SHARES), sweepOf(BUN, SHARES));
  assert.deepEqual(runs, []);
  assert.deepEqual(
    strategies.map(({ report, runtime }) => [report, runtime]),
    [[1, { name: 'node', before: '26.0.0', now: '26.0.0' }]],
  );
});

const COMMON: [what: string, other: SweepReport, is: string | null][] = [
  ['one runtime', sweepOf(NODE_26, { 7: estimate(1) }), 'rows on node over worker'],
  ['two runtimes', sweepOf(BUN, SHARES), null],
];

describe('the series that two sweeps have in common is named', () => {
  for (const [what, other, is] of COMMON) test(what, () => assert.equal(comparableSeries(sweep, other), is));
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunComparison, StrategyComparison } from '../../../src/model/documents/comparison.ts';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import type { Change, ShareChange } from '../../../src/model/vocabulary/words.ts';
import { joinSweeps } from '../../../src/report/stored/stored-reports.ts';
import {
  advice,
  classified,
  copied,
  estimate,
  facts,
  failed,
  finding,
  measurement,
  payload,
  report,
  run,
  shape,
  trial,
  verdict,
} from '../../make.ts';
import { before, changed, compared, comparedSweeps, NESTED, reportOf, sweepOf } from './reports.ts';

const ROWS: [what: string, now: Partial<Run>, changes: Change[]][] = [
  ['nothing', {}, []],
  ['times alone', { measurement: measurement(900_000) }, []],
  ['class and path', { verdict: verdict({ class: 'in-memory', path: 'dense-array' }) }, ['class', 'path']],
  ['a finding at another path', { findings: [finding('jsc/nested-value', '$.other')] }, ['findings']],
  ['how often a rule fired', { findings: [{ ...NESTED, count: 7 }] }, []],
  ['sizes', { shape: shape({ nodes: 9, depth: 1, jsonBytes: 1 }) }, ['values', 'depth', 'json-bytes']],
  ['a size that is not known now', { shape: shape({ jsonBytes: null }) }, []],
  ['wire bytes', { bytes: copied(7) }, ['wire-bytes']],
  ['the advice', { advice: advice('nothing') }, ['advice']],
  ['the gain alone', { advice: { ...before.advice!, gain: estimate(0.45) } }, []],
  ['a rewrite that takes less', { trials: [trial('json-text', 0.2, { inPlace: null })] }, ['rewrites']],
  ['a rewrite within its interval', { trials: [trial('json-text', 0.51)] }, []],
  ['a rewrite that is lossy now', { trials: [trial('json-text', 0.5, { equality: 'lossy' })] }, ['rewrites']],
  ['a rewrite that was not tried before', { trials: [...before.trials, trial('plain', 0.2)] }, []],
  ['it was not measured', { ...classified('bun@1.4.5', { findings: [NESTED] }) }, ['status']],
  ['it failed', failed('bun@1.4.5', { code: 'guest-crashed', message: 'x' }), ['status']],
  ['another version', { runtime: { ...before.runtime, version: '1.5.0' } }, ['runtime']],
];

describe('changes between two reports are listed', () => {
  for (const [what, now, changes] of ROWS) {
    test(what, () => assert.deepEqual(changed(now).changes, changes));
  }
});

const SHARES: [what: string, now: Trial['withConversion'], change: ShareChange | null][] = [
  ['lower', { ratio: 0.4, ci: [0.3, 0.48] }, 'lower'],
  ['intervals that touch', { ratio: 0.4, ci: [0.3, 0.485] }, 'unsure'],
  ['not timed now', null, null],
];

describe('the share of the time of the original', () => {
  for (const [what, withConversion, expected] of SHARES) {
    test(what, () => {
      const [first] = changed({ trials: [{ ...trial('json-text', 0.5), withConversion }] }).trials;
      assert.equal(first?.withConversion, expected);
    });
  }

  test('plans of one remedy at one path are matched by their form', () => {
    const plan = (form: string, ratio: number) => trial('compiled', ratio, { plan: { path: '$', form } });
    const { trials } = compared(
      reportOf({ ...before, trials: [plan('typed', 0.5), plan('plain', 0.6)] }),
      reportOf({ ...before, trials: [plan('plain', 0.2), plan('typed', 0.9)] }),
    ).runs[0] as RunComparison;
    const told = trials.map(({ form, withConversion }) => `${form} ${withConversion}`);
    assert.deepEqual(told, ['plain lower', 'typed higher']);
  });
});

test('findings that came and went are listed, regardless of keys that are data', () => {
  const map = (key: string) => ({
    shape: shape({ patterns: [facts('$', 'object'), facts('$.byId.*', 'object')] }),
    findings: [finding('jsc/nested-value', `$.byId.${key}`), finding('jsc/sparse', `$.${key}`)],
  });
  const { runs } = compared(reportOf({ ...before, ...map('x1') }), reportOf({ ...before, ...map('x2') }));
  const told = ({ rule, path }: RunComparison['came'][number]) => [rule, path];
  assert.deepEqual(runs[0]?.came.map(told), [['jsc/sparse', '$.x2']]);
  assert.deepEqual(runs[0]?.went.map(told), [['jsc/sparse', '$.x1']]);
});

/** "orders worker: 20.1.0 > 24.1.0", against the second of other reports with "in 2". */
const pairs = ({ runs }: ReturnType<typeof compared>) =>
  runs.map(({ payload: id, channel, report: at, before: was, now }) => {
    const version = (side: typeof was) => side?.runtime.version ?? 'none';
    return `${id} ${channel}: ${version(was)} > ${version(now)}${at === 1 ? '' : ` in ${at}`}`;
  });

const node20 = run('node@20.1.0');
const node22 = run('node@22.1.0');
const node24 = run('node@24.1.0');

const PAIRS: [what: string, first: Report, others: Report[], expected: string[]][] = [
  [
    'the same version first, then the only one that is left',
    reportOf(node20, node22),
    [reportOf(node22, node24)],
    ['orders worker: 22.1.0 > 22.1.0', 'orders worker: 20.1.0 > 24.1.0'],
  ],
  [
    'channels apart',
    reportOf(node20, { ...node20, channel: 'ipc-advanced' }),
    [reportOf({ ...node20, channel: 'ipc-advanced' })],
    ['orders ipc-advanced: 20.1.0 > 20.1.0', 'orders worker: 20.1.0 > none'],
  ],
  [
    'each against the first',
    reportOf(node20),
    [reportOf(node22), report(payload('rows', [node20]), payload('orders', [node24]))],
    [
      'orders worker: 20.1.0 > 22.1.0',
      'orders worker: 20.1.0 > 24.1.0 in 2',
      'rows worker: none > 20.1.0 in 2',
    ],
  ],
];

describe('which runs are compared', () => {
  for (const [what, first, others, expected] of PAIRS) {
    test(what, () => assert.deepEqual(pairs(compared(first, ...others)), expected));
  }
});

test('a payload that could not be loaded is a failed run of each runtime', () => {
  const error = { code: 'file-missing', message: 'orders.json: no such file' };
  const gone = report(payload('orders', [], { error }));
  const { runs } = compared(reportOf(before, node20), gone);
  assert.deepEqual(
    runs.map(({ changes, now }) => [changes, now?.status, now?.error]),
    [
      [['status'], 'failed', error],
      [['status'], 'failed', error],
    ],
  );
});

const NODE_24 = ['node', '24.0.0'] as ['node', string];
const NODE_26 = ['node', '26.0.0'] as ['node', string];
const BUN = ['bun', '1.4.5'] as ['bun', string];
const RATIOS = { 10: estimate(1.5), 100: estimate(0.8) };
const at = (size: number) => ({ size, ci: [size * 0.9, size * 1.1] as [number, number] });

const sweep = sweepOf(NODE_24, RATIOS, [at(30)]);

/** Sizes with their change, changes of crossovers, changed or not. */
const toldOf = ({ shares, crossovers, changed }: StrategyComparison) => [
  shares.map(({ size, change }) => `${size} ${change}`),
  crossovers.map(({ change }) => change),
  changed,
];

const SWEEPS: [what: string, now: SweepReport, expected: unknown[]][] = [
  ['nothing', sweep, [['10 unsure', '100 unsure'], ['unsure'], false]],
  [
    'a share at one size',
    sweepOf(NODE_24, { ...RATIOS, 100: estimate(0.5) }, [at(30)]),
    [['10 unsure', '100 lower'], ['unsure'], true],
  ],
  [
    'other sizes',
    sweepOf(NODE_24, { 20: estimate(9), 100: estimate(0.8) }, [at(30)]),
    [['100 unsure'], ['unsure'], false],
  ],
  ['where it crosses', sweepOf(NODE_24, RATIOS, [at(60)]), [['10 unsure', '100 unsure'], ['higher'], true]],
  ['that it crosses no more', sweepOf(NODE_24, RATIOS), [['10 unsure', '100 unsure'], [null], true]],
  [
    'that it crosses again',
    sweepOf(NODE_24, RATIOS, [at(900), at(30)]),
    [['10 unsure', '100 unsure'], ['unsure', null], true],
  ],
];

describe('changes between two sweeps are listed', () => {
  for (const [what, now, expected] of SWEEPS) {
    test(what, () => assert.deepEqual(comparedSweeps(sweep, now).strategies?.map(toldOf), [expected]));
  }
});

test('each sweep is compared with the first, on the same version if both have it', () => {
  const both = joinSweeps([sweep, sweepOf(NODE_26, RATIOS)]);
  const { strategies = [], runs } = comparedSweeps(both, sweepOf(NODE_26, RATIOS), sweepOf(BUN, RATIOS));
  assert.deepEqual(runs, []);
  assert.deepEqual(
    strategies.map(({ report, runtime }) => [report, runtime]),
    [[1, { name: 'node', before: '26.0.0', now: '26.0.0' }]],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReport, checkStatus, uncheckedOf } from '../../../src/gate/compare/check-report.ts';
import type { Baseline } from '../../../src/model/documents/baseline.ts';
import type { CheckFailure, LimitResult, Unchecked } from '../../../src/model/documents/check.ts';
import { BEFORE, partOf, resultWith } from './runs.ts';

const result = (payload: string, more: Partial<LimitResult> = {}) =>
  resultWith({ payload, runtime: 'node@24.0.0', ...more });
const failure = (code: string): CheckFailure => ({ payload: 'a', file: 'a.json', code, message: code });

const STATUSES: [what: string, results: LimitResult[], failures: CheckFailure[], status: string][] = [
  ['nothing', [], [], 'ok'],
  ['all passed', [result('a')], [], 'ok'],
  ['one failed', [result('a'), result('b', { outcome: 'failed' })], [], 'failed'],
  ['one only warns', [result('a', { outcome: 'failed', level: 'warn' })], [], 'ok'],
  ['one is unsure', [result('a', { outcome: 'unsure' })], [], 'unmeasured'],
  ['one is not measured', [result('a', { outcome: 'not-measured' })], [], 'unmeasured'],
  ['one is not measured but only warns', [result('a', { outcome: 'not-measured', level: 'warn' })], [], 'ok'],
  ['one is unmatched', [result('a', { outcome: 'unmatched' })], [], 'failed'],
  ['one may be unmatched', [result('a', { outcome: 'unmatched', level: 'warn' })], [], 'ok'],
  ['a file is missing', [], [failure('file-missing')], 'unreadable'],
  ['a guest crashed', [], [failure('guest-crashed')], 'unmeasured'],
  [
    'a broken limit comes first',
    [result('a', { outcome: 'not-measured' }), result('b', { outcome: 'failed' })],
    [failure('file-missing')],
    'failed',
  ],
];

for (const [what, results, failures, status] of STATUSES)
  test(`status: ${what}`, () => {
    const report = checkReport(partOf(results, { failures }));
    assert.equal(
      checkStatus(report, (code) => code === 'file-missing'),
      status,
    );
    assert.equal(report.passed, status === 'ok');
  });

/** "a on bun" */
const baselineOf = (...names: string[]): Baseline => {
  const payloads: Baseline['payloads'] = {};
  for (const name of names) {
    const [id, key] = name.split(' on ') as [string, string];
    payloads[id] = { runtimes: { ...payloads[id]?.runtimes, [key]: BEFORE } };
  }
  return { schema: 'clone-prof/baseline@1', payloads };
};

interface Checked {
  seen?: string;
  failed?: string[];
  selected?: string[];
}

/** Names are separated by commas. `missing` was asked for, `others` not. */
const CASES: [what: string, baseline: string, checked: Checked, missing: string, others?: string][] = [
  ['all of it', 'a on node, b on node', { seen: 'a on node, b on node' }, ''],
  ['one payload fewer', 'a on node, b on node', { seen: 'a on node' }, 'b on node'],
  ['one runtime fewer', 'a on node, a on bun', { seen: 'a on bun' }, 'a on node'],
  [
    'parts of a payload that failed are not missing',
    'm on node, m#a on node, m2#a on node, m/a on node',
    { failed: ['m'] },
    'm2#a on node, m/a on node',
    'm on node, m#a on node',
  ],
  [
    'only what was asked for can be missing',
    'm#a on node, m#b on node, n on node, m/x on node',
    { seen: 'm#a on node', selected: ['m'] },
    'm#b on node',
    'n on node, m/x on node',
  ],
  [
    'files of a glob that was asked for by its name',
    'd/a on node, d2/a on node',
    { selected: ['d', 'd/'] },
    'd/a on node',
    'd2/a on node',
  ],
];

const nameOf = ({ payload, runtime }: Unchecked) => `${payload} on ${runtime}`;
const namesIn = (list: string) => list.split(', ').filter(Boolean);

for (const [what, baseline, { seen = '', failed = [], selected = null }, missing, others = ''] of CASES)
  test(`baseline entries without a check are listed: ${what}`, () => {
    const keys = namesIn(seen)
      .map((name) => name.split(' on '))
      .map(([id = '', key = '']) => ({ id, key }));
    const failures = failed.map((payload) => ({ payload, file: payload, code: 'x', message: 'x' }));
    const found = uncheckedOf(baselineOf(...namesIn(baseline)), keys, failures, selected);
    assert.deepEqual(found.filter((one) => one.selected).map(nameOf), namesIn(missing));
    assert.deepEqual(found.filter((one) => !one.selected).map(nameOf), namesIn(others));
  });

test('failures are listed once and in one order, whatever ended first', () => {
  const [a, b] = [failure('file-missing'), { ...failure('x'), payload: 'Z' }];
  const of = (failures: CheckFailure[]) => checkReport(partOf([], { failures })).failures;
  assert.deepEqual(of([a, b, a]), [b, a]);
  assert.deepEqual(of([b, a]), [b, a]);
});

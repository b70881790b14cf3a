import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaselinePayloads } from '../../../src/gate/compare/baseline.ts';
import { checkReport, exitCodeOf, missingResults } from '../../../src/gate/compare/check-report.ts';
import type { CheckFailure, LimitResult } from '../../../src/model/documents/check.ts';
import { BEFORE, entryWith, partOf, resultWith } from './runs.ts';

const result = (payload: string, more: Partial<LimitResult> = {}) =>
  resultWith({ payload, runtime: 'node@24.0.0', ...more });
const failure = (code: string): CheckFailure => ({ payload: 'a', file: 'a.json', code, message: code });

const STATUSES: [what: string, results: LimitResult[], failures: CheckFailure[], exit: number][] = [
  ['one only warns', [result('a', { outcome: 'failed', level: 'warn' })], [], 0],
  ['one is not measured', [result('a', { outcome: 'not-measured' })], [], 3],
  ['a file is missing', [], [failure('file-missing')], 2],
  [
    'a broken limit comes first',
    [result('a', { outcome: 'not-measured' }), result('b', { outcome: 'failed' })],
    [failure('file-missing')],
    1,
  ],
];

for (const [what, results, failures, exit] of STATUSES)
  test(`exit code: ${what}`, () => {
    const report = checkReport(partOf(results, { failures }));
    assert.deepEqual([exitCodeOf(report), report.passed], [exit, exit === 0]);
  });

/** "a on bun", of the entry before "#" or "/" */
const payloadsOf = (names: readonly string[]) => {
  const payloads: BaselinePayloads = {};
  for (const name of names) {
    const [id, key] = name.split(' on ') as [string, string];
    const [entry] = id.split(/[#/]/) as [string];
    payloads[id] = { entry, runtimes: { ...payloads[id]?.runtimes, [key]: BEFORE } };
  }
  return payloads;
};

/** Names are separated by commas; "a on node of b" is given by the entry b. Checked are the entries `asked` on Node.js. */
const CASES: [
  what: string,
  before: string,
  seen: string,
  missing: string,
  asked?: string,
  failed?: string,
][] = [
  ['parts of a payload that failed', 'm on node, m#a on node, m/a on node', '', 'm/a on node', 'm', 'm'],
  ['what another runtime had', 'm on bun', '', '', 'm'],
  ['only what was asked for', 'm#a on node, m#b on node, n on node', 'm#a on node', 'm#b on node', 'm'],
];

for (const [what, before, seen, missing, asked = '', failed] of CASES)
  test(`payloads that entries no longer give are listed: ${what}`, () => {
    const namesIn = (list: string) => list.split(', ').filter(Boolean);
    const keys = namesIn(seen)
      .map((name) => name.split(/ on | of /))
      .map(([id = '', key = '', name = id.split(/[#/]/)[0]!]) => {
        return { id, key, unit: { entry: { ...entryWith({}), id: name } } };
      });
    const units = namesIn(asked).map((id) => {
      return { entry: { ...entryWith({}), id }, spec: 'node', channel: 'worker' as const };
    });
    const failures = failed ? [{ payload: failed, file: failed, code: 'x', message: 'x' }] : [];
    const side = { facts: payloadsOf(namesIn(before)) };
    const found = missingResults(side, units, keys, failures, { level: 'error', file: null });
    assert.deepEqual(
      found.map(({ payload, runtime }) => `${payload} on ${runtime}`),
      namesIn(missing),
    );
  });

test('failures are listed once and in one order, whatever ended first', () => {
  const [a, b] = [failure('file-missing'), { ...failure('x'), payload: 'Z' }];
  const of = (failures: CheckFailure[]) => checkReport(partOf([], { failures })).failures;
  assert.deepEqual(of([a, b, a]), [b, a]);
  assert.deepEqual(of([b, a]), [b, a]);
});

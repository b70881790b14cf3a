import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReport, checkStatus, mergeChecks, shardOf } from '../../../src/gate/compare/check-report.ts';
import type { CheckFailure, LimitResult } from '../../../src/model/documents/check.ts';
import { partOf, resultWith } from './runs.ts';

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

test('the report does not depend on the order of results or on the shards', () => {
  const results = ['b', 'a', 'c'].flatMap((payload) => [
    result(payload, { limit: 'lossy', path: '$.b' }),
    result(payload, { limit: 'lossy', path: '$.a' }),
    result(payload),
    result(payload, { channel: 'ipc-advanced' }),
    result(payload, { runtime: 'bun@1.4.5', outcome: 'failed' }),
  ]);
  const failures = [failure('file-missing'), { ...failure('x'), payload: 'Z' }];
  const whole = checkReport(partOf(results, { failures }));
  assert.deepEqual(checkReport(partOf(results.toReversed(), { failures: failures.toReversed() })), whole);
  for (const count of [1, 2, 3, 4, 7, 40]) {
    const parts = Array.from({ length: count }, (_, i) => {
      const shard = { index: i + 1, count };
      const report = checkReport(partOf(shardOf(results, shard), { failures, shard }));
      return { file: `${i}.json`, report };
    });
    assert.deepEqual(mergeChecks(parts.toReversed()), whole, `${count} shards`);
  }
});

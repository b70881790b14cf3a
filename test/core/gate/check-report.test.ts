import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReport, checkStatus, mergeChecks, shardOf } from '../../../src/core/gate/check-report.ts';
import type { CheckFailure, LimitResult } from '../../../src/model/documents/check.ts';
import { partOf, resultWith } from './runs.ts';

const result = (payload: string, more: Partial<LimitResult> = {}) =>
  resultWith({ payload, runtime: 'node@24.0.0', ...more });
const failure = (code: string): CheckFailure => ({ payload: 'a', file: 'a.json', code, message: code });

const STATUSES: { what: string; results: LimitResult[]; failures?: CheckFailure[]; status: string }[] = [
  { what: 'nothing', results: [], status: 'ok' },
  { what: 'all passed', results: [result('a')], status: 'ok' },
  { what: 'one failed', results: [result('a'), result('b', { outcome: 'failed' })], status: 'failed' },
  { what: 'one only warns', results: [result('a', { outcome: 'failed', level: 'warn' })], status: 'ok' },
  { what: 'one is unsure', results: [result('a', { outcome: 'unsure' })], status: 'unmeasured' },
  { what: 'one is not measured', results: [result('a', { outcome: 'not-measured' })], status: 'unmeasured' },
  {
    what: 'one is not measured but only warns',
    results: [result('a', { outcome: 'not-measured', level: 'warn' })],
    status: 'ok',
  },
  { what: 'one is unmatched', results: [result('a', { outcome: 'unmatched' })], status: 'failed' },
  {
    what: 'one is unmatched, which the config allows',
    results: [result('a', { outcome: 'unmatched', level: 'warn' })],
    status: 'ok',
  },
  { what: 'a file is missing', results: [], failures: [failure('file-missing')], status: 'unreadable' },
  { what: 'a guest crashed', results: [], failures: [failure('guest-crashed')], status: 'unmeasured' },
  {
    what: 'a broken limit comes first',
    results: [result('a', { outcome: 'not-measured' }), result('b', { outcome: 'failed' })],
    failures: [failure('file-missing')],
    status: 'failed',
  },
];

for (const { what, results, failures = [], status } of STATUSES) {
  test(`status: ${what}`, () => {
    const report = checkReport(partOf(results, { failures }));
    assert.equal(
      checkStatus(report, (code) => code === 'file-missing'),
      status,
    );
    assert.equal(report.passed, status === 'ok');
  });
}

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinReports } from '../../../src/report/stored/stored-reports.ts';
import { payload, report, run } from '../../make.ts';
import { frozen } from '../../report/render.ts';

const node = run('node@24.0.0');
const bun = run('bun@1.4.5');

test('payloads follow each other; runs of one payload stand together', () => {
  const joined = joinReports([
    report(payload('orders', [node]), payload('rows', [node])),
    report(payload('orders', [bun]), payload('tree', [bun])),
  ]);
  assert.deepEqual(
    joined.payloads.map(({ id, runs }) => [id, runs]),
    [
      ['orders', [node, bun]],
      ['rows', [node]],
      ['tree', [bun]],
    ],
  );
});

test('payloads of one name and two files stay apart', () => {
  const other = payload('orders', [bun], { source: { file: 'other/orders.json', export: null } });
  const { payloads } = joinReports([report(payload('orders', [node])), report(other)]);
  assert.deepEqual(
    payloads.map(({ source }) => source.file),
    ['fixtures/orders.json', 'other/orders.json'],
  );
});

test('a payload that failed to load in one report is taken from the other', () => {
  const error = { code: 'file-missing', message: 'x' };
  const { payloads } = joinReports([report(payload('a', [], { error })), report(payload('a', [bun]))]);
  assert.deepEqual(payloads, [payload('a', [bun])]);
});

test('the date is kept if all reports have the same; a recording is listed once', () => {
  const recording = frozen('recording');
  const a = { ...recording, date: '2026-01-31' };
  assert.deepEqual(joinReports([a, a]).recordings, recording.recordings);
  assert.equal(joinReports([a, a]).date, '2026-01-31');
  assert.equal(joinReports([a, { ...a, date: '2026-02-01' }]).date, undefined);
});

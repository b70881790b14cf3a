import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReasons } from '../../src/cli/actions/gate/check.ts';
import { CHECK_SCHEMA } from '../../src/model/document-ids.ts';
import type { CheckReport, LimitResult } from '../../src/model/documents/check.ts';
import { partOf, resultWith } from '../core/gate/runs.ts';

const result = (over: Partial<LimitResult>): LimitResult =>
  resultWith({
    ...{ runtime: 'node@24.21.0', limit: 'time', outcome: 'not-measured', written: '+10%' },
    ...{ expected: null, actual: null, ...over },
  });

const reportOf = (part: Pick<CheckReport, 'results' | 'failures'>): CheckReport => ({
  ...{ schema: CHECK_SCHEMA, passed: false },
  ...partOf(part.results, part),
});

test('a reason is one line, without what the program printed', () => {
  const message = 'rows.mjs: the runtime crashed (SIGSEGV)\nIt printed:\nSecret\nand more';
  const rows: [name: string, part: Partial<CheckReport>, reasons: string[]][] = [
    [
      'a limit that is not measured',
      { results: [result({ reason: message })] },
      ['rows on node@24.21.0: time not measured: rows.mjs: the runtime crashed (SIGSEGV)'],
    ],
    [
      'a payload that is not loaded',
      { failures: [{ payload: 'rows', file: 'rows.mjs', code: 'guest-crashed', message }] },
      ['rows.mjs: the runtime crashed (SIGSEGV)'],
    ],
    [
      'a broken limit',
      {
        results: [
          result({
            limit: 'class',
            outcome: 'failed',
            written: 'in-memory',
            expected: 'in-memory',
            actual: 'serialized',
            path: '$.a',
          }),
        ],
      },
      ['rows on node@24.21.0: class serialized, limit in-memory at $.a'],
    ],
  ];
  for (const [name, part, reasons] of rows)
    assert.deepEqual(checkReasons(reportOf({ results: [], failures: [], ...part })), reasons, name);
});

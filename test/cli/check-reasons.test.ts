import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReasons } from '../../src/cli/actions/gate/check.ts';
import { CHECK_SCHEMA } from '../../src/model/document-ids.ts';
import type { CheckReport, LimitResult } from '../../src/model/documents/check.ts';

const result = (over: Partial<LimitResult>): LimitResult => ({
  payload: 'rows',
  runtime: 'node@24.21.0',
  channel: 'worker',
  limit: 'time',
  level: 'error',
  outcome: 'not-measured',
  written: '+10%',
  against: 'baseline',
  expected: null,
  actual: null,
  was: null,
  change: null,
  path: null,
  example: null,
  rule: null,
  file: 'rows.mjs',
  line: null,
  ...over,
});

const reportOf = (part: Pick<CheckReport, 'results' | 'failures'>): CheckReport => ({
  schema: CHECK_SCHEMA,
  tool: { version: '0.1.0' },
  passed: false,
  shard: null,
  inputs: { config: '', baseline: null, baselineFile: '' },
  unchecked: [],
  ...part,
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedEntry } from '../../../src/core/gate/limit-check.ts';
import { checkFacts } from '../../../src/core/gate/limits.ts';
import type { BaselineFacts } from '../../../src/model/documents/baseline.ts';
import type { LimitResult } from '../../../src/model/documents/check.ts';
import { row } from '../../make.ts';
import {
  BEFORE,
  blocker,
  entryWith,
  finding,
  limit,
  overBaseline,
  type RunFacts,
  run,
  text,
  view,
} from './runs.ts';

interface LimitCase {
  what: string;
  limits: NamedEntry['limits'];
  facts: RunFacts;
  transfer?: string[];
  was?: BaselineFacts | null;
  /** outcome, actual, path; one for each result. */
  expected: [LimitResult['outcome'], LimitResult['actual'], string | null][];
}

const CASES: LimitCase[] = [
  {
    what: 'as good a class',
    limits: { class: limit('in-memory') },
    facts: {},
    expected: [['passed', 'in-memory', null]],
  },
  {
    what: 'a better class',
    limits: { class: limit('bulk') },
    facts: {},
    expected: [['passed', 'in-memory', null]],
  },
  {
    what: 'a worse class names its blocker',
    limits: { class: limit('in-memory') },
    facts: { class: 'serialized', blockers: [blocker('jsc/nested-value', '$[*].geo')] },
    expected: [['failed', 'serialized', '$[*].geo']],
  },
  {
    what: 'of several blockers the one that is not in the baseline',
    limits: { class: limit('in-memory') },
    facts: {
      class: 'serialized',
      blockers: [blocker('jsc/hole', '$'), blocker('jsc/nested-value', '$[*].geo')],
    },
    was: BEFORE,
    expected: [['failed', 'serialized', '$[*].geo']],
  },
  {
    what: 'a worse class without a blocker names the slow finding',
    limits: { class: limit('bulk') },
    facts: {
      class: 'degraded',
      findings: [finding('a', 'note', '$.a'), finding('v8/rope', 'slow', '$.text')],
    },
    expected: [['failed', 'degraded', '$.text']],
  },
  {
    what: 'a worse class without a cause',
    limits: { class: limit('bulk') },
    facts: { class: 'serialized' },
    expected: [['failed', 'serialized', '$']],
  },
  {
    what: 'no worse than the baseline',
    limits: { class: limit(true, { against: 'baseline' }) },
    facts: {},
    was: BEFORE,
    expected: [['passed', 'in-memory', null]],
  },
  {
    what: 'worse than the baseline',
    limits: { class: limit(true, { against: 'baseline' }) },
    facts: { class: 'bulk' },
    was: BEFORE,
    expected: [['failed', 'bulk', '$']],
  },
  {
    what: 'no baseline for a limit of the user',
    limits: { class: limit(true, { against: 'baseline' }) },
    facts: {},
    expected: [['not-measured', null, null]],
  },
  {
    what: 'as many bytes as allowed',
    limits: { maxBytes: limit(100) },
    facts: { wireBytes: 100 },
    expected: [['passed', 100, null]],
  },
  {
    what: 'one byte more',
    limits: { maxBytes: limit(100) },
    facts: { wireBytes: 101, rows: [row('$', 'array'), text('$[*].a', 5), text('$[*].b', 50)] },
    expected: [['failed', 101, '$[*].b']],
  },
  {
    what: 'growth within its limit',
    limits: { maxBytes: overBaseline(0.1) },
    facts: { wireBytes: 1100 },
    was: BEFORE,
    expected: [['passed', 1100, null]],
  },
  {
    what: 'growth beyond its limit names what grew, not what is large',
    limits: { maxBytes: overBaseline(0.1) },
    facts: { wireBytes: 1300, rows: [text('$[*].name', 400), text('$[*].text', 500)] },
    was: BEFORE,
    expected: [['failed', 1300, '$[*].name']],
  },
  {
    what: 'unknown bytes',
    limits: { maxBytes: limit(100) },
    facts: {},
    expected: [['not-measured', null, null]],
  },
  {
    what: 'too many nodes',
    limits: { maxNodes: limit(3) },
    facts: { rows: [row('$', 'array'), row('$[*]', 'number', [], { count: 7 })] },
    expected: [['failed', 8, '$[*]']],
  },
  {
    what: 'too deep',
    limits: { maxDepth: limit(1) },
    facts: { rows: [row('$', 'object'), row('$.a.b', 'number')] },
    expected: [['failed', 2, '$.a.b']],
  },
  {
    what: 'a small view on a large buffer',
    limits: { maxAmplification: limit(2) },
    facts: { rows: [row('$', 'object'), view('$.head', 10, 1000), view('$.all', 100, 100)] },
    expected: [['failed', 10, '$.head']],
  },
  {
    what: 'transferred buffers are not copied',
    limits: { maxAmplification: limit(2) },
    facts: { rows: [row('$', 'object'), view('$.head', 10, 1000)] },
    transfer: ['$.head'],
    expected: [['passed', 1, null]],
  },
  {
    what: 'shared memory is not copied',
    limits: { maxAmplification: limit(2) },
    facts: { rows: [row('$', 'object'), view('$.head', 10, 0, { flags: ['shared-backing'] })] },
    expected: [['passed', 1, null]],
  },
  {
    what: 'one result for each loss',
    limits: { lossy: limit(true) },
    facts: {
      findings: [finding('spec/class-instance', 'lossy', '$[*].at', 3), finding('spec/frozen', 'lossy', '$')],
    },
    expected: [
      ['failed', 3, '$[*].at'],
      ['failed', 1, '$'],
    ],
  },
  {
    what: 'no loss',
    limits: { lossy: limit(true) },
    facts: { findings: [finding('a', 'slow', '$')] },
    expected: [['passed', 0, null]],
  },
  {
    what: 'refused by a rule',
    limits: { rejected: limit(true) },
    facts: { findings: [finding('spec/function', 'rejected', '$.f')] },
    expected: [['failed', 1, '$.f']],
  },
  {
    what: 'refused by the engine alone',
    limits: { rejected: limit(true) },
    facts: { class: 'rejected' },
    expected: [['failed', 1, '$']],
  },
  {
    what: 'a buffer that is not listed',
    limits: { transfer: limit(true) },
    facts: { rows: [row('$', 'object'), view('$.a', 10, 10), view('$.b', 10, 10)] },
    transfer: ['$.a'],
    expected: [['failed', 1, '$.b']],
  },
  {
    what: 'all buffers listed, as programs write it',
    limits: { transfer: limit(true) },
    facts: {
      rows: [
        row('$', 'object'),
        view('$.a', 10, 10),
        row('$.b', 'arraybuffer', [], { bytes: { total: 4, max: 4 } }),
      ],
    },
    transfer: ['$.a.buffer', '$.b'],
    expected: [['passed', 0, null]],
  },
  {
    what: 'a run that failed passes nothing',
    limits: { class: limit('degraded'), lossy: limit(true) },
    facts: { error: 'no answer' },
    expected: [
      ['not-measured', null, null],
      ['not-measured', null, null],
    ],
  },
  {
    what: 'a limit that is off',
    limits: { class: limit('shared', { level: 'off' }) },
    facts: { class: 'degraded' },
    expected: [],
  },
];

for (const { what, limits, facts, transfer, was, expected } of CASES) {
  test(`limit: ${what}`, () => {
    const results = checkFacts(entryWith(limits, transfer), run(facts), was ?? null);
    assert.deepEqual(
      results.map(({ outcome, actual, path }) => [outcome, actual, path]),
      expected,
    );
    assert.ok(results.every(({ outcome, reason }) => outcome !== 'not-measured' || reason));
  });
}

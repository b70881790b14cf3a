import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFacts, type NamedEntry } from '../../../src/gate/compare/limits.ts';
import type { BaselineFacts } from '../../../src/model/documents/baseline.ts';
import { row, rowsIn } from '../../make.ts';
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

/** "outcome actual path", one for each result. */
type Row = [
  what: string,
  limits: NamedEntry['limits'],
  facts: RunFacts,
  expected: string[],
  context?: { transfer?: string[]; was?: BaselineFacts },
];

const IN_MEMORY = { class: limit('in-memory') };
const BULK = { class: limit('bulk') };
const AS_BEFORE = { class: limit(true, { against: 'baseline' }) };
const GROWTH = { maxBytes: overBaseline(0.1) };
const TWICE = { maxAmplification: limit(2) };
const LISTED = { transfer: limit(true) };

const [HOLE, GEO] = [blocker('jsc/hole', '$'), blocker('jsc/nested-value', '$[*].geo')];
const ROPE = [finding('a', 'note', '$.a'), finding('v8/rope', 'slow', '$.text')];
const LOSSES = [finding('spec/class-instance', 'lossy', '$[*].at', 3), finding('spec/frozen', 'lossy', '$')];
const [OBJECT] = rowsIn('$ object');
const HEAD = view('$.head', 10, 1000);
const SHARED = view('$.head', 10, 0, { flags: ['shared-backing'] });
const [A, B] = [view('$.a', 10, 10), view('$.b', 10, 10)];
const BUFFER = row('$.b', 'arraybuffer', [], { bytes: { total: 4, max: 4 } });

const ROWS: Row[] = [
  ['as good a class', IN_MEMORY, {}, ['passed in-memory null']],
  ['a better class', BULK, {}, ['passed in-memory null']],
  [
    'a worse class names its blocker',
    IN_MEMORY,
    { class: 'serialized', blockers: [GEO] },
    ['failed serialized $[*].geo'],
  ],
  [
    'of several blockers the one that is not in the baseline',
    IN_MEMORY,
    { class: 'serialized', blockers: [HOLE, GEO] },
    ['failed serialized $[*].geo'],
    { was: BEFORE },
  ],
  [
    'a worse class without a blocker names the slow finding',
    BULK,
    { class: 'degraded', findings: ROPE },
    ['failed degraded $.text'],
  ],
  ['a worse class without a cause', BULK, { class: 'serialized' }, ['failed serialized $']],
  ['no worse than the baseline', AS_BEFORE, {}, ['passed in-memory null'], { was: BEFORE }],
  ['worse than the baseline', AS_BEFORE, { class: 'bulk' }, ['failed bulk $'], { was: BEFORE }],
  ['no baseline for a limit of the user', AS_BEFORE, {}, ['not-measured null null']],
  ['as many bytes as allowed', { maxBytes: limit(100) }, { copied: 100 }, ['passed 100 null']],
  [
    'one byte more',
    { maxBytes: limit(100) },
    { copied: 101, rows: [...rowsIn('$ array'), text('$[*].a', 5), text('$[*].b', 50)] },
    ['failed 101 $[*].b'],
  ],
  ['growth within its limit', GROWTH, { copied: 1100 }, ['passed 1100 null'], { was: BEFORE }],
  [
    'growth beyond its limit names what grew, not what is large',
    GROWTH,
    { copied: 1300, rows: [text('$[*].name', 400), text('$[*].text', 500)] },
    ['failed 1300 $[*].name'],
    { was: BEFORE },
  ],
  ['unknown bytes', { maxBytes: limit(100) }, {}, ['not-measured null null']],
  ['too many nodes', { maxNodes: limit(3) }, { rows: rowsIn('$ array; $[*] number ×7') }, ['failed 8 $[*]']],
  ['too deep', { maxDepth: limit(1) }, { rows: rowsIn('$ object; $.a.b number') }, ['failed 2 $.a.b']],
  [
    'a small view on a large buffer',
    TWICE,
    { rows: [OBJECT!, HEAD, view('$.all', 100, 100)] },
    ['failed 10 $.head'],
  ],
  [
    'transferred buffers are not copied',
    TWICE,
    { rows: [OBJECT!, HEAD] },
    ['passed 1 null'],
    { transfer: ['$.head'] },
  ],
  ['shared memory is not copied', TWICE, { rows: [OBJECT!, SHARED] }, ['passed 1 null']],
  [
    'one result for each loss',
    { lossy: limit(true) },
    { findings: LOSSES },
    ['failed 3 $[*].at', 'failed 1 $'],
  ],
  ['no loss', { lossy: limit(true) }, { findings: [finding('a', 'slow', '$')] }, ['passed 0 null']],
  [
    'refused by a rule',
    { rejected: limit(true) },
    { findings: [finding('spec/function', 'rejected', '$.f')] },
    ['failed 1 $.f'],
  ],
  ['refused by the engine alone', { rejected: limit(true) }, { class: 'rejected' }, ['failed 1 $']],
  ['a buffer that is not listed', LISTED, { rows: [OBJECT!, A, B] }, ['failed 1 $.b'], { transfer: ['$.a'] }],
  [
    'all buffers listed, as programs write it',
    LISTED,
    { rows: [OBJECT!, A, BUFFER] },
    ['passed 0 null'],
    { transfer: ['$.a.buffer', '$.b'] },
  ],
  [
    'a run that failed passes nothing',
    { class: limit('degraded'), lossy: limit(true) },
    { error: 'no answer' },
    ['not-measured null null', 'not-measured null null'],
  ],
  ['a limit that is off', { class: limit('shared', { level: 'off' }) }, { class: 'degraded' }, []],
];

for (const [what, limits, facts, expected, { transfer, was = null } = {}] of ROWS)
  test(`limit: ${what}`, () => {
    const results = checkFacts(entryWith(limits, transfer), run(facts), was);
    assert.deepEqual(
      results.map(({ outcome, actual, path }) => `${outcome} ${actual} ${path}`),
      expected,
    );
    assert.ok(results.every(({ outcome, reason }) => outcome !== 'not-measured' || reason));
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkFacts,
  isListed,
  isTransferable,
  judgeByLimit,
  judgeMemoryRatio,
  type NamedEntry,
} from '../../../src/gate/compare/limits.ts';
import type { BaselineFacts, Limit } from '../../../src/model/documents/baseline.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import type { MemoryUse } from '../../../src/model/wire/wire.ts';
import { row, rowsIn, shapeOf } from '../../make.ts';
import { BEFORE, blocker, entryWith, finding, type RunFacts, run, text, view } from './runs.ts';

/** "outcome actual path", one for each result. */
type Row = [
  what: string,
  limits: NamedEntry['limits'],
  facts: RunFacts,
  expected: string[],
  context?: { transfer?: string[]; was?: BaselineFacts; before?: Facts[] },
];

const limit = (value: Limit['value'], more: Partial<Limit> = {}): Limit => ({
  level: 'error',
  value,
  text: String(value),
  ...more,
});
const overBaseline = (value: number) => limit(value, { against: 'baseline', text: `+${100 * value}%` });

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
const SHARED = view('$.head', 10, 1000, { flags: ['shared-backing'] });
const [A, B] = [view('$.a', 10, 10), view('$.b', 10, 10)];

const EIGHT = [...'abcdefgh'].map((name) => text(`$.${name}`, 50));
const EIGHT_KEPT = { ...BEFORE, heaviest: Object.fromEntries(EIGHT.map(({ pattern }) => [pattern, 50])) };

const ROWS: Row[] = [
  ['a better class', BULK, {}, ['passed in-memory null']],
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
  ['no worse than the baseline', AS_BEFORE, {}, ['passed in-memory null'], { was: BEFORE }],
  ['worse than the baseline', AS_BEFORE, { class: 'bulk' }, ['failed bulk $'], { was: BEFORE }],
  ['no baseline for a limit of the user', AS_BEFORE, {}, ['not-measured null null']],
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
  [
    'growth of the only pattern that the baseline does not keep',
    GROWTH,
    { copied: 1300, rows: [...EIGHT, text('$.small', 5)] },
    ['failed 1300 $.small'],
    { was: EIGHT_KEPT },
  ],
  [
    'growth of one of several patterns that the baseline does not keep',
    GROWTH,
    { copied: 1300, rows: [...EIGHT, text('$.small', 5), text('$.other', 4)] },
    ['failed 1300 $'],
    { was: EIGHT_KEPT },
  ],
  [
    'growth of a small pattern since a commit, whose shape is known whole',
    { maxNodes: overBaseline(0.1) },
    { rows: [...EIGHT, text('$.small', 5), text('$.other', 4)] },
    ['failed 10 $.other'],
    { was: { ...EIGHT_KEPT, nodes: 9 }, before: [...EIGHT, text('$.small', 5)] },
  ],
  ['unknown bytes', { maxBytes: limit(100) }, {}, ['not-measured null null']],
  [
    'too many nodes, most of them beside a text that has more bytes',
    { maxNodes: limit(3) },
    { rows: rowsIn('$ object; $.text string bytes=900; $.list[*] number ×7') },
    ['failed 9 $.list[*]'],
  ],
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
    'a run that failed passes nothing',
    { class: limit('degraded'), lossy: limit(true) },
    { error: 'no answer' },
    ['not-measured null null', 'not-measured null null'],
  ],
  ['a limit that is off', { class: limit('shared', { level: 'off' }) }, { class: 'degraded' }, []],
];

for (const [what, limits, facts, expected, { transfer, was = null, before } = {}] of ROWS)
  test(`limit: ${what}`, () => {
    const results = checkFacts(entryWith(limits, transfer), run(facts), {
      was,
      before: before ? shapeOf('jsc', ...before) : null,
    });
    assert.deepEqual(
      results.map(({ outcome, actual, path }) => `${outcome} ${actual} ${path}`),
      expected,
    );
    assert.ok(results.every(({ outcome, reason }) => outcome !== 'not-measured' || reason));
  });

const tiles = (count: number) => view('$.tiles[*].pixels', 1, 1, { count });
const [FIRST, SECOND] = ['$.tiles[0].pixels', '$.tiles[1].pixels.buffer'] as const;
const PORT = row('$.port', 'platform', ['transferable'], { tag: 'MessagePort' });
const COVERED: [row: Facts, listed: string[], covered: boolean][] = [
  [tiles(3), ['$.tiles[*].pixels'], true],
  [tiles(2), [FIRST, SECOND], true],
  [tiles(2), [FIRST, `${FIRST}.buffer`], false],
  [PORT, ['$.port'], true],
];

for (const [facts, listed, covered] of COVERED)
  test(`${facts.count} at ${facts.pattern}, listed ${listed.join(' and ') || 'nothing'}`, () => {
    assert.equal(isTransferable(facts), true);
    assert.equal(isListed(facts, listed), covered);
  });

test('memory that cannot be transferred need not be listed', () => {
  for (const flag of ['shared-backing', 'detached', 'wasm-memory', 'pooled', 'untransferable'] as const) {
    assert.equal(isTransferable(view('$.a', 1, 1, { flags: [flag] })), false, flag);
  }
  assert.equal(isTransferable(view('$.a', 0, 0)), false);
  assert.equal(isTransferable(text('$.a', 5)), false);
});

const of = (ratio: number, ci: [number, number], samples = 300, processes = 5): RatioEstimate => ({
  ...{ ratio, ci, samples, processes },
});
const WITHIN =
  'the limit is within the interval: in this time growth from 10 % on can be detected; a longer --budget narrows it';

/** The limit is +10 %. */
const RATIOS: [estimate: RatioEstimate, outcome: string, reason?: string][] = [
  [of(1.05, [1, 1.1]), 'passed'],
  [of(1.1, [1, 1.2]), 'unsure', WITHIN],
  [of(1.3, [1.11, 1.5], 300, 2), 'unsure', 'too few processes: 2; a longer --budget takes more'],
  [of(1.3, [1.2, 1.4], 300, 3), 'failed'],
  [of(1.3, [1.2, 1.4], 1, 1), 'unsure', 'too few samples: 1; a longer --budget takes more'],
  [of(1.26, [0.03, 62.9], 3, 3), 'unsure', 'too few samples: 3; a longer --budget takes more'],
];

for (const [estimate, outcome, reason] of RATIOS)
  test(`time: ${JSON.stringify(estimate)}: ${outcome}`, () => {
    const judged = judgeByLimit(estimate, 1.1);
    assert.equal(judged.outcome, outcome);
    assert.equal(judged.reason === undefined, outcome !== 'unsure');
    if (reason !== undefined) assert.equal(judged.reason, reason);
    // A single sample has no interval, and a ratio of it is no growth.
    assert.equal(judged.actual, estimate.samples === 1 ? null : estimate.ratio);
  });

const memoryOf = (...perMessage: number[]): MemoryUse[] =>
  perMessage.map((bytes) => {
    return { type: 'memory-use', bytes: 1000 * bytes, perMessage: bytes, messages: 1000, baselineBytes: 0 };
  });

const MEMORY: [what: string, before: number[], now: number[], outcome: string | undefined][] = [
  ['twice as much', [50_000, 51_000, 52_000], [100_000, 101_000, 99_000], 'failed'],
  ['too scattered', [50_000, 90_000, 51_000], [100_000, 50_000, 99_000], 'unsure'],
  ['both within noise', [1, 2, 3], [500, 600, 700], 'passed'],
  ['two processes only', [50_000, 51_000], [100_000, 101_000], 'unsure'],
  ['none', [50_000], [], undefined],
];

for (const [what, before, now, outcome] of MEMORY)
  test(`memory: ${what}`, () => {
    assert.equal(judgeMemoryRatio(memoryOf(...before), memoryOf(...now), 1.2)?.outcome, outcome);
  });

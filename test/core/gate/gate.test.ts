import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, type RecordedFacts, updatedBaseline } from '../../../src/core/gate/baseline.ts';
import { amplificationOf, factsOf } from '../../../src/core/gate/baseline-facts.ts';
import { checkReport, checkStatus, mergeChecks, shardOf } from '../../../src/core/gate/check-report.ts';
import type { NamedEntry } from '../../../src/core/gate/limit-check.ts';
import { checkFacts } from '../../../src/core/gate/limits.ts';
import { judgeMemoryRatio } from '../../../src/core/gate/memory-ratio.ts';
import { judgeRatio } from '../../../src/core/gate/ratio.ts';
import { isListed, isTransferable } from '../../../src/core/gate/transfers.ts';
import type { BaselineFacts, CheckFailure, Limit, LimitName, LimitResult } from '../../../src/model/check.ts';
import type { CostClass, Level } from '../../../src/model/names.ts';
import type { Run } from '../../../src/model/report.ts';
import type { Blocker, Finding } from '../../../src/model/rule.ts';
import type { Facts } from '../../../src/model/shape.ts';
import type { MemoryUse } from '../../../src/model/wire.ts';
import { row, shapeOf } from '../../support/shapes.ts';

const limit = (value: Limit['value'], more: Partial<Limit> = {}): Limit => ({
  level: 'error',
  value,
  text: String(value),
  ...more,
});
const overBaseline = (value: number) => limit(value, { against: 'baseline', text: `+${100 * value}%` });

function entryWith(limits: NamedEntry['limits'], transfer: string[] = []): NamedEntry {
  return {
    id: 'rows',
    runtime: 'bun@1.4.5',
    input: 'rows.json',
    export: null,
    as: null,
    runtimes: ['bun'],
    channels: ['worker'],
    via: null,
    transfer,
    limits,
  };
}

const finding = (rule: string, level: Level, path: string, count = 1): Finding => {
  return { rule, level, path, count, example: path.replaceAll('[*]', '[0]') };
};
const blocker = (rule: string, path: string): Blocker => ({
  rule,
  path,
  count: 1,
  example: path.replaceAll('[*]', '[0]'),
});

interface Told {
  class?: CostClass;
  blockers?: Blocker[];
  findings?: Finding[];
  rows?: Facts[];
  wireBytes?: number | null;
  error?: string;
}

function run({
  class: cost = 'in-memory',
  blockers = [],
  findings = [],
  rows = [row('$', 'array')],
  ...told
}: Told): Run {
  const failed = told.error !== undefined;
  return {
    runtime: { name: 'bun', version: '1.4.5', engine: 'jsc' },
    channel: 'worker',
    status: failed ? 'failed' : 'classified',
    error: failed ? { code: 'guest-timeout', message: told.error ?? '' } : null,
    shape: failed ? null : shapeOf('jsc', ...rows),
    verdict: failed
      ? null
      : {
          path: 'serializer',
          class: cost,
          confirmed: null,
          aspired: null,
          blockers,
          upgrade: null,
          unknowns: [],
        },
    findings,
    wireBytes: told.wireBytes ?? null,
    measurement: null,
    trials: [],
    advice: null,
  };
}

const BEFORE: BaselineFacts = {
  path: 'simple-array',
  class: 'in-memory',
  blockers: [{ rule: 'jsc/hole', path: '$' }],
  bytes: 1000,
  nodes: 10,
  depth: 2,
  losses: [],
  heaviest: { '$[*].name': 100, '$[*].text': 500 },
};

const text = (pattern: string, total: number) => row(pattern, 'string', [], { bytes: { total, max: total } });
const view = (pattern: string, total: number, backing: number, more: Partial<Facts> = {}) =>
  row(pattern, 'typedarray', more.flags ?? [], { bytes: { total, max: total, backing }, ...more });

interface Row {
  what: string;
  limits: NamedEntry['limits'];
  told: Told;
  transfer?: string[];
  was?: BaselineFacts | null;
  /** outcome, actual, path; one for each result. */
  says: [LimitResult['outcome'], string, string | null][];
}

const JUDGED: Row[] = [
  {
    what: 'as good a class',
    limits: { class: limit('in-memory') },
    told: {},
    says: [['passed', 'in-memory', null]],
  },
  {
    what: 'a better class',
    limits: { class: limit('bulk') },
    told: {},
    says: [['passed', 'in-memory', null]],
  },
  {
    what: 'a worse class names its blocker',
    limits: { class: limit('in-memory') },
    told: { class: 'serialized', blockers: [blocker('jsc/nested-value', '$[*].geo')] },
    says: [['failed', 'serialized', '$[*].geo']],
  },
  {
    what: 'of several blockers the one that the baseline does not know',
    limits: { class: limit('in-memory') },
    told: {
      class: 'serialized',
      blockers: [blocker('jsc/hole', '$'), blocker('jsc/nested-value', '$[*].geo')],
    },
    was: BEFORE,
    says: [['failed', 'serialized', '$[*].geo']],
  },
  {
    what: 'a worse class without a blocker names what is slow',
    limits: { class: limit('bulk') },
    told: {
      class: 'degraded',
      findings: [finding('a', 'note', '$.a'), finding('v8/rope', 'slow', '$.text')],
    },
    says: [['failed', 'degraded', '$.text']],
  },
  {
    what: 'a worse class and nothing to blame',
    limits: { class: limit('bulk') },
    told: { class: 'serialized' },
    says: [['failed', 'serialized', '$']],
  },
  {
    what: 'no worse than it was',
    limits: { class: limit(true, { against: 'baseline' }) },
    told: {},
    was: BEFORE,
    says: [['passed', 'in-memory', null]],
  },
  {
    what: 'worse than it was',
    limits: { class: limit(true, { against: 'baseline' }) },
    told: { class: 'bulk' },
    was: BEFORE,
    says: [['failed', 'bulk', '$']],
  },
  {
    what: 'no baseline, though asked for',
    limits: { class: limit(true, { against: 'baseline' }) },
    told: {},
    says: [['not-measured', 'unknown', null]],
  },
  {
    what: 'no baseline, by a preset',
    limits: { class: limit(true, { against: 'baseline', preset: true }) },
    told: {},
    says: [['unsure', 'unknown', null]],
  },
  {
    what: 'as many bytes as allowed',
    limits: { maxBytes: limit(100) },
    told: { wireBytes: 100 },
    says: [['passed', '100 B', null]],
  },
  {
    what: 'one byte more',
    limits: { maxBytes: limit(100) },
    told: { wireBytes: 101, rows: [row('$', 'array'), text('$[*].a', 5), text('$[*].b', 50)] },
    says: [['failed', '101 B', '$[*].b']],
  },
  {
    what: 'growth within its limit',
    limits: { maxBytes: overBaseline(0.1) },
    told: { wireBytes: 1100 },
    was: BEFORE,
    says: [['passed', '1100 B', null]],
  },
  {
    what: 'growth beyond its limit names what grew, not what is large',
    limits: { maxBytes: overBaseline(0.1) },
    told: { wireBytes: 1300, rows: [text('$[*].name', 400), text('$[*].text', 500)] },
    was: BEFORE,
    says: [['failed', '1300 B', '$[*].name']],
  },
  {
    what: 'unknown bytes',
    limits: { maxBytes: limit(100) },
    told: {},
    says: [['not-measured', 'unknown', null]],
  },
  {
    what: 'too many nodes',
    limits: { maxNodes: limit(3) },
    told: { rows: [row('$', 'array'), row('$[*]', 'number', [], { count: 7 })] },
    says: [['failed', '8', '$[*]']],
  },
  {
    what: 'too deep',
    limits: { maxDepth: limit(1) },
    told: { rows: [row('$', 'object'), row('$.a.b', 'number')] },
    says: [['failed', '2', '$.a.b']],
  },
  {
    what: 'a view that drags its buffer along',
    limits: { maxAmplification: limit(2) },
    told: { rows: [row('$', 'object'), view('$.head', 10, 1000), view('$.all', 100, 100)] },
    says: [['failed', '10', '$.head']],
  },
  {
    what: 'what is transferred is not copied',
    limits: { maxAmplification: limit(2) },
    told: { rows: [row('$', 'object'), view('$.head', 10, 1000)] },
    transfer: ['$.head'],
    says: [['passed', '1', null]],
  },
  {
    what: 'shared memory is not copied',
    limits: { maxAmplification: limit(2) },
    told: { rows: [row('$', 'object'), view('$.head', 10, 0, { flags: ['shared-backing'] })] },
    says: [['passed', '1', null]],
  },
  {
    what: 'each loss by itself',
    limits: { lossy: limit(true) },
    told: {
      findings: [finding('spec/class-instance', 'lossy', '$[*].at', 3), finding('spec/frozen', 'lossy', '$')],
    },
    says: [
      ['failed', '3 values', '$[*].at'],
      ['failed', '1 value', '$'],
    ],
  },
  {
    what: 'no loss',
    limits: { lossy: limit(true) },
    told: { findings: [finding('a', 'slow', '$')] },
    says: [['passed', 'none', null]],
  },
  {
    what: 'refused by a rule',
    limits: { rejected: limit(true) },
    told: { findings: [finding('spec/function', 'rejected', '$.f')] },
    says: [['failed', '1 value', '$.f']],
  },
  {
    what: 'refused by the engine alone',
    limits: { rejected: limit(true) },
    told: { class: 'rejected' },
    says: [['failed', 'refused by the engine', '$']],
  },
  {
    what: 'a buffer that is not listed',
    limits: { transfer: limit(true) },
    told: { rows: [row('$', 'object'), view('$.a', 10, 10), view('$.b', 10, 10)] },
    transfer: ['$.a'],
    says: [['failed', '1 not listed', '$.b']],
  },
  {
    what: 'all buffers listed, as programs write it',
    limits: { transfer: limit(true) },
    told: {
      rows: [
        row('$', 'object'),
        view('$.a', 10, 10),
        row('$.b', 'arraybuffer', [], { bytes: { total: 4, max: 4 } }),
      ],
    },
    transfer: ['$.a.buffer', '$.b'],
    says: [['passed', 'all', null]],
  },
  {
    what: 'a run that failed passes nothing',
    limits: { class: limit('degraded'), lossy: limit(true) },
    told: { error: 'no answer' },
    says: [
      ['not-measured', 'unknown', null],
      ['not-measured', 'unknown', null],
    ],
  },
  {
    what: 'a limit that is off',
    limits: { class: limit('shared', { level: 'off' }) },
    told: { class: 'degraded' },
    says: [],
  },
];

for (const { what, limits, told, transfer, was, says } of JUDGED) {
  test(`limit: ${what}`, () => {
    const results = checkFacts(entryWith(limits, transfer), run(told), was ?? null);
    assert.deepEqual(
      results.map(({ outcome, actual, path }) => [outcome, actual, path]),
      says,
    );
    assert.ok(results.every(({ outcome, reason }) => outcome !== 'not-measured' || reason));
  });
}

const LISTED: { row: Facts; listed: string[]; covered: boolean }[] = [
  { row: view('$.tiles[*].pixels', 1, 1, { count: 3 }), listed: ['$.tiles[*].pixels'], covered: true },
  { row: view('$.tiles[*].pixels', 1, 1, { count: 3 }), listed: ['$.tiles[0].pixels'], covered: false },
  {
    row: view('$.tiles[*].pixels', 1, 1, { count: 2 }),
    listed: ['$.tiles[0].pixels', '$.tiles[1].pixels.buffer'],
    covered: true,
  },
  {
    row: view('$.tiles[*].pixels', 1, 1, { count: 2 }),
    listed: ['$.tiles[0].pixels', '$.tiles[0].pixels.buffer'],
    covered: false,
  },
  { row: view('$.a', 1, 1), listed: ['$.b'], covered: false },
  { row: view('$.a', 1, 1), listed: [], covered: false },
  {
    row: row('$.port', 'platform', ['transferable'], { tag: 'MessagePort' }),
    listed: ['$.port'],
    covered: true,
  },
];

for (const { row: facts, listed, covered } of LISTED) {
  test(`${facts.count} at ${facts.pattern}, listed ${listed.join(' and ') || 'nothing'}`, () => {
    assert.equal(isTransferable(facts), true);
    assert.equal(isListed(facts, listed), covered);
  });
}

test('memory that cannot change its owner need not be listed', () => {
  for (const flag of ['shared-backing', 'detached', 'wasm-memory', 'pooled'] as const) {
    assert.equal(isTransferable(view('$.a', 1, 1, { flags: [flag] })), false, flag);
  }
  assert.equal(isTransferable(view('$.a', 0, 0)), false);
  assert.equal(isTransferable(text('$.a', 5)), false);
});

test('amplification of nothing is 1', () => {
  assert.deepEqual(amplificationOf(shapeOf('v8', row('$', 'object'))), { ratio: 1, path: null });
});

const RATIOS: { ratio: number; ci: [number, number]; processes?: number; outcome: string }[] = [
  { ratio: 1, ci: [0.95, 1.05], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.1], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.11], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.09, 1.5], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.11, 1.5], outcome: 'failed' },
  { ratio: 1.3, ci: [1.11, 1.5], processes: 2, outcome: 'unsure' },
  { ratio: 0.5, ci: [0.4, 0.6], outcome: 'passed' },
];

for (const { ratio, ci, processes = 5, outcome } of RATIOS) {
  test(`time ${ratio} in ${ci.join('..')} of ${processes} processes, limit +10 %: ${outcome}`, () => {
    assert.equal(judgeRatio({ ratio, ci }, 1.1, processes).outcome, outcome);
  });
}

const weighed = (...perMessage: number[]): MemoryUse[] =>
  perMessage.map((bytes) => {
    return { type: 'memory-use', bytes: 1000 * bytes, perMessage: bytes, messages: 1000, baselineBytes: 0 };
  });

const WEIGHTS: { what: string; before: number[]; now: number[]; outcome: string | undefined }[] = [
  { what: 'the same', before: [50_000, 50_100, 50_200], now: [50_000, 50_100, 50_200], outcome: 'passed' },
  {
    what: 'twice as much',
    before: [50_000, 51_000, 52_000],
    now: [100_000, 101_000, 99_000],
    outcome: 'failed',
  },
  { what: 'less', before: [50_000, 51_000, 52_000], now: [1, 2, 3], outcome: 'passed' },
  {
    what: 'too scattered',
    before: [50_000, 90_000, 51_000],
    now: [100_000, 50_000, 99_000],
    outcome: 'unsure',
  },
  { what: 'nothing that can be told, both', before: [1, 2, 3], now: [500, 600, 700], outcome: 'passed' },
  { what: 'two processes only', before: [50_000, 51_000], now: [100_000, 101_000], outcome: 'unsure' },
  { what: 'none', before: [50_000], now: [], outcome: undefined },
];

for (const { what, before, now, outcome } of WEIGHTS) {
  test(`memory: ${what}`, () => {
    assert.equal(judgeMemoryRatio(weighed(...before), weighed(...now), 1.2)?.outcome, outcome);
  });
}

function result(payload: string, more: Partial<LimitResult> = {}): LimitResult {
  return {
    payload,
    runtime: 'node@24.0.0',
    channel: 'worker',
    limit: 'class' as LimitName,
    level: 'error',
    outcome: 'passed',
    expected: 'bulk',
    actual: 'bulk',
    path: null,
    example: null,
    was: null,
    rule: null,
    file: null,
    line: null,
    ...more,
  };
}
const failure = (code: string): CheckFailure => ({ payload: 'a', file: 'a.json', code, message: code });

const ANSWERS: { what: string; results: LimitResult[]; failures?: CheckFailure[]; answer: string }[] = [
  { what: 'nothing', results: [], answer: 'ok' },
  { what: 'all passed', results: [result('a')], answer: 'ok' },
  { what: 'one failed', results: [result('a'), result('b', { outcome: 'failed' })], answer: 'failed' },
  { what: 'one only warns', results: [result('a', { outcome: 'failed', level: 'warn' })], answer: 'ok' },
  { what: 'one is unsure', results: [result('a', { outcome: 'unsure' })], answer: 'ok' },
  { what: 'one is not measured', results: [result('a', { outcome: 'not-measured' })], answer: 'unmeasured' },
  {
    what: 'one is not measured but only warns',
    results: [result('a', { outcome: 'not-measured', level: 'warn' })],
    answer: 'ok',
  },
  { what: 'a file is missing', results: [], failures: [failure('file-missing')], answer: 'unreadable' },
  { what: 'a guest crashed', results: [], failures: [failure('guest-crashed')], answer: 'unmeasured' },
  {
    what: 'a broken limit weighs most',
    results: [result('a', { outcome: 'not-measured' }), result('b', { outcome: 'failed' })],
    failures: [failure('file-missing')],
    answer: 'failed',
  },
];

for (const { what, results, failures = [], answer } of ANSWERS) {
  test(`answer: ${what}`, () => {
    const report = checkReport(results, failures);
    assert.equal(
      checkStatus(report, (code) => code === 'file-missing'),
      answer,
    );
    assert.equal(report.passed, answer === 'ok');
  });
}

test('the report does not depend on the order of results, nor on how they were dealt out', () => {
  const results = ['b', 'a', 'c'].flatMap((payload) => [
    result(payload, { limit: 'lossy', path: '$.b' }),
    result(payload, { limit: 'lossy', path: '$.a' }),
    result(payload),
    result(payload, { channel: 'ipc' }),
    result(payload, { runtime: 'bun@1.4.5', outcome: 'failed' }),
  ]);
  const failures = [failure('file-missing'), { ...failure('x'), payload: 'Z' }];
  const whole = checkReport(results, failures);
  assert.deepEqual(checkReport(results.toReversed(), failures.toReversed()), whole);
  for (const count of [1, 2, 3, 4, 7, 40]) {
    const shards = Array.from({ length: count }, (_, i) => checkReport(shardOf(results, i, count), failures));
    assert.deepEqual(mergeChecks(shards), whole, `${count} shards`);
  }
});

test('the baseline keeps no numbers that another machine would not give', () => {
  const told = run({
    class: 'bulk',
    wireBytes: 5,
    rows: [text('$', 5)],
    findings: [finding('spec/a', 'lossy', '$.a'), finding('spec/a', 'lossy', '$.a')],
  });
  assert.deepEqual(factsOf(told), {
    path: 'serializer',
    class: 'bulk',
    blockers: [],
    bytes: 5,
    nodes: 1,
    depth: 0,
    losses: [{ rule: 'spec/a', path: '$.a' }],
    heaviest: { $: 5 },
  });
  assert.equal(factsOf(run({ error: 'x' })), null);
});

test('one copy serves all runtimes but those that doubt it', () => {
  const seen = (key: string, sample: RecordedFacts['sample']) => ({ id: 'a', key, facts: BEFORE, sample });
  const json = { a: 1 };
  const copy = { json, faithful: true };
  const sampleWith = (...all: RecordedFacts[]) => updatedBaseline(null, all, true).payloads.a?.sample;
  assert.deepEqual(sampleWith(seen('node', copy), seen('bun', copy)), { json });
  assert.deepEqual(sampleWith(seen('node', { json, faithful: false }), seen('bun', copy)), {
    json,
    notFor: ['node'],
  });
  assert.deepEqual(sampleWith(seen('node', null), seen('bun', copy)), { json, notFor: ['node'] });
  assert.equal(sampleWith(seen('node', null), seen('bun', null)), null);
});

test('a baseline moves by what was seen, and says what moved', () => {
  const seen = (id: string, key: string, facts: BaselineFacts) => ({ id, key, facts, sample: null });
  const old = updatedBaseline(
    null,
    [seen('a', 'node', BEFORE), seen('a', 'bun', BEFORE), seen('constructor', 'node', BEFORE)],
    true,
  );
  const worse: BaselineFacts = {
    ...BEFORE,
    class: 'serialized',
    blockers: [{ rule: 'jsc/nested-value', path: '$.geo' }],
  };
  const part = updatedBaseline(old, [seen('a', 'bun', worse)], false);
  assert.deepEqual(
    changesOf(old, part).map(({ payload, runtime, what, from, to }) =>
      [payload, runtime, what, from, to].join(' '),
    ),
    [
      'a bun class in-memory serialized',
      'a bun blocker  jsc/nested-value at $.geo',
      'a bun blocker jsc/hole at $ ',
    ],
  );
  assert.deepEqual(changesOf(part, part), []);
  const whole = updatedBaseline(part, [seen('a', 'bun', worse), seen('__proto__', 'node', BEFORE)], true);
  assert.deepEqual(
    changesOf(part, whole).map(({ payload, what, from, to }) => `${payload} ${what} ${from} ${to}`),
    ['__proto__ payload null __proto__', 'a runtime node null', 'constructor payload constructor null'],
  );
});

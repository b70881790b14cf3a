import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASELINE, parseDocument } from '../../../src/app/store/documents.ts';
import {
  amplificationOf,
  baselineText,
  changesOf,
  editedIn,
  factsOf,
  type RecordedFacts,
  updatedPayloads,
} from '../../../src/gate/compare/baseline.ts';
import type { Baseline, BaselineFacts } from '../../../src/model/documents/baseline.ts';
import { row, shapeOf } from '../../make.ts';
import { BEFORE, entryWith, finding, run, text } from './runs.ts';

const DEMANDS: Baseline['demands'] = { new: 'error', undecided: 'error', payloads: [] };

test('amplification without buffers is 1', () => {
  assert.deepEqual(amplificationOf(shapeOf('v8', row('$', 'object'))), { ratio: 1, path: null });
});

test('the baseline holds only facts that are the same on every machine', () => {
  const current = run({
    class: 'bulk',
    copied: 5,
    rows: [text('$', 5)],
    findings: [finding('spec/a', 'lossy', '$.a'), finding('spec/a', 'lossy', '$.a')],
  });
  assert.deepEqual(factsOf(current), {
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

test('the baseline holds no keys that are data', () => {
  const current = run({
    class: 'bulk',
    copied: 5,
    rows: [row('$', 'object'), text('$["ann@example.org"]', 5)],
    findings: [finding('spec/a', 'lossy', '$["ann@example.org"]')],
  });
  assert.ok(!JSON.stringify(factsOf(current)).includes('ann'));
  assert.deepEqual(factsOf(current)?.losses, [{ rule: 'spec/a', path: '$.*' }]);
});

test('one copy is kept for all runtimes, if it stands for the payload on each', () => {
  const recorded = (key: string, sample: RecordedFacts['sample']) => ({
    ...{ id: 'a', entry: 'a' },
    key,
    facts: BEFORE,
    sample,
  });
  const copy = { json: '{"a":1}' };
  const sampleWith = (...all: RecordedFacts[]) => updatedPayloads({}, all).a?.sample;
  assert.deepEqual(sampleWith(recorded('node', copy), recorded('bun', copy)), copy);
  assert.equal(sampleWith(recorded('node', null), recorded('bun', copy)), undefined);
  assert.equal(sampleWith(recorded('node', copy), recorded('bun', null)), undefined);
});

test('an updated baseline has the new facts, and the changes are listed', () => {
  const recorded = (id: string, key: string, facts: BaselineFacts) => ({
    ...{ id, entry: id, key, facts, sample: null },
  });
  const baselineOf = (payloads: Baseline['payloads']) => ({
    ...({ schema: 'clone-prof/baseline@1', payloads, demands: DEMANDS, written: {} } as const),
  });
  const old = updatedPayloads({}, [
    recorded('a', 'node', BEFORE),
    recorded('a', 'bun', BEFORE),
    recorded('constructor', 'node', BEFORE),
  ]);
  const worse: BaselineFacts = {
    ...BEFORE,
    class: 'serialized',
    blockers: [{ rule: 'jsc/nested-value', path: '$.geo' }],
  };
  const part = updatedPayloads(old, [recorded('a', 'bun', worse)]);
  assert.deepEqual(changesOf(baselineOf(old), baselineOf(part)), [
    'a on bun: - blocker jsc/hole at $',
    'a on bun: + blocker jsc/nested-value at $.geo',
    'a on bun: class in-memory → serialized',
  ]);
  assert.deepEqual(changesOf(baselineOf(part), baselineOf(part)), []);
  const whole = updatedPayloads(
    part,
    [recorded('a', 'bun', worse), recorded('__proto__', 'node', BEFORE)],
    (_, key) => key === 'bun',
  );
  assert.deepEqual(changesOf(baselineOf(part), baselineOf(whole)), [
    '+ __proto__ on node',
    '- a on node',
    '- constructor on node',
  ]);
});

const NAMES = ['rows', '__proto__', 'constructor', 'odd "name"\n', '::error::', '2', '10'];

const writtenOf = (names: readonly string[], runtimes: readonly string[]): string => {
  const keys = runtimes.map((key) => [key, BEFORE]);
  const sample = { json: JSON.stringify([1, null, 'a\u2028']) };
  const all = names.map((entry) => [entry, { entry, runtimes: Object.fromEntries(keys), sample }]);
  const payloads = Object.fromEntries(all) as Baseline['payloads'];
  return baselineText({ schema: 'clone-prof/baseline@1', payloads, demands: DEMANDS });
};

test('a written baseline is read back unchanged, and an edit of it is told', () => {
  const text = writtenOf(NAMES, ['node', 'bun@1.4']);
  const baseline = parseDocument(text, 'b.json', BASELINE);
  assert.deepEqual(Object.keys(baseline.payloads).sort(), NAMES.toSorted());
  assert.deepEqual([editedIn(baseline), baselineText(baseline)], [[], text]);
  baseline.payloads.rows!.entry = 'other';
  assert.deepEqual(editedIn(baseline), ['rows on bun@1.4', 'rows on node']);
});

test('an edit of the demands is told, of each entry for a file', () => {
  const { runtime: _, ...entry } = { ...entryWith({}), id: null, input: 'm.mjs', limits: {} };
  const demandOf = (only: string) => ({ ...entry, export: only });
  const demands = { ...DEMANDS, payloads: [demandOf('a'), demandOf('b')] };
  const text = baselineText({ schema: 'clone-prof/baseline@1', payloads: {}, demands });
  for (const at of [0, 1]) {
    const baseline = parseDocument(text, 'b.json', BASELINE);
    baseline.demands.payloads[at]!.gain = 'any';
    assert.deepEqual(editedIn(baseline), ['demands of m']);
  }
});

test('the text of a baseline does not depend on the order of its parts; a payload changes no other lines', () => {
  assert.equal(writtenOf(NAMES, ['node', 'bun']), writtenOf(NAMES.toReversed(), ['bun', 'node']));
  const [before, after] = [
    ['a', 'c'],
    ['a', 'b', 'c'],
  ].map((names) => writtenOf(names, ['node']).split('\n'));
  assert.deepEqual(
    before!.filter((line) => !after!.includes(line)),
    [],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  amplificationOf,
  changesOf,
  factsOf,
  type RecordedFacts,
  updatedBaseline,
} from '../../../src/gate/compare/baseline.ts';
import type { BaselineFacts } from '../../../src/model/documents/baseline.ts';
import { row, shapeOf } from '../../make.ts';
import { BEFORE, finding, run, text } from './runs.ts';

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
    id: 'a',
    key,
    facts: BEFORE,
    sample,
  });
  const copy = { json: '{"a":1}' };
  const sampleWith = (...all: RecordedFacts[]) => updatedBaseline(null, all).payloads.a?.sample;
  assert.deepEqual(sampleWith(recorded('node', copy), recorded('bun', copy)), copy);
  assert.equal(sampleWith(recorded('node', null), recorded('bun', copy)), undefined);
  assert.equal(sampleWith(recorded('node', copy), recorded('bun', null)), undefined);
});

test('an updated baseline has the new facts, and the changes are listed', () => {
  const recorded = (id: string, key: string, facts: BaselineFacts) => ({ id, key, facts, sample: null });
  const old = updatedBaseline(null, [
    recorded('a', 'node', BEFORE),
    recorded('a', 'bun', BEFORE),
    recorded('constructor', 'node', BEFORE),
  ]);
  const worse: BaselineFacts = {
    ...BEFORE,
    class: 'serialized',
    blockers: [{ rule: 'jsc/nested-value', path: '$.geo' }],
  };
  const part = updatedBaseline(old, [recorded('a', 'bun', worse)]);
  assert.deepEqual(changesOf(old, part), [
    'a on bun: - blocker jsc/hole at $',
    'a on bun: + blocker jsc/nested-value at $.geo',
    'a on bun: class in-memory → serialized',
  ]);
  assert.deepEqual(changesOf(part, part), []);
  const whole = updatedBaseline(
    part,
    [recorded('a', 'bun', worse), recorded('__proto__', 'node', BEFORE)],
    [
      { payload: 'a', runtime: 'node' },
      { payload: 'constructor', runtime: 'node' },
    ],
  );
  assert.deepEqual(changesOf(part, whole), ['+ __proto__ on node', '- a on node', '- constructor on node']);
});

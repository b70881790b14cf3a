import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, explain, rules } from '../../../src/index.ts';

test('each finding has a title, a reason and whether it blocks', () => {
  const value = [{ geo: { lat: 1 }, at: new Date(0) }];
  const { path, findings } = explain(classify(value, { runtime: 'bun@1.4' }));
  assert.equal(path?.title, 'serializer');
  const nested = findings.find(({ rule }) => rule === 'jsc/element-nested-value');
  assert.equal(nested?.title, 'object inside a row');
  assert.match(nested.why, /flat/);
  assert.match(nested.fix ?? '', /Flatten/);
  assert.equal(nested.blocks, true);
  for (const { title, why, source } of findings) assert.ok(title && why && source);
});

test('a note does not block, and the path of a rejected payload is null', () => {
  const rejected = explain(classify({ run() {}, many: new Map([[1, 2]]) }, { runtime: 'node@24' }));
  assert.equal(rejected.path, null);
  assert.deepEqual(
    rejected.findings.map(({ level, blocks }) => [level, blocks]),
    rejected.findings.map(({ level }) => [level, level === 'rejected']),
  );
  assert.equal(rejected.findings[0]?.title, 'function');
});

test('a rule that this version does not know keeps its id', () => {
  const finding = { rule: 'v8/of-tomorrow', level: 'note', path: '$', count: 1, example: '$' } as const;
  const { findings } = explain({ verdict: null, findings: [finding], runtime: { engine: 'v8' } });
  assert.deepEqual(findings, [
    { ...finding, title: 'v8/of-tomorrow', why: '', fix: null, source: '', blocks: false },
  ]);
});

test('the rule book of a runtime, of a major version, of the running version', () => {
  const all = rules('bun');
  const line = rules('bun@1.4');
  assert.equal(all.version, null);
  assert.equal(line.engine, 'jsc');
  assert.ok(all.rules.some(({ id }) => id === 'jsc/too-early'));
  assert.ok(!line.rules.some(({ id }) => id === 'jsc/too-early'));
  assert.equal(rules().version, process.versions.node);
});

test('a word of a report has the meanings that the command prints', async () => {
  const [meaning, ...others] = await explain('holey-array');
  assert.deepEqual([meaning?.kind, meaning?.word, others.length > 0], ['rule, slow', 'v8/holey-array', true]);
  assert.match(meaning?.text ?? '', /^holey array\. V8 /);
  await assert.rejects(explain('no-such-word'), { name: 'ToolError', code: 'usage' });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classify } from '../../src/library/classify.ts';
import type { PayloadReport, Run } from '../../src/model/documents/report.ts';
import type { RuntimeName } from '../../src/model/names.ts';
import { MAX_NODES, makeOutline, type OutlineNode } from '../../src/page/outline-view.ts';
import { wordsOf } from '../../src/rule-book/wording.ts';

function runOn(name: RuntimeName, value: unknown): Run {
  const { verdict, findings, shape, runtime } = classify(value, { runtime: `${name}@latest` });
  const id = { name, version: 'newest', engine: runtime.engine };
  const known = { runtime: id, channel: 'worker', status: 'classified', error: null } as const;
  const unknown = { measurement: null, trials: [], advice: null };
  return { ...known, ...unknown, shape, verdict, findings };
}

const reportOf = (value: unknown, names: readonly RuntimeName[] = ['bun', 'webkit']): PayloadReport => ({
  ...{ id: 'payload', source: { file: 'payload.json', export: null }, error: null },
  runs: names.map((name) => runOn(name, value)),
});

const outline = (value: unknown): OutlineNode => makeOutline(reportOf(value), wordsOf())!;

const flat = ({ children, ...node }: OutlineNode): Omit<OutlineNode, 'children'>[] => [
  node,
  ...children.flatMap(flat),
];

describe('the outline of a payload', () => {
  test('has a node for each pattern, with its kinds, and the bytes below it', () => {
    const nodes = flat(outline({ rows: [{ s: 'ab' }, { s: 'cde' }, 5], b: new Uint8Array(8) }));
    assert.deepEqual(
      nodes.map(({ pattern, step, kinds, bytes }) => [pattern, step, Object.fromEntries(kinds), bytes]),
      [
        ['$', '$', { object: 1 }, 13],
        ['$.rows', '.rows', { array: 1 }, 5],
        ['$.rows[*]', '[*]', { object: 2, number: 1 }, 5],
        ['$.rows[*].s', '.s', { string: 2 }, 5],
        ['$.b', '.b', { Uint8Array: 1 }, 8],
      ],
    );
  });

  test('names what breaks the fast path at each place, with the runtime', () => {
    const nodes = flat(outline({ task: { a: 1 } }));
    const marked = nodes.filter(({ findings }) => findings.length > 0);
    assert.deepEqual(
      marked.map(({ pattern, findings }) => [pattern, findings.map(({ blocks }) => blocks)]),
      [['$.task', [[{ runtime: 'bun newest', class: 'serialized' }]]]],
    );
    assert.equal(marked[0]?.findings[0]?.title, wordsOf().rules['jsc/nested-value']?.title);
    assert.deepEqual(
      nodes.map(({ isMarked }) => isMarked),
      [true, true, false],
    );
  });

  test('odd keys have one node each; a payload of many places is cut', () => {
    const odd = JSON.parse('{"__proto__": 1, "a.b": {"]": 2}}') as unknown;
    assert.deepEqual(
      flat(outline(odd)).map(({ step }) => step),
      ['$', '.__proto__', '["a.b"]', '["]"]'],
    );
    // Objects with many keys are grouped, so each level has a few of its own.
    const levels = (depth: number, name: string): unknown =>
      depth === 0
        ? 1
        : Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [name + key, levels(depth - 1, name + key)]));
    const size = flat(outline(levels(5, 'k'))).length;
    assert.ok(size <= MAX_NODES && size > MAX_NODES / 2, `${size}`);
  });

  test('is null if no runtime described the payload', () => {
    assert.equal(makeOutline({ ...reportOf(1), runs: [] }, wordsOf()), null);
  });
});

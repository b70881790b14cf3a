import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../src/app/store/document.ts';
import { BASELINE, baselineText } from '../../../src/gate/files/baseline-file.ts';
import type { Baseline, BaselineFacts } from '../../../src/model/documents/baseline.ts';

const parseBaseline = (text: string, file: string) => parseDocument(text, file, BASELINE);

const facts = (more: Partial<BaselineFacts> = {}): BaselineFacts => ({
  path: 'serializer',
  class: 'serialized',
  blockers: [{ rule: 'jsc/hole', path: '$' }],
  bytes: null,
  nodes: 3,
  depth: 1,
  losses: [],
  heaviest: {},
  ...more,
});

const NAMES = ['rows', '__proto__', 'constructor', 'odd "name"\n', '::error::', '2', '10'];

const baselineOf = (names: readonly string[], runtimes: readonly string[]): Baseline => ({
  schema: 'clone-prof/baseline@1',
  payloads: Object.fromEntries(
    names.map((name) => [
      name,
      {
        runtimes: Object.fromEntries(
          runtimes.map((key) => [key, facts({ heaviest: { '$.b': 2, '$.a': 1 } })]),
        ),
        sample: { json: JSON.stringify({ text: name, list: [1, null, 'a\u2028'] }) },
      },
    ]),
  ),
});

test('a written baseline is read back unchanged', () => {
  const baseline = baselineOf(NAMES, ['node', 'bun@1.4']);
  assert.deepEqual(parseBaseline(baselineText(baseline), 'b.json'), baseline);
  assert.deepEqual(
    Object.keys(parseBaseline(baselineText(baseline), 'b.json').payloads).length,
    NAMES.length,
  );
});

test('the same baseline gives the same text, regardless of the order of its parts', () => {
  const [one, other] = [baselineOf(NAMES, ['node', 'bun']), baselineOf(NAMES.toReversed(), ['bun', 'node'])];
  assert.equal(baselineText(one), baselineText(other));
});

test('adding a payload changes no line of the others', () => {
  const lines = (names: string[]) => baselineText(baselineOf(names, ['node'])).split('\n');
  const [before, after] = [lines(['a', 'c']), lines(['a', 'b', 'c'])];
  const gone = before.filter((line) => !after.includes(line));
  assert.deepEqual(gone, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReport, mergeChecks, uncheckedOf } from '../../../src/gate/compare/check-report.ts';
import type { Baseline } from '../../../src/model/documents/baseline.ts';
import type { Unchecked } from '../../../src/model/documents/check.ts';
import { BEFORE, partOf, resultWith } from './runs.ts';

/** "a on bun" */
const baselineOf = (...names: string[]): Baseline => {
  const payloads: Baseline['payloads'] = {};
  for (const name of names) {
    const [id, key] = name.split(' on ') as [string, string];
    payloads[id] = { runtimes: { ...payloads[id]?.runtimes, [key]: BEFORE } };
  }
  return { schema: 'clone-prof/baseline@1', payloads };
};

interface Checked {
  seen?: string;
  failed?: string[];
  selected?: string[];
}

/** Names are separated by commas. `missing` was asked for, `others` not. */
const CASES: [what: string, baseline: string, checked: Checked, missing: string, others?: string][] = [
  ['all of it', 'a on node, b on node', { seen: 'a on node, b on node' }, ''],
  ['one payload fewer', 'a on node, b on node', { seen: 'a on node' }, 'b on node'],
  ['one runtime fewer', 'a on node, a on bun', { seen: 'a on bun' }, 'a on node'],
  [
    'parts of a payload that failed are not missing',
    'm on node, m#a on node, m2#a on node, m/a on node',
    { failed: ['m'] },
    'm2#a on node, m/a on node',
    'm on node, m#a on node',
  ],
  [
    'only what was asked for can be missing',
    'm#a on node, m#b on node, n on node, m/x on node',
    { seen: 'm#a on node', selected: ['m'] },
    'm#b on node',
    'n on node, m/x on node',
  ],
  [
    'files of a glob that was asked for by its name',
    'd/a on node, d2/a on node',
    { selected: ['d', 'd/'] },
    'd/a on node',
    'd2/a on node',
  ],
];

const text = ({ payload, runtime }: Unchecked) => `${payload} on ${runtime}`;
const namesIn = (list: string) => list.split(', ').filter(Boolean);

for (const [what, baseline, { seen = '', failed = [], selected = null }, missing, others = ''] of CASES)
  test(`baseline entries without a check are listed: ${what}`, () => {
    const keys = namesIn(seen)
      .map((name) => name.split(' on '))
      .map(([id = '', key = '']) => ({ id, key }));
    const failures = failed.map((payload) => ({ payload, file: payload, code: 'x', message: 'x' }));
    const found = uncheckedOf(baselineOf(...namesIn(baseline)), keys, failures, selected);
    assert.deepEqual(found.filter((one) => one.selected).map(text), namesIn(missing));
    assert.deepEqual(found.filter((one) => !one.selected).map(text), namesIn(others));
  });

const removed = (payload: string, selected = true) => ({ payload, runtime: 'node ipc-advanced', selected });

test('a shard does not report unchecked payloads; the merge reports them if no shard checked them', () => {
  const shards = [[removed('old'), removed('there')], [removed('old')]].map((unchecked, i) => ({
    file: `${i}.json`,
    report: checkReport(
      partOf(i === 0 ? [resultWith({})] : [], { shard: { index: i + 1, count: 2 }, unchecked }),
    ),
  }));
  assert.deepEqual(
    shards.map(({ report }) => report.results.length),
    [1, 0],
  );
  const whole = mergeChecks(shards);
  assert.deepEqual(
    whole.results.map(({ payload, runtime, channel }) => [payload, runtime, channel]),
    [
      ['old', 'node', 'ipc-advanced'],
      ['rows', 'bun@1.4.5', 'worker'],
    ],
  );
  assert.deepEqual(mergeChecks([{ file: 'whole.json', report: whole }]), whole);
});

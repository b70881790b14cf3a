import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReport, mergeChecks } from '../../../src/core/gate/check-report.ts';
import { uncheckedOf } from '../../../src/core/gate/unmatched.ts';
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

const CASES: {
  what: string;
  baseline: string[];
  seen: string[];
  failed?: string[];
  selected?: string[];
  missing: string[];
  others?: string[];
}[] = [
  { what: 'all of it', baseline: ['a on node', 'b on node'], seen: ['a on node', 'b on node'], missing: [] },
  {
    what: 'one payload fewer',
    baseline: ['a on node', 'b on node'],
    seen: ['a on node'],
    missing: ['b on node'],
  },
  {
    what: 'one runtime fewer',
    baseline: ['a on node', 'a on bun'],
    seen: ['a on bun'],
    missing: ['a on node'],
  },
  {
    what: 'parts of a payload that failed are not missing',
    baseline: ['m on node', 'm#a on node', 'm2#a on node', 'm/a on node'],
    seen: [],
    failed: ['m'],
    missing: ['m2#a on node', 'm/a on node'],
    others: ['m on node', 'm#a on node'],
  },
  {
    what: 'only what was asked for can be missing',
    baseline: ['m#a on node', 'm#b on node', 'n on node', 'm/x on node'],
    seen: ['m#a on node'],
    selected: ['m'],
    missing: ['m#b on node'],
    others: ['n on node', 'm/x on node'],
  },
  {
    what: 'files of a glob that was asked for by its name',
    baseline: ['d/a on node', 'd2/a on node'],
    seen: [],
    selected: ['d', 'd/'],
    missing: ['d/a on node'],
    others: ['d2/a on node'],
  },
];

const text = ({ payload, runtime }: Unchecked) => `${payload} on ${runtime}`;

for (const { what, baseline, seen, failed = [], selected = null, missing, others = [] } of CASES) {
  test(`what nobody checked: ${what}`, () => {
    const keys = seen.map((name) => name.split(' on ')).map(([id = '', key = '']) => ({ id, key }));
    const failures = failed.map((payload) => ({ payload, file: payload, code: 'x', message: 'x' }));
    const found = uncheckedOf(baselineOf(...baseline), keys, failures, selected);
    assert.deepEqual(found.filter((one) => one.selected).map(text), missing);
    assert.deepEqual(found.filter((one) => !one.selected).map(text), others);
  });
}

const addition = resultWith({ limit: 'baseline', outcome: 'unmatched', alike: ['old', 'seen elsewhere'] });
const removed = (payload: string, selected = true) => ({ payload, runtime: 'node ipc-advanced', selected });

test('a rename is told on both sides, and only where the old name is gone', () => {
  const { results, passed, unchecked } = checkReport(
    partOf([addition], { unchecked: [removed('old'), removed('other', false)] }),
  );
  assert.deepEqual(
    results.map(({ payload, runtime, channel, alike }) => [payload, runtime, channel, alike]),
    [
      ['old', 'node', 'ipc-advanced', ['rows']],
      ['rows', 'bun@1.4.5', 'worker', ['old']],
    ],
  );
  assert.equal(passed, false);
  assert.deepEqual(unchecked, [removed('other', false)]);
});

test('a shard leaves it to the merge, which tells what no shard checked', () => {
  const shards = [[removed('old'), removed('there')], [removed('old')]].map((unchecked, i) => ({
    file: `${i}.json`,
    report: checkReport(partOf(i === 0 ? [addition] : [], { shard: { index: i + 1, count: 2 }, unchecked })),
  }));
  assert.deepEqual(
    shards.map(({ report }) => report.results.length),
    [1, 0],
  );
  const whole = mergeChecks(shards);
  assert.deepEqual(
    whole.results.map(({ payload }) => payload),
    ['old', 'rows'],
  );
  assert.deepEqual(mergeChecks([{ file: 'whole.json', report: whole }]), whole);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, withHidden } from '../../../src/value/describe/describe.ts';
import { assumedStorage, type Probe } from '../../../src/value/describe/inspect/storage.ts';
import { probeFor } from '../../support/probe.ts';

const probe = await probeFor({ assume: 'jsc' });
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('objects with hidden state get their own row', () => {
  const shape = withHidden(describe(rows(5), probe), ['$[1]', '$[3]']);
  const found = shape.patterns
    .filter((f) => f.pattern === '$[*]')
    .map(({ flags, count, example, size }) => ({ flags, count, example, size }));
  assert.deepEqual(found, [
    { flags: ['history-unknown'], count: 3, example: '$[0]', size: { min: 1, max: 1, total: 5 } },
    { flags: ['history-unknown', 'hidden-state'], count: 2, example: '$[1]', size: undefined },
  ]);
});

test('a row of only such objects gets the flag', () => {
  const before = describe({ a: 1 }, probe);
  const after = withHidden(before, ['$']);
  assert.deepEqual(after.patterns[0], { ...before.patterns[0], flags: ['history-unknown', 'hidden-state'] });
  assert.deepEqual(after.patterns.slice(1), before.patterns.slice(1));
  assert.deepEqual(before.patterns[0]!.flags, ['history-unknown']);
});

test('paths that match no object change nothing', () => {
  const shape = describe(rows(2), probe);
  for (const paths of [[], ['$.none'], ['no path'], ['$[0].id']])
    assert.deepEqual(withHidden(shape, paths), shape);
});

test('storage as JavaScriptCore normally has it', async () => {
  const cases: [unknown, string][] = [
    [[1, 2], 'int32-storage storage-unknown'],
    [[1, 2.5], 'double-storage storage-unknown'],
    [[-0], 'double-storage storage-unknown'],
    [[2 ** 31], 'double-storage storage-unknown'],
    [[Number.NaN, 1.5], 'contiguous storage-unknown'],
    [['a', 1], 'contiguous storage-unknown'],
    [[], 'undecided storage-unknown'],
    [Object.freeze([1]), 'array-storage'],
    [Object.preventExtensions([1]), 'array-storage'],
    [{ 0: 1 }, 'indexed-storage'],
    ['x'.repeat(256), 'share-unknown'],
    ['x'.repeat(255), ''],
  ];
  const stored = /storage|undecided|contiguous|share/;
  for (const [value, expected] of cases) {
    const flags = describe(value, probe).patterns[0]!.flags.filter((f) => stored.test(f));
    assert.equal(flags.join(' '), expected, JSON.stringify(value));
  }
  const fromJson = await probeFor({ assume: 'jsc', fromJson: true });
  for (const value of ['x'.repeat(256), [], [1], { a: 1 }]) {
    const { flags } = describe(value, fromJson).patterns[0]!;
    assert.ok(!flags.some((flag) => flag.endsWith('-unknown')), flags.join(' '));
  }
});

test('of an AggregateError, Firefox alone sends class and errors', () => {
  const told = (engine: 'spidermonkey' | 'v8') =>
    describe(new AggregateError([() => 1], 'x'), { ...probe, storage: assumedStorage(engine) }).patterns.map(
      ({ pattern, kind, flags }) => [pattern, kind, ...flags].join(' '),
    );
  assert.deepEqual(told('v8').slice(0, 1), ['$ error subclass aggregate']);
  assert.deepEqual(told('spidermonkey').slice(0, 1), ['$ error']);
  assert.ok(told('spidermonkey').includes('$.errors[*] function'), told('spidermonkey').join('\n'));
  assert.ok(!told('v8').join().includes('errors'), told('v8').join('\n'));
});

test('engines without known storage get no storage flags', () => {
  for (const engine of ['spidermonkey', 'webkit'] as const) {
    const none: Probe = { ...probe, storage: assumedStorage(engine) };
    const shape = describe([{ 0: 1 }, 'x'.repeat(300)], none);
    assert.deepEqual(shape.patterns[0]!.flags, []);
    assert.deepEqual(shape.representation, { by: 'assumed', engine });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../src/core/describe/describe.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { probeFor } from '../../support/probe.ts';

const probe = await probeFor();
const within = (value: unknown, nodes: number): Shape => describe(value, probe, { limits: { nodes } });

const countOf = (shape: Shape, pattern: string): number =>
  shape.patterns.filter((row) => row.pattern === pattern).reduce((sum, { count }) => sum + count, 0);

const rows = (length: number) =>
  Array.from({ length }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));

test('a value with fewer values than the limit has the same shape as without one', () => {
  const value = { rows: rows(20), map: new Map([[1, 'a']]), set: new Set([1]), none: null };
  assert.deepEqual(within(value, 10_000), describe(value, probe));
});

test('visited elements of a long array stand for the others', () => {
  const shape = within({ before: rows(100_000), after: rows(50_000) }, 2000);
  assert.equal(shape.truncated.items, true);
  for (const [key, length] of [
    ['before', 100_000],
    ['after', 50_000],
  ] as const) {
    assert.equal(countOf(shape, `$.${key}[*]`), length);
    assert.equal(countOf(shape, `$.${key}[*].id`), length);
    const array = shape.patterns.find(({ pattern }) => pattern === `$.${key}`);
    assert.equal(array?.size?.total, length);
  }
});

test('entries of a large Map and members of a large Set stand for the others', () => {
  const map = new Map(Array.from({ length: 30_000 }, (_, i) => [`key ${i}`, i] as const));
  const shape = within({ map, set: new Set(map.keys()) }, 1000);
  assert.equal(countOf(shape, '$.map{value}'), 30_000);
  assert.equal(countOf(shape, '$.set{member}'), 30_000);
});

/** Counts what is read: a long array is not listed key by key. */
test('of an array with a million elements no more are read than are visited', () => {
  const shape = within(
    Array.from({ length: 1_000_000 }, (_, i) => (i % 2 ? i : `${i}`)),
    400,
  );
  const { count } = shape.patterns.find(({ pattern, kind }) => pattern === '$' && kind === 'array')!;
  assert.equal(count, 1);
  assert.ok(countOf(shape, '$[*]') <= 1_000_000);
  assert.ok(countOf(shape, '$[*]') > 990_000);
});

test('an accessor among the elements that are read is seen, and not run', () => {
  const value = Array.from({ length: 5000 }, (_, i) => [i]);
  Object.defineProperty(value, 0, { enumerable: true, get: () => assert.fail('it ran') });
  const root = within(value, 200).patterns.find(({ pattern }) => pattern === '$');
  assert.ok(root?.flags.includes('enumerable-accessor'));
});

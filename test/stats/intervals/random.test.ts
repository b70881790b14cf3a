import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seeded, seedFor, shuffle } from '../../../src/stats/intervals/random.ts';

const take = (seed: number, count: number) => {
  const random = seeded(seed);
  return Array.from({ length: count }, random);
};

test('one seed gives one sequence, the same on every engine', () => {
  assert.deepEqual(take(1, 3), [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  assert.deepEqual(take(7, 50), take(7, 50));
  assert.notDeepEqual(take(7, 50), take(8, 50));
});

test('numbers are in [0, 1) and spread evenly', () => {
  const bins = new Array<number>(10).fill(0);
  for (const number of take(42, 20_000)) {
    assert.ok(number >= 0 && number < 1);
    const bin = Math.floor(number * 10);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  for (const count of bins) assert.ok(Math.abs(count - 2000) < 200, `bins ${bins}, seed 42`);
});

test('randomBelow gives every integer below the limit and no other', () => {
  const random = seeded(3);
  const seen = new Set(Array.from({ length: 500 }, () => randomBelow(6, random)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5]);
});

test('all orders of three are equally frequent', () => {
  const random = seeded(11);
  const counts = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const items = ['a', 'b', 'c'];
    shuffle(items, random);
    counts.set(items.join(''), (counts.get(items.join('')) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  for (const [order, count] of counts) assert.ok(Math.abs(count - 1000) < 130, `${order}: ${count}, seed 11`);
});

test('neighbouring seeds of one base give different sequences', () => {
  const starts = Array.from({ length: 1000 }, (_, index) => seedFor(1, index));
  assert.equal(new Set(starts).size, 1000);
  assert.notEqual(seedFor(1, 1), seedFor(2, 0));
});

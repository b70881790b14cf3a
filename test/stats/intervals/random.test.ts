import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seeded, seedFor, shuffle } from '../../../src/stats/intervals/random.ts';

test('one seed gives one sequence, the same on every engine', () => {
  const random = seeded(1);
  const numbers = Array.from({ length: 3 }, random);
  assert.deepEqual(numbers, [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
});

test('orders and integers follow the sequence', () => {
  const random = seeded(11);
  const orders = Array.from({ length: 6 }, () => {
    const items = ['a', 'b', 'c'];
    shuffle(items, random);
    return items.join('');
  });
  assert.deepEqual(orders, ['acb', 'acb', 'abc', 'cba', 'cab', 'acb']);
  const integers = Array.from({ length: 8 }, () => randomBelow(6, random));
  assert.deepEqual(integers, [2, 4, 4, 0, 1, 1, 2, 2]);
});

test('neighbouring seeds of one base give different sequences', () => {
  const starts = Array.from({ length: 1000 }, (_, index) => seedFor(1, index));
  assert.equal(new Set(starts).size, 1000);
  assert.notEqual(seedFor(1, 1), seedFor(2, 0));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockLength } from '../../../src/guest/measure/variants.ts';
import { clockStep, median } from '../../../src/stats/intervals/intervals.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';

/** A clock that shows multiples of its step. */
const shown = (ns: number, step: number): number => (step === 0 ? ns : Math.floor(ns / step) * step);

/** `tripNs`, and the step of the clock: of isolated pages, of others, of a process. */
const ROWS: [tripNs: number, stepNs: number, messages: [number, number]][] = [
  [25_000, 5_000, [4, 10]],
  [700, 5_000, [143, 300]],
  [25_000, 100_000, [80, 200]],
  [25_000, 1_000_000, [800, 2000]],
  [30_000_000, 1_000_000, [1, 1]],
  [25, 0, [1, 1]],
];

for (const [trip, step, [least, most]] of ROWS) {
  test(`a trip of ${trip} ns by a clock of ${step} ns: a sample of ${least} to ${most} messages, none of 0`, () => {
    const random = seeded(7);
    const block = new BlockLength(step);
    let at = 0;
    const samples = Array.from({ length: 60 }, () => {
      const began = shown(at, step);
      at += trip * block.messages;
      const spent = shown(at, step) - began;
      at += random() * 3 * step;
      const sample = spent / block.messages;
      block.took(spent);
      return sample;
    }).slice(20);
    assert.ok(block.messages >= least && block.messages <= most, `${block.messages}`);
    assert.ok(Math.min(...samples) > 0);
    assert.ok(Math.abs(median(samples) / trip - 1) <= 0.05);
    // The step of a mean of k messages.
    if (step > 0)
      assert.ok(clockStep([samples]) <= (1.01 * step) / block.messages || clockStep([samples]) === 0);
  });
}

test('a block that may take no step of the clock goes on', () => {
  const block = new BlockLength(1_000_000);
  assert.equal(block.mustGoOn(0), true);
  assert.equal(block.messages, 20);
  assert.equal(block.mustGoOn(9_000_000), true);
  // Ten steps: only the next ones are longer.
  assert.equal(block.mustGoOn(10_000_000), false);
  assert.equal(new BlockLength(0).mustGoOn(0), false);
});

test('messages that are in flight together are limited', () => {
  const block = new BlockLength(1_000_000, 512);
  block.took(0);
  block.took(0);
  block.took(0);
  assert.equal(block.messages, 512);
});

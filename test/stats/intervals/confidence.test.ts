/** The confidence of intervals, from normal quantiles: with 401 processes the prior and Student's t hardly count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianInterval, ratioInterval } from '../../../src/stats/intervals/intervals.ts';

const PROCESSES = 401;
/** Standard deviation of the log over processes. */
const SPREAD = 0.4;
const MEDIAN = 1000;

/** Twenty samples that differ in the seventh digit: they have no spread of their own and no step of a clock. */
const around = (median: number): number[] =>
  Array.from({ length: 20 }, (_, at) => median * (1 + (at - 9.5) * 1e-7));

/** Half of the processes are slower than the other half by twice the spread. */
const medians = Array.from({ length: PROCESSES }, (_, at) =>
  at === 0 ? MEDIAN : MEDIAN * Math.exp(at % 2 === 0 ? SPREAD : -SPREAD),
);

/** Standard errors in half of the interval. */
const standardErrors = ([low, high]: readonly [number, number]): number =>
  Math.log(high / low) / 2 / (SPREAD / Math.sqrt(PROCESSES - 1));

function assertAbout(actual: number, expected: number): void {
  assert.ok(Math.abs(actual / expected - 1) < 0.015, `${actual} instead of ${expected} standard errors`);
}

test('the interval of a time reaches 1.96 standard errors to each side: 95 %', () => {
  const { ci, median } = medianInterval(medians.map(around), 1)!;
  assert.ok(Math.abs(median / MEDIAN - 1) < 1e-6);
  assertAbout(standardErrors(ci), 1.96);
});

for (const [looks, comparisons, expected] of [
  [1, 1, 1.96],
  [2, 1, 1.96],
  [5, 1, 2.132],
  [12, 1, 2.326],
  [1, 5, 2.576],
] as const)
  test(`a ratio that is checked ${looks} times, with ${comparisons - 1} others, reaches ${expected} standard errors`, () => {
    const original = medians.map(() => around(MEDIAN));
    const { ci } = ratioInterval(medians.map(around), original, 1, comparisons, looks)!;
    assertAbout(standardErrors(ci), expected);
  });

test('a time is known to half a step of the clock, and none is below nothing', () => {
  const coarse = [1, 2, 3].map(() => [100_000, 0, 100_000, 100_000, 0, 100_000]);
  const { ci } = medianInterval(coarse, 1)!;
  assert.ok(ci[0] >= 0, `${ci[0]}`);
  const steps = [1, 2, 3].map(() => [40_000, 40_000, 140_000, 40_000]);
  const [low, high] = medianInterval(steps, 1)!.ci;
  assert.ok(low === 0 && high >= 90_000, `${low} ${high}`);
});

test('a ratio of times that are known to a step of 10 % is not known better than that', () => {
  const processes = [1, 2, 3, 4, 5].map(() => [1e6, 1e6, 1e6, 1.1e6, 1e6, 1e6, 1e6, 1e6]);
  const { ci } = ratioInterval(processes, processes, 1)!;
  assert.ok(ci[0] < Math.exp(-0.1) && ci[1] > Math.exp(0.1), `${ci}`);
});

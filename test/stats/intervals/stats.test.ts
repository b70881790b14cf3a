import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cannotBeFaster, decide, isSettled, judgeRatio } from '../../../src/stats/evidence.ts';
import {
  clockStep,
  medianInterval,
  quantile,
  ratioInterval,
  studentFactor,
} from '../../../src/stats/intervals/intervals.ts';
import { randomBelow, seeded, seedFor, shuffle } from '../../../src/stats/intervals/random.ts';
import { histogram } from '../../../src/stats/race/judge.ts';

const close = (actual: number, expected: number, within: number): void =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not within ${within} of ${expected}`);

const many = <T>(count: number, valueAt: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => valueAt(at));

test('quantile interpolates like R type 7', () => {
  const rows: [samples: number[], p: number, expected: number][] = [
    [[1, 2, 3, 4], 0.5, 2.5],
    [[4, 1, 3, 2], 0.95, 3.85],
    [[10, 20, 30, 40, 50], 0.9, 46],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
  ];
  for (const [samples, p, expected] of rows) {
    const before = [...samples];
    close(quantile(samples, p), expected, 1e-12);
    assert.deepEqual(samples, before, 'not sorted in place');
  }
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test('Student quantiles match published tables, down to one degree of freedom', () => {
  const rows: [confidence: number, degrees: number, expected: number][] = [
    [0.95, 1, 12.7062],
    [0.95, 2, 4.30265],
    [0.95, 2.5, 3.57465],
    [0.95, 30, 2.04227],
    [0.995, 3, 7.4533],
    [0.95, 1e6, 1.95997],
    [0.999, 1, 636.619],
  ];
  for (const [confidence, degrees, expected] of rows) {
    close(studentFactor(confidence, degrees), expected, 1e-5 * expected);
  }
});

test('histogram counts every sample once, on a log scale', () => {
  const samples = [0, 0.5, 1, 10, 100, 1000, 10_000];
  const bins = histogram(samples, 4)!;
  assert.deepEqual(bins, { from: 0, to: 4, counts: [3, 1, 1, 2] });
  assert.deepEqual(histogram([1000, 1000]), { from: 3, to: 3, counts: [2] });
  assert.equal(histogram([]), undefined);
});

test('the clock step is the smallest difference of samples', () => {
  assert.equal(clockStep([[100, 300, 200], [500]]), 100);
  assert.equal(clockStep([[5, 5, 5]]), 0);
  assert.equal(clockStep([[], []]), 0);
  assert.equal(clockStep([[0.1 + 0.2, 0.3, 1.3]]), 1);
});

test('medianInterval: few, equal and invalid samples', () => {
  assert.equal(medianInterval([], 1), null);
  assert.equal(medianInterval([[], []], 1), null);
  assert.equal(medianInterval([[Number.NaN]], 1), null);
  const cases: Record<string, number[][]> = {
    'one sample': [[1000]],
    'one process': [many(100, (at) => 1000 + at)],
    'one sample a process': [[1000], [1100], [900]],
    'all equal': [many(50, () => 1000), many(50, () => 1000)],
    'NaN among numbers': [[1000, Number.NaN, 1000], [1000]],
    'huge outliers': [many(100, (at) => (at === 3 ? 1e12 : 1000 + at)), many(100, (at) => 1000 + at)],
  };
  for (const [name, processes] of Object.entries(cases)) {
    const { median: middle, ci } = medianInterval(processes, 1)!;
    assert.ok([middle, ...ci].every(Number.isFinite), name);
    assert.ok(ci[0] < middle && middle < ci[1], `${name}: ${ci[0]} ${middle} ${ci[1]}`);
    assert.ok(middle > 900 && middle < 1100, `${name}: ${middle}`);
  }
});

test('medianInterval: a clock that does not advance gives zeros and its step', () => {
  assert.deepEqual(medianInterval([[0, 0, 0]], 1), { median: 0, ci: [0, 0], samples: 3, processes: 1 });
  const [one, other] = [
    [0, 0, 100_000],
    [0, 100_000, 100_000],
  ];
  const found = { median: 50_000, ci: [0, 200_000], samples: 6, processes: 2 };
  assert.deepEqual(medianInterval([one!, other!], 1), found);
});

test('an estimate says how many samples of how many processes it rests on', () => {
  const counts = (of: { samples?: number; processes?: number } | null) => [of?.samples, of?.processes];
  assert.deepEqual(counts(medianInterval([[1, 2, 3], [], [4]], 1)), [4, 2]);
  // Of a ratio, the fewer of both sides: one timed original says nothing of many messages of a rewrite.
  assert.deepEqual(counts(ratioInterval([many(30, (at) => 9 + at)], [[1000]], 1)), [1, 1]);
  assert.deepEqual(counts(ratioInterval([[1, 2], [3]], [[4, 5, 6], [7]], 1)), [3, 2]);
});

test('ratioInterval pairs rounds, so that common drift cancels', () => {
  const drift = (process: number, at: number): number => (1 + process / 2) * (1 + at / 100);
  const original = many(3, (process) => many(200, (at) => 1000 * drift(process, at)));
  const half = original.map((samples) => samples.map((time) => time / 2));
  const { ratio, ci } = ratioInterval(half, original, 1)!;
  close(ratio, 0.5, 1e-9);
  assert.ok(ci[0] > 0.45 && ci[1] < 0.55, String(ci));
});

test('ratioInterval: rounds and processes with samples of only one variant do not count; zeros give no ratio', () => {
  assert.equal(ratioInterval([[], [1]], [[1], []], 1), null);
  assert.equal(ratioInterval([[1]], [], 1), null);
  const holey = ratioInterval([[500, Number.NaN, 500, 500]], [[1000, 1000, Number.NaN]], 1)!;
  close(holey.ratio, 0.5, 1e-9);
  assert.equal(ratioInterval([[0, 0, 0]], [[1000, 1000, 1000]], 1), null);
  assert.equal(ratioInterval([[1000, 1000, 1000]], [[0, 0, 0]], 1), null);
});

test('decisions follow the interval and the 5 % floor', () => {
  const rows: [ratio: number, ci: [number, number], decision: string, outcome: string, settled: boolean][] = [
    [0.5, [0.4, 0.6], 'faster', 'faster', true],
    [0.93, [0.88, 0.99], 'faster', 'faster', false],
    [0.94, [0.9, 1.01], 'open', 'unsure', false],
    [0.97, [0.955, 0.99], 'same', 'unsure', true],
    [0.97, [0.94, 0.99], 'open', 'unsure', false],
    [1, [0.95, 1.05], 'same', 'unsure', true],
    [1.04, [1.01, 1.07], 'open', 'unsure', false],
    [1.06, [1.01, 1.1], 'slower', 'slower', false],
    [3, [2, 4], 'slower', 'slower', true],
  ];
  for (const [ratio, ci, decision, outcome, settled] of rows) {
    const estimate = { ratio, ci };
    assert.deepEqual(
      [decide(estimate), judgeRatio(estimate), isSettled(estimate)],
      [decision, outcome, settled],
      JSON.stringify(estimate),
    );
  }
  assert.deepEqual([decide(null), judgeRatio(null), isSettled(null)], ['open', 'unsure', false]);
  assert.equal(cannotBeFaster({ ratio: 1.04, ci: [0.97, 1.2] }), true);
  assert.equal(cannotBeFaster({ ratio: 1, ci: [0.9, 1.1] }), false);
  assert.equal(cannotBeFaster(null), false);
});

// The confidence of intervals, from normal quantiles: with 401 processes the prior and Student's t hardly count.

const PROCESSES = 401;
/** Standard deviation of the log over processes. */
const SPREAD = 0.4;
const MEDIAN = 1000;

/** Twenty samples that differ in the seventh digit: they have no spread of their own and no step of a clock. */
const around = (median: number): number[] => many(20, (at) => median * (1 + (at - 9.5) * 1e-7));

/** Half of the processes are slower than the other half by twice the spread. */
const medians = many(PROCESSES, (at) =>
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

test('a pause beside equal times is no step of the clock: a ratio has an end', () => {
  const floor = [[50_000, 50_000, 50_000, 90e6]];
  const { ci } = ratioInterval([[60_000, 65_000, 60_000, 65_000]], floor, 1)!;
  assert.ok(ci.every(Number.isFinite), `${ci}`);
});

test('orders and integers follow the sequence of a seed, the same on every engine', () => {
  const random = seeded(11);
  const orders = many(6, () => {
    const items = ['a', 'b', 'c'];
    shuffle(items, random);
    return items.join('');
  });
  assert.deepEqual(orders, ['acb', 'acb', 'abc', 'cba', 'cab', 'acb']);
  const integers = many(8, () => randomBelow(6, random));
  assert.deepEqual(integers, [2, 4, 4, 0, 1, 1, 2, 2]);
});

test('neighbouring seeds of one base give different sequences', () => {
  const starts = many(1000, (index) => seedFor(1, index));
  assert.equal(new Set(starts).size, 1000);
  assert.notEqual(seedFor(1, 1), seedFor(2, 0));
});

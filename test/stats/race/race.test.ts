import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variantsFor } from '../../../bench/simulation/session.ts';
import type { Measured, Variant } from '../../../src/model/wire/wire.ts';
import { judge } from '../../../src/stats/race/judge.ts';
import {
  gainSoFar,
  nextStep,
  type SamplingPlan,
  type SamplingStep,
} from '../../../src/stats/race/sampling.ts';
import { proof } from '../../make.ts';
import { measuredProcess, type Times } from './processes.ts';

/** The simplest first: a, b, c, d. All may be advised. */
const NAMES = ['a', 'b', 'c', 'd'] as const;
const rename = (id: string): string => id.replace(/remedy-(\d)@\$/, (_, at) => NAMES[Number(at)]!);
const VARIANTS = variantsFor(NAMES.length).map((one) => ({
  ...one,
  id: rename(one.id),
  remedy: one.remedy === null ? null : rename(`${one.remedy}@$`),
}));
const OTHER_CHANNEL: Variant = {
  ...{ id: 'other-channel', remedy: null, plan: null },
  ...{ mode: 'other-channel', channel: 'ipc-advanced' },
};
const converted = (name: string): string => `${name}/with-conversion`;
const inPlace = (name: string): string => `${name}/in-place`;

const process = (nth: number, times: Times): Measured => measuredProcess(nth, times, 60);

/** What follows on so many processes, one after the other, of what was asked for. */
function race(count: number, times: Times, over: Partial<SamplingPlan> = {}) {
  const plan: SamplingPlan = {
    ...{ budgetMs: 5000, startMs: 100, seed: 1, variants: VARIANTS },
    eligible: ALL,
    oneWay: ['floor', 'original'],
    ...over,
  };
  const results: Measured[] = [];
  let step: SamplingStep = nextStep(plan, { results, spentMs: 0, failures: 0 });
  const asked: string[][] = [];
  for (let nth = 0; nth < count && step.step === 'slice'; nth++) {
    const ids = step.slice.variants.map(({ id }) => id);
    asked.push(ids.slice(2));
    results.push(process(nth, Object.fromEntries(ids.map((id) => [id, times[id] ?? 100]))));
    step = nextStep(plan, { results, spentMs: 500 * (nth + 1), failures: 0, dropped: step.dropped });
  }
  return { step, asked, results, plan };
}

const ALL = NAMES.map(converted);

const all = (a: number, b: number, c: number, d: number): Times => ({
  floor: 10,
  original: 100,
  ...Object.fromEntries([a, b, c, d].map((time, at) => [converted(NAMES[at]!), time])),
});

test('the first slice times all with conversion, the original in two turns, one way only what is shown', () => {
  const { step } = race(0, {});
  assert.equal(step.step, 'slice');
  const { variants, originalTurns, dropBeyond, oneWay } = (step as SamplingStep & { step: 'slice' }).slice;
  assert.deepEqual(
    variants.map(({ id }) => id),
    ['floor', 'original', ...ALL],
  );
  assert.deepEqual([originalTurns, oneWay], [2, ['floor', 'original']]);
  assert.ok(dropBeyond! > 2);
});

// What each process was asked to time, without the floor and the original, and how it ended.
const ROWS: [name: string, times: Times, asked: string[][], end: string, over?: Partial<SamplingPlan>][] = [
  [
    'what is faster, but slower than the best, is dropped',
    all(80, 70, 60, 30),
    [ALL, [converted('d')], [converted('d'), inPlace('d')]],
    'decided',
  ],
  [
    'a simpler one is preferred up to 1.3 times the time: it wins, and what it beats is dropped',
    all(33, 90, 32, 90),
    [ALL, [converted('a')], [converted('a'), inPlace('a')]],
    'decided',
  ],
  [
    'when none is faster, the one nearest to it is timed in place',
    all(140, 125, 130, 150),
    [ALL, [], [inPlace('b')]],
    'decided',
  ],
  [
    'what the guest dropped after its first messages is timed again until they are enough to tell',
    { ...all(50, 100, 100, 100), [converted('b')]: [900, 910] },
    [ALL, ['a', 'b'].map(converted), [converted('a'), inPlace('a')]],
    'decided',
  ],
  [
    'near the floor nothing is left to win: a candidate that is still open holds nothing up',
    { ...all(125, 125, 95.4, 125), floor: 85 },
    [ALL, [converted('c')], [converted('c'), inPlace('c')]],
    'decided',
  ],
  [
    'near the floor another channel may still pay: it is timed until it is decided',
    { floor: 85, original: 100, 'other-channel': 95.1 },
    [['other-channel'], ['other-channel'], ['other-channel']],
    'slice',
    { variants: [...VARIANTS.slice(0, 2), OTHER_CHANNEL], eligible: [] },
  ],
  [
    'what may not be advised neither leads nor holds the race open',
    all(20, 60, 100, 100),
    [ALL, [converted('b')], [converted('b'), inPlace('b')]],
    'decided',
    { eligible: ['b', 'c', 'd'].map(converted) },
  ],
];

for (const [name, times, asked, end, over] of ROWS) {
  test(name, () => {
    const told = race(3, times, over);
    assert.deepEqual(told.asked, asked);
    assert.equal(told.step.step === 'done' ? told.step.reason : told.step.step, end);
  });
}

test('a dropped variant comes back if its rival is not faster either, unless its own interval rules that out', () => {
  const variants = VARIANTS.filter(({ id }) => !['c', 'd'].some((name) => id.startsWith(name)));
  const eligible = ['a', 'b'].map(converted);
  const plan: SamplingPlan = { budgetMs: 5000, startMs: 100, seed: 1, variants, eligible };
  const rows: [b: Times[string], dropped: string[]][] = [
    [[40, 900, 950, 40], [converted('a')]],
    [150, ['b', 'a'].map(converted)],
  ];
  for (const [b, expected] of rows) {
    const times = { floor: 10, original: 100, [converted('a')]: 120, [converted('b')]: b };
    const results = [0, 1].map((nth) => process(nth, times));
    const { dropped } = nextStep(plan, { results, spentMs: 500, failures: 0, dropped: [converted('b')] });
    assert.deepEqual(dropped, expected);
  }
});

test('trials of a race: the winner is faster, what is slower is slower, others were dropped', () => {
  const { step, results, plan } = race(3, all(103, 150, 30, 60));
  const proofs = NAMES.map((remedy) => proof({ remedy }));
  const { trials } = judge(results, plan.variants, proofs, { seed: 1, dropped: step.dropped });
  const told = trials.map(({ outcome, inPlace: timed }) => `${outcome}${timed ? ', in place too' : ''}`);
  assert.deepEqual(told, ['dropped', 'slower', 'faster, in place too', 'dropped']);
  for (const { withConversion } of trials) assert.notEqual(withConversion, null, 'their intervals stand');
});

// Time of `a` in one process and in the next: both ratios are known badly, one is on one side of 1 all the same.
for (const [what, times, end] of [
  ['proven to be faster, nobody knows how much: the race ends with its budget', [15, 35], 'done'],
  ['faster or slower: it may take more', [60, 130], 'slice'],
] as const)
  test(`time beyond the budget is for what is not decided: ${what}`, () => {
    const variants = VARIANTS.filter(({ id }) => ['floor', 'original', converted('a')].includes(id));
    const eligible = [converted('a')];
    const plan: SamplingPlan = { budgetMs: 5000, extraMs: 1500, startMs: 100, seed: 1, variants, eligible };
    const results = Array.from({ length: 8 }, (_, nth) =>
      process(nth, { floor: 1, original: 100, [converted('a')]: times[nth % 2]! }),
    );
    const before = nextStep(plan, { results, spentMs: 4000, failures: 0 });
    assert.equal(before.step, 'slice');
    assert.equal(nextStep(plan, { results, spentMs: 5000, failures: 0 }).step, end);
  });

test('the gain so far is that of the fastest candidate that may be advised and did not fail', () => {
  const plan = { variants: VARIANTS, eligible: [converted('a'), converted('b')], seed: 1 };
  const times = { original: 100, [converted('a')]: 80, [converted('b')]: 50, [converted('c')]: 10 };
  assert.equal(gainSoFar(plan, []), null);
  assert.equal(gainSoFar(plan, [process(0, times)])?.toFixed(1), '2.0');
  assert.equal(gainSoFar({ variants: VARIANTS, seed: 1 }, [process(0, times)]), null);
  assert.equal(gainSoFar(plan, [process(0, { original: 100, [converted('a')]: 95 })]), null);
  const failed = process(1, times);
  const sets = failed.sets.map((set) => (set.variant === converted('b') ? { ...set, error: 'threw' } : set));
  assert.equal(gainSoFar(plan, [process(0, times), { ...failed, sets }])?.toFixed(2), '1.25');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCENARIOS } from '../../../bench/simulation/round-trips.ts';
import { runSession, variantsFor } from '../../../bench/simulation/session.ts';
import type { Measured, Variant } from '../../../src/model/wire/wire.ts';
import { judge } from '../../../src/stats/race/judge.ts';
import {
  gainSoFar,
  nextProcessMs,
  nextStep,
  plannedLooks,
  type SamplingPlan,
  type SamplingStep,
  type Slice,
} from '../../../src/stats/race/sampling.ts';
import { proof } from '../../make.ts';

/** Round trips in us by variant: a median with a noise of 1 %, the messages themselves, or the error. */
type Times = Readonly<Record<string, number | readonly number[] | string>>;

function measured(nth: number, times: Times, rounds = 100): Measured {
  const sets = Object.entries(times).map(([variant, time]) => {
    const error = typeof time === 'string' ? time : null;
    return { variant, roundTrip: roundTrips(time, nth, rounds), send: [], receive: [], cold: null, error };
  });
  return { type: 'measured', sets, rounds, gc: null };
}

function roundTrips(time: Times[string], nth: number, rounds: number): number[] {
  if (typeof time === 'string') return [];
  if (typeof time !== 'number') return time.map((one) => 1000 * one);
  return Array.from({ length: rounds }, (_, at) => 1000 * time * (1 + (((at + nth) * 37) % 11) / 500));
}

/** The simplest first. */
const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const converted = (name: string): string => `${name}/with-conversion`;

const renamed = (text: string): string => text.replace(/remedy-(\d)(@\$)?/, (_, at) => NAMES[Number(at)]!);

/** The floor, the original and the first so many, in both modes. */
const variantsOf = (remedies: number): Variant[] =>
  variantsFor(remedies).map((one) => {
    return { ...one, id: renamed(one.id), remedy: one.remedy && renamed(one.remedy) };
  });

const planFor = (remedies: number, over: Partial<SamplingPlan> = {}): SamplingPlan => ({
  ...{ budgetMs: 5000, startMs: 100, seed: 1, variants: variantsOf(remedies), ...over },
});

const processes = (count: number, times: Times): Measured[] =>
  Array.from({ length: count }, (_, nth) => measured(nth, times));

const done = (reason: string) => ({ step: 'done', reason, dropped: [], looks: 12 });

function sliceOf(plan: SamplingPlan, results: Measured[], spentMs: number): Slice {
  const next = nextStep(plan, { results, spentMs, failures: 0 });
  assert.equal(next.step, 'slice', JSON.stringify(next));
  return (next as { slice: Slice }).slice;
}

const idsOf = ({ variants }: Slice): string[] => variants.map(({ id }) => id);
const nextIds = (plan: SamplingPlan, results: Measured[]): string[] => idsOf(sliceOf(plan, results, 1000));

test('the first slice has all variants and a fraction of the budget', () => {
  const plan = planFor(2);
  const slice = sliceOf(plan, [], 0);
  assert.deepEqual(idsOf(slice), ['floor', 'original', converted('a'), converted('b')]);
  assert.ok(slice.warmupMs > 0 && slice.minRounds >= 1 && slice.maxRounds > 1000);
  assert.ok(slice.sliceMs + slice.warmupMs + plan.startMs <= plan.budgetMs / 3);
});

test('seeds start even and are incremented, so that each variant is cold in turn', () => {
  for (const seed of [0, 1, 7, 2 ** 31]) {
    const plan = planFor(1, { seed });
    const first = sliceOf(plan, [], 0).seed;
    const second = sliceOf(plan, processes(1, { floor: 10, original: 50, [converted('a')]: 45 }), 600).seed;
    assert.equal(first % 2, 0);
    assert.equal(second, first + 1);
    assert.ok(Number.isSafeInteger(first) && first >= 0);
  }
});

test('nothing is decided with fewer than three processes', () => {
  const times = { floor: 10, original: 50, [converted('a')]: 25 };
  for (const count of [1, 2]) {
    assert.deepEqual(nextIds(planFor(1), processes(count, times)), ['floor', 'original', converted('a')]);
  }
  const progress = { results: processes(3, times), spentMs: 1900, failures: 0 };
  assert.deepEqual(nextStep(planFor(1), progress), done('decided'));
});

const CANDIDATES = (...names: string[]) => ['floor', 'original', ...names.map(converted)];
const NEXT: [name: string, remedies: number, count: number, times: Times, next: string[]][] = [
  [
    'slower after one process: dropped',
    2,
    1,
    { [converted('a')]: 200, [converted('b')]: 48 },
    CANDIDATES('b'),
  ],
  [
    'all dropped early: the original still gets three processes',
    1,
    1,
    { [converted('a')]: 200 },
    CANDIDATES(),
  ],
  ['one that failed is not timed again', 1, 1, { [converted('a')]: 'DataCloneError' }, CANDIDATES()],
];
for (const [name, remedies, count, times, next] of NEXT)
  test(`what is timed next: ${name}`, () => {
    const results = processes(count, { floor: 10, original: 50, ...times });
    assert.deepEqual(nextIds(planFor(remedies), results), next);
  });

test('sampling ends when all candidates are dropped, or the median is known, after at least three processes', () => {
  const dropped = processes(3, { floor: 10, original: 50, [converted('a')]: 200 });
  assert.deepEqual(nextStep(planFor(1), { results: dropped, spentMs: 1900, failures: 0 }), done('decided'));
  const known = processes(5, { floor: 10, original: 50 });
  assert.deepEqual(nextStep(planFor(0), { results: known, spentMs: 3000, failures: 0 }), done('decided'));
  const apart = [50, 80, 120].map((original, nth) => measured(nth, { floor: 10, original }));
  for (const eligible of [undefined, []])
    assert.deepEqual(nextIds(planFor(0, eligible && { eligible }), apart), ['floor', 'original']);
});

test('no process is started when earlier ones took longer than the rest of the budget', () => {
  const results = processes(3, { floor: 10, original: 50, [converted('a')]: 47 });
  assert.deepEqual(nextStep(planFor(1), { results, spentMs: 4200, failures: 0 }), done('budget'));
  assert.equal(nextStep(planFor(1), { results, spentMs: 2000, failures: 0 }).step, 'slice');
});

test('sampling ends with an error when processes fail or the original cannot be sent', () => {
  const none = { results: [], spentMs: 300, failures: 3 };
  assert.deepEqual(nextStep(planFor(1), none), done('error'));
  const results = processes(1, { floor: 10, original: 'DataCloneError' });
  assert.deepEqual(nextStep(planFor(1), { results, spentMs: 300, failures: 0 }), done('error'));
  assert.equal(nextStep(planFor(1), { results: [], spentMs: 300, failures: 1 }).step, 'slice');
});

test('a payload that takes a second per message is not timed in ten variants at once', () => {
  const plan = planFor(5, { tripMs: 1000 });
  assert.deepEqual(idsOf(sliceOf(plan, [], 0)), ['floor', 'original', converted('a')]);
  const results = processes(1, { floor: 10, original: 1e6, [converted('a')]: 9e5 });
  const next = idsOf(sliceOf(plan, results, 2000));
  assert.ok(next.includes(converted('b')) && !next.includes(converted('a')), String(next));
});

test('sampling keeps the budget for cheap and for expensive payloads', () => {
  const ratios = [
    [0.97, 1.02],
    [1.01, 1.4],
  ] as const;
  for (const originalNs of [100_000, 1_000_000, 20_000_000]) {
    for (const [budgetMs, startMs] of [
      [1000, 50],
      [3000, 300],
      [5000, 120],
    ] as const) {
      const end = runSession({ scenario: SCENARIOS[1]!, originalNs, ratios, budgetMs, startMs, seed: 3 });
      const where = `${originalNs} ns, ${budgetMs} ms, start ${startMs} ms: ${end.spentMs} ms`;
      assert.ok(end.spentMs <= 1.2 * budgetMs, where);
      if (end.reason === 'budget') assert.ok(end.spentMs >= 0.8 * budgetMs, where);
      assert.ok(end.results.length >= 3, `${where}, ${end.results.length} processes`);
    }
  }
});

const looks = [
  ['nothing is known before the first process', 5000, 0, 0, 0, 12],
  ['as many as the budget has room for, without those before the third process', 5000, 1000, 1, 0, 3],
  ['those that failed took their time too', 5000, 2000, 1, 1, 3],
  ['never less than there were', 5000, 9000, 6, 0, 4],
  ['never less than one', 5000, 4000, 1, 0, 1],
] as const;
for (const [why, budgetMs, spentMs, results, failures, expected] of looks) {
  test(`looks: ${why}`, () => {
    const spent = { results: new Array(results), spentMs, failures };
    assert.equal(plannedLooks({ budgetMs, startMs: 100 }, spent), expected);
    assert.equal(plannedLooks({ budgetMs, startMs: 100, mayGrow: true }, spent), 12);
  });
}

test('extra time of an undecided race adds processes, but does not make them longer', () => {
  const plan = { budgetMs: 5000, startMs: 100 };
  const longer = { ...plan, extraMs: 1500 };
  const spent = { results: [0, 0, 0, 0], spentMs: 2000, failures: 0 };
  assert.equal(nextProcessMs(longer, { results: [], spentMs: 0, failures: 0 }, 20), 500);
  assert.equal(nextProcessMs({ ...plan, eligible: [] }, { results: [], spentMs: 0, failures: 0 }, 20), 1000);
  assert.equal(nextProcessMs(plan, { ...spent, spentMs: 5000 }, 20), null);
  assert.equal(nextProcessMs(longer, { ...spent, spentMs: 5000 }, 20), 1500);
  assert.deepEqual([plannedLooks(plan, spent), plannedLooks(longer, spent)], [8, 10]);
});

test('a race that is won after two processes has time for a third: the extra time is divided last', () => {
  const plan = { budgetMs: 3600, extraMs: 900, startMs: 600, eligible: [] };
  const first = nextProcessMs(plan, { results: [], spentMs: 0, failures: 0 }, 20)!;
  const second = nextProcessMs(plan, { results: [0], spentMs: first, failures: 0 }, 20)!;
  const spent = { results: [0, 0], spentMs: first + second, failures: 0 };
  assert.deepEqual([first, second, nextProcessMs({ ...plan, extraMs: 0 }, spent, 20)], [1200, 1200, 1200]);
});

// Races: which rewrite is timed how long, until the best is known.

const OTHER_CHANNEL: Variant = {
  ...{ id: 'other-channel', remedy: null, plan: null },
  ...{ mode: 'other-channel', channel: 'ipc-advanced' },
};

/** What follows on so many processes, one after the other, of what was asked for. All may be advised. */
function race(count: number, times: Times, over: Partial<SamplingPlan> = {}) {
  const plan = planFor(4, { eligible: ALL, oneWay: ['floor', 'original'], ...over });
  const results: Measured[] = [];
  let step: SamplingStep = nextStep(plan, { results, spentMs: 0, failures: 0 });
  const told: string[] = [];
  for (let nth = 0; nth < count && step.step === 'slice'; nth++) {
    const ids = idsOf(step.slice);
    told.push(ids.slice(2).join(' ').replaceAll('/with-conversion', ''));
    results.push(measured(nth, Object.fromEntries(ids.map((id) => [id, times[id] ?? 100])), 60));
    step = nextStep(plan, { results, spentMs: 500 * (nth + 1), failures: 0, dropped: step.dropped });
  }
  told.push(step.step === 'done' ? step.reason : step.step);
  return { step, told: told.join(', '), results, plan };
}

const RACING = ['a', 'b', 'c', 'd'] as const;
const ALL = RACING.map(converted);

const all = (a: number, b: number, c: number, d: number): Times => ({
  floor: 10,
  original: 100,
  ...Object.fromEntries([a, b, c, d].map((time, at) => [ALL[at]!, time])),
});

test('the first slice of a race times the original in two turns, and one way only what is shown', () => {
  const { step } = race(0, {});
  assert.equal(step.step, 'slice');
  const { slice } = step as SamplingStep & { step: 'slice' };
  assert.deepEqual(idsOf(slice), ['floor', 'original', ...ALL]);
  assert.deepEqual([slice.originalTurns, slice.oneWay], [2, ['floor', 'original']]);
  assert.ok(slice.dropBeyond! > 2);
});

/** What each process was asked to time, without the floor and the original, and how it ended. */
const ROWS: [name: string, times: Times, told: string, over?: Partial<SamplingPlan>][] = [
  [
    'what is faster, but slower than the best, is dropped',
    all(80, 70, 60, 30),
    'a b c d, d, d d/in-place, decided',
  ],
  [
    'a simpler one is preferred up to 1.3 times the time: it wins, and what it beats is dropped',
    all(33, 90, 32, 90),
    'a b c d, a, a a/in-place, decided',
  ],
  [
    'when none is faster, the one nearest to it is timed in place',
    all(140, 125, 130, 150),
    'a b c d, , b/in-place, decided',
  ],
  [
    'what the guest dropped after its first messages is timed again until they are enough to tell',
    { ...all(50, 100, 100, 100), [converted('b')]: [900, 910] },
    'a b c d, a b, a a/in-place, decided',
  ],
  [
    'near the floor nothing is left to win: a candidate that is still open holds nothing up',
    { ...all(125, 125, 95.4, 125), floor: 85 },
    'a b c d, c, c c/in-place, decided',
  ],
  [
    'near the floor another channel may still pay: it is timed until it is decided',
    { floor: 85, original: 100, 'other-channel': 95.1 },
    'other-channel, other-channel, other-channel, slice',
    { variants: [...variantsOf(0), OTHER_CHANNEL], eligible: [] },
  ],
  [
    'what may not be advised neither leads nor holds the race open',
    all(20, 60, 100, 100),
    'a b c d, b, b b/in-place, decided',
    { eligible: ALL.slice(1) },
  ],
];

for (const [name, times, told, over] of ROWS) test(name, () => assert.equal(race(3, times, over).told, told));

test('a dropped variant comes back if its rival is not faster either, unless its own interval rules that out', () => {
  const plan = planFor(2, { eligible: ['a', 'b'].map(converted) });
  const rows: [b: Times[string], dropped: string[]][] = [
    [[40, 900, 950, 40], [converted('a')]],
    [150, ['b', 'a'].map(converted)],
  ];
  for (const [b, expected] of rows) {
    const results = processes(2, { floor: 10, original: 100, [converted('a')]: 120, [converted('b')]: b });
    const { dropped } = nextStep(plan, { results, spentMs: 500, failures: 0, dropped: [converted('b')] });
    assert.deepEqual(dropped, expected);
  }
});

test('trials of a race: the winner is faster, what is slower is slower, others were dropped', () => {
  const { step, results, plan } = race(3, all(103, 150, 30, 60));
  const proofs = RACING.map((remedy) => proof({ remedy }));
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
    const plan = planFor(1, { extraMs: 1500, eligible: [converted('a')] });
    const results = Array.from({ length: 8 }, (_, nth) =>
      measured(nth, { floor: 1, original: 100, [converted('a')]: times[nth % 2]! }, 60),
    );
    const stepAt = (spentMs: number) => nextStep(plan, { results, spentMs, failures: 0 }).step;
    assert.deepEqual([stepAt(4000), stepAt(5000)], ['slice', end]);
  });

test('the gain so far is that of the fastest candidate that may be advised and did not fail', () => {
  const plan = planFor(4, { eligible: ALL.slice(0, 2) });
  const times = { original: 100, [converted('a')]: 80, [converted('b')]: 50, [converted('c')]: 10 };
  assert.equal(gainSoFar(plan, []), null);
  assert.equal(gainSoFar(plan, processes(1, times))?.toFixed(1), '2.0');
  assert.equal(gainSoFar(planFor(4), processes(1, times)), null);
  assert.equal(gainSoFar(plan, processes(1, { original: 100, [converted('a')]: 95 })), null);
  const failed = measured(1, times);
  const sets = failed.sets.map((set) => (set.variant === converted('b') ? { ...set, error: 'threw' } : set));
  assert.equal(gainSoFar(plan, [measured(0, times), { ...failed, sets }])?.toFixed(2), '1.25');
});

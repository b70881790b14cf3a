import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCENARIOS } from '../../../bench/simulation/round-trips.ts';
import { runSession, variantsFor } from '../../../bench/simulation/session.ts';
import type { Measured } from '../../../src/model/wire/wire.ts';
import {
  nextProcessMs,
  nextStep,
  plannedLooks,
  type SamplingPlan,
  type Slice,
} from '../../../src/stats/race/sampling.ts';
import { measuredProcess, type Times } from './processes.ts';

const planFor = (remedies: number, over: Partial<SamplingPlan> = {}): SamplingPlan => ({
  ...{ budgetMs: 5000, startMs: 100, seed: 1, variants: variantsFor(remedies), ...over },
});

const processes = (count: number, times: Times): Measured[] =>
  Array.from({ length: count }, (_, nth) => measuredProcess(nth, times, 100));

const done = (reason: string) => ({ step: 'done', reason, dropped: [], looks: 12 });

const converted = (remedy: number): string => `remedy-${remedy}@$/with-conversion`;

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
  assert.deepEqual(idsOf(slice), ['floor', 'original', converted(0), converted(1)]);
  assert.ok(slice.warmupMs > 0 && slice.minRounds >= 1 && slice.maxRounds > 1000);
  assert.ok(slice.sliceMs + slice.warmupMs + plan.startMs <= plan.budgetMs / 3);
});

test('seeds start even and are incremented, so that each variant is cold in turn', () => {
  for (const seed of [0, 1, 7, 2 ** 31]) {
    const plan = planFor(1, { seed });
    const first = sliceOf(plan, [], 0).seed;
    const second = sliceOf(plan, processes(1, { floor: 10, original: 50, [converted(0)]: 45 }), 600).seed;
    assert.equal(first % 2, 0);
    assert.equal(second, first + 1);
    assert.ok(Number.isSafeInteger(first) && first >= 0);
  }
});

test('nothing is decided with fewer than three processes', () => {
  const times = { floor: 10, original: 50, [converted(0)]: 25 };
  for (const count of [1, 2]) {
    assert.deepEqual(nextIds(planFor(1), processes(count, times)), ['floor', 'original', converted(0)]);
  }
  const progress = { results: processes(3, times), spentMs: 1900, failures: 0 };
  assert.deepEqual(nextStep(planFor(1), progress), done('decided'));
});

const CANDIDATES = (...names: number[]) => ['floor', 'original', ...names.map(converted)];
const NEXT: [name: string, remedies: number, count: number, times: Times, next: string[]][] = [
  ['slower after one process: dropped', 2, 1, { [converted(0)]: 200, [converted(1)]: 48 }, CANDIDATES(1)],
  ['all dropped early: the original still gets three processes', 1, 1, { [converted(0)]: 200 }, CANDIDATES()],
  ['one that failed is not timed again', 1, 1, { [converted(0)]: 'DataCloneError' }, CANDIDATES()],
];
for (const [name, remedies, count, times, next] of NEXT)
  test(`what is timed next: ${name}`, () => {
    const results = processes(count, { floor: 10, original: 50, ...times });
    assert.deepEqual(nextIds(planFor(remedies), results), next);
  });

test('sampling ends when all candidates are dropped, or the median is known, after at least three processes', () => {
  const dropped = processes(3, { floor: 10, original: 50, [converted(0)]: 200 });
  assert.deepEqual(nextStep(planFor(1), { results: dropped, spentMs: 1900, failures: 0 }), done('decided'));
  const known = processes(5, { floor: 10, original: 50 });
  assert.deepEqual(nextStep(planFor(0), { results: known, spentMs: 3000, failures: 0 }), done('decided'));
  const apart = [50, 80, 120].map((original, nth) => measuredProcess(nth, { floor: 10, original }, 100));
  for (const eligible of [undefined, []])
    assert.deepEqual(nextIds(planFor(0, eligible && { eligible }), apart), ['floor', 'original']);
});

test('no process is started when earlier ones took longer than the rest of the budget', () => {
  const results = processes(3, { floor: 10, original: 50, [converted(0)]: 47 });
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
  assert.deepEqual(idsOf(sliceOf(plan, [], 0)), ['floor', 'original', converted(0)]);
  const results = processes(1, { floor: 10, original: 1e6, [converted(0)]: 9e5 });
  const next = idsOf(sliceOf(plan, results, 2000));
  assert.ok(next.includes(converted(1)) && !next.includes(converted(0)), String(next));
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

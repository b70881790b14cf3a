import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement, RoundTrip } from '../../../src/model/documents/measurement.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import type { Measured, MemoryUse, Proof, SampleSet, Variant } from '../../../src/model/wire/wire.ts';
import { FLOOR, ORIGINAL } from '../../../src/stats/intervals/variant-samples.ts';
import {
  blockedTimes,
  judge,
  messagesInFlight,
  toPhases,
  withMemory,
  worthMeasuringMemory,
} from '../../../src/stats/race/judge.ts';
import { proof, trial } from '../../make.ts';

const PLAN = { path: '$' };

const variants: Variant[] = [
  FLOOR,
  ORIGINAL,
  { id: 'json/with', remedy: 'json-text', plan: PLAN, mode: 'with-conversion' },
  { id: 'json/in', remedy: 'json-text', plan: PLAN, mode: 'in-place' },
  { id: 'rows/with', remedy: 'compiled', plan: { path: '$.rows' }, mode: 'with-conversion' },
];

function set(variant: string, ns: number, over: Partial<SampleSet> = {}): SampleSet {
  const around = (middle: number) => Array.from({ length: 101 }, (_, at) => middle * (1 + (at - 50) / 1000));
  const [roundTrip, send, receive] = [around(ns), around(ns / 10), around(ns / 5)];
  return { variant, roundTrip, send, receive, cold: null, error: null, ...over };
}

const measured = (sets: SampleSet[], gc: Measured['gc'] = null): Measured => ({
  ...{ type: 'measured', sets, rounds: 101, gc },
});

const four = (sets: () => SampleSet[]): Measured[] => Array.from({ length: 4 }, () => measured(sets()));

/** The judgement of these results, or of four processes that give these sets. */
const judged = (from: Measured[] | (() => SampleSet[]), proofs: Proof[] = []) =>
  judge(typeof from === 'function' ? four(from) : from, variants, proofs, { seed: 1 });

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 0.02, `${actual}, expected ${expected}`);

test('measurement: a database splits the round trip, and its thread is not blocked while it is written', () => {
  const partsOf = (id: string, ns: number) =>
    set(id, ns, { written: [ns / 4, ns / 4], result: [ns / 8, ns / 8] });
  const results = [measured([partsOf('floor', 80_000), partsOf('original', 4e6), partsOf('json/with', 8e6)])];
  const { measurement, trials } = judge(results, variants, [proof()], { seed: 1, channel: 'indexeddb' });
  const { database, blocked, phases } = measurement!;
  near(database!.transaction.median, 1e6);
  near(database!.result!.median, 5e5);
  near(database!.floor.transaction, 20_000);
  near(database!.floor.result!, 10_000);
  assert.deepEqual([blocked!.receiverNs, phases], [5e5, null]);
  near(trials[0]!.blocksNs!, 8e5);
  const inFirefox = results.map(({ sets, ...rest }) => ({
    ...rest,
    sets: sets.map(({ result: _, ...one }) => one),
  }));
  const other = judge(inFirefox, variants, [], { seed: 1, channel: 'indexeddb' }).measurement!;
  assert.deepEqual([other.database!.result, other.blocked!.receiverNs], [null, null]);
});

test('measurement of the original', () => {
  const results = [
    measured([set('floor', 1000), set('original', 5000, { cold: 90_000 })], { count: 3, share: 0.02 }),
    measured([set('floor', 1000), set('original', 5000)], { count: 1, share: 0.04 }),
    measured([set('floor', 1000), set('original', 5000, { cold: 70_000 })], null),
  ];
  const { measurement, trials } = judged(results);
  assert.ok(measurement);
  const { roundTrip, send, receive, floor } = measurement;
  near(roundTrip.median, 5000);
  near(roundTrip.p95 ?? 0, 5225);
  near(roundTrip.p99 ?? 0, 5245);
  assert.ok(roundTrip.ci[0] < 5000 && 5000 < roundTrip.ci[1]);
  assert.deepEqual([roundTrip.samples, roundTrip.processes], [303, 3]);
  assert.equal(
    roundTrip.histogram?.counts.reduce((sum, count) => sum + count, 0),
    303,
  );
  near(send!.median, 500);
  near(receive!.median, 1000);
  near(floor.roundTrip, 1000);
  near(floor.send!, 100);
  near(floor.receive!, 200);
  near(measurement.cold.roundTrip!, 80_000);
  assert.deepEqual(measurement.gc, { count: 4, share: 0.03 });
  assert.equal(measurement.peakMemory, null);
  assert.deepEqual(trials, []);
});

test('a sample that is a block of messages says nothing about rare messages', () => {
  const { measurement } = judged(() => [set('floor', 1000), set('original', 5000, { messages: 4 })]);
  const { roundTrip } = measurement!;
  near(roundTrip.median, 5000);
  assert.deepEqual([roundTrip.p95, roundTrip.p99, roundTrip.messagesPerSample], [null, null, 4]);
});

test('no receive time on a channel without a receiving side; the first warm message replaces a missing cold one', () => {
  const { measurement } = judged(() => [set('original', 5000, { receive: [] })]);
  assert.equal(measurement!.receive, null);
  assert.equal(measurement!.floor.receive, null);
  near(measurement!.cold.roundTrip!, 4750);
});

test('times that a coarse clock cannot measure are null, never 0', () => {
  const page = { clockStepNs: 1e6, sharesMemory: false };
  const sets = [set('floor', 1000, { send: [] }), set('original', 5000, { send: [], receive: [] })];
  const shown = four(() => sets).map((result) => ({ ...result, page }));
  const { measurement } = judged(shown);
  assert.deepEqual(measurement!.page, page);
  const { send, floor, receive, cold, phases, blocked } = measurement!;
  assert.deepEqual([send, floor.send, receive, cold.roundTrip, phases, blocked], new Array(6).fill(null));
});

test('no measurement without the original', () => {
  for (const results of [[], four(() => [set('original', 1, { roundTrip: [], error: 'refused' })])]) {
    const { measurement, trials } = judged(results, [proof()]);
    assert.equal(measurement, null);
    assert.deepEqual([trials[0]!.outcome, trials[0]!.withConversion], ['unsure', null]);
  }
});

test('a trial has a ratio and an outcome for each mode', () => {
  const sets = () => [set('original', 5000), set('json/with', 6000), set('json/in', 2500)];
  const trial = judged(sets, [proof()]).trials[0]!;
  near(trial.withConversion!.ratio, 1.2);
  near(trial.inPlace!.ratio, 0.5);
  assert.deepEqual([trial.outcome, trial.outcomeInPlace], ['slower', 'faster']);
  assert.deepEqual([trial.remedy, trial.path, trial.equality], ['json-text', '$', 'equal']);
  assert.equal(trial.reason, undefined);
  assert.equal(trial.histogram, undefined, 'only of what is faster');
});

test('a lossy proof is timed and keeps its losses', () => {
  const losses = [{ path: '$.at', what: 'Date became string' }];
  const sets = () => [set('original', 5000), set('json/with', 2500)];
  const trial = judged(sets, [proof({ equality: 'lossy', losses })]).trials[0]!;
  assert.deepEqual([trial.equality, trial.outcome, trial.losses], ['lossy', 'faster', losses]);
  assert.deepEqual([trial.inPlace, trial.outcomeInPlace], [null, 'unsure']);
  const counts = trial.histogram?.counts ?? [];
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    4 * 101,
  );
});

test('refused and failed proofs are refused trials, with the reason', () => {
  for (const equality of ['refused', 'failed'] as const) {
    const [trial] = judged([], [proof({ equality, reason: 'has a cycle' })]).trials;
    assert.deepEqual(
      [trial!.equality, trial!.outcome, trial!.outcomeInPlace, trial!.reason],
      ['failed', 'refused', 'refused', 'has a cycle'],
    );
  }
});

test('a remedy counts as refused only if the engine refused it in all modes', () => {
  const failed = { roundTrip: [], error: 'DataCloneError' };
  for (const [withConversion, outcome, inPlace] of [
    [set('json/with', 1, failed), 'refused', 'refused'],
    [set('json/with', 2500), 'faster', 'unsure'],
  ] as const) {
    const sets = () => [set('original', 5000), withConversion, set('json/in', 1, failed)];
    const trial = judged(sets, [proof()]).trials[0]!;
    const told = [trial.outcome, trial.outcomeInPlace, trial.reason];
    assert.deepEqual(told, [outcome, inPlace, 'DataCloneError']);
  }
});

test('a variant that was dropped early is compared with the original in the same processes', () => {
  const slowMachine = [set('original', 50_000)];
  const results = [
    ...Array.from({ length: 3 }, () => measured([set('original', 5000), set('rows/with', 4000)])),
    measured(slowMachine),
    measured(slowMachine),
  ];
  const rows = proof({ remedy: 'compiled', plan: { path: '$.rows' } });
  const trial = judged(results, [proof(), rows]).trials[1]!;
  near(trial.withConversion!.ratio, 0.8);
  assert.equal(trial.outcome, 'faster');
});

test('a rewrite that the guest dropped is reported as dropped only if its samples support that', () => {
  // Times of the original and of the rewrite, ns, in each process.
  const rows: [name: string, original: number[], rewrite: number[], processes: number, outcome: string][] = [
    ['two messages that took longer', [1000, 1010], [9000, 9100], 1, 'unsure'],
    ['two in each of two processes', [1000, 1010], [9000, 9100], 2, 'slower'],
    ['far apart, on a busy machine', [1000, 90_000], [60_000, 900], 2, 'unsure'],
    ['many, a little slower than another', [1000, 1010, 1020, 1030], [930, 940, 960, 970], 3, 'dropped'],
    ['one, a hundred times faster', [138_000], [1000], 1, 'unsure'],
  ];
  for (const [name, original, rewrite, processes, outcome] of rows) {
    const sets = [set('original', 1, { roundTrip: original }), set('json/with', 1, { roundTrip: rewrite })];
    const results = Array.from({ length: processes }, () => ({ ...measured(sets), rounds: rewrite.length }));
    const options = { seed: 1, dropped: ['json/with'] };
    const trial = judge(results, variants, [proof()], options).trials[0]!;
    assert.equal(trial.outcome, outcome, `${name}: ${trial.withConversion?.ci}`);
    assert.equal(trial.withConversion?.samples, processes * rewrite.length, name);
  }
});

test('the round trip over that of an empty message, with its samples', () => {
  const { overFloor } = judged(() => [set('floor', 1000), set('original', 1400)]).measurement!;
  near(overFloor!.ratio, 1.4);
  assert.deepEqual([overFloor!.samples, overFloor!.processes], [404, 4]);
  assert.equal(judged(() => [set('original', 1400)]).measurement!.overFloor, undefined);
});

test('the judgement holds no NaN or Infinity, so that JSON keeps it', () => {
  const original = set('original', 5000, { send: [0, 0] });
  const sets = () => [set('floor', 0), original, set('json/with', 7, { roundTrip: [1] })];
  const all = judged(sets, [proof(), proof({ plan: { path: '$.x' } })]);
  assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
});

const estimate = (median: number) => ({ median, ci: [median, median] as [number, number] });
const trip = (median: number): RoundTrip => ({
  ...{ ...estimate(median), p95: median, p99: median, samples: 9, processes: 3 },
});
const EMPTY_TRIP = { roundTrip: 10, send: 1, receive: 1 };
const TIMES = { roundTrip: trip(106), send: estimate(20), receive: estimate(30), floor: EMPTY_TRIP };

/** Times, and one way, transit and what is unaccounted; null: no phases. */
const PHASES: [name: string, more: Partial<Parameters<typeof toPhases>[0]>, number[] | null][] = [
  ['adds up', {}, [53, 3, 0]],
  ['both threads work at once', { roundTrip: trip(96) }, [48, 3, -5]],
  [
    'transit is never negative, even if an empty message is received while it is sent',
    { floor: { roundTrip: 10, send: 4, receive: 4 } },
    [53, 0, 3],
  ],
  [
    'one way is the trip minus half an empty trip if the answers are empty messages',
    { roundTrip: trip(58), answers: { with: 'empty', why: 'no document' } },
    [53, 3, 0],
  ],
  ['none of one round trip', { roundTrip: { ...trip(106), samples: 1 } }, null],
  ['none of two sends', { send: { ...estimate(20), samples: 2 } }, null],
  ['none of a wide interval', { receive: { median: 30, ci: [2, 900] } }, null],
  ['none without a receiver', { receive: null }, null],
  ['none without a receiver of an empty message', { floor: { ...EMPTY_TRIP, receive: null } }, null],
];

for (const [name, more, expected] of PHASES)
  test(`phases: ${name}`, () => {
    const [oneWay, transit, unaccounted] = expected ?? [];
    const phases = expected && { oneWay, send: 20, receive: 30, transit, unaccounted };
    assert.deepEqual(toPhases({ ...TIMES, ...more }), phases);
  });

const MS = 1e6;
const often = (ms: number, rest: number[] = []): number[] => [
  ...Array.from({ length: 1000 }, () => ms * MS),
  ...rest.map((one) => one * MS),
];

const blocks = [
  ['one slice of time was stolen', often(1, [80]), often(2), null, 80],
  ['a frame, by the sender', often(17), often(2), 'frame', 17],
  ['a frame, by the receiver', often(1), often(20), 'frame', 20],
  ['exactly a frame is none', often(16), often(16), null, 16],
  ['a long task', often(1), often(51), 'long-task', 51],
  ['no receiver to time', often(60), [], 'long-task', 60],
] as const;

for (const [name, sends, receives, exceeds, longest] of blocks) {
  test(`blocked: ${name}`, () => {
    const blocked = blockedTimes(sends, receives);
    assert.equal(blocked?.exceeds, exceeds);
    assert.equal(blocked?.longestNs, longest * MS);
    assert.equal(blocked?.receiverNs === null, receives.length === 0);
  });
}

test('blocked: nothing was timed', () => assert.equal(blockedTimes([], []), null));

// Memory.

const GB = 1e9;

const flights: [name: string, bytes: number, tripMs: number, machineBytes: number, messages: number][] = [
  ['as many as fill 64 MB', 1e6, 1, 16 * GB, 64],
  ['as many as 150 ms allow', 1e6, 30, 16 * GB, 10],
  ['one where one is larger', 500e6, 1, 16 * GB, 1],
  ['a small machine holds less', 1e6, 1, GB, 31],
  ['size unknown', 0, 0.01, 16 * GB, 20_000],
];

for (const [name, bytes, tripMs, machineBytes, messages] of flights) {
  test(`the number of messages in flight: ${name}`, () =>
    assert.equal(messagesInFlight({ bytes, tripMs, machineBytes }), messages));
}

/** A trial whose outcome is open, unless it is said otherwise. */
const trialOf = (remedy: string, over: Partial<Trial> = {}): Trial =>
  trial(remedy, 1, { inPlace: null, outcome: 'unsure', outcomeInPlace: 'unsure', ...over });

test('memory is measured for equal remedies that are faster, the fastest first', () => {
  const faster = (remedy: string, ratio: number, over: Partial<Trial> = {}) =>
    trialOf(remedy, { outcome: 'faster', withConversion: { ratio, ci: [ratio, ratio] }, ...over });
  const trials = [
    trialOf('unsure'),
    faster('lossy', 0.1, { equality: 'lossy' }),
    faster('fast', 0.5),
    trialOf('refused', { outcome: 'refused', withConversion: null }),
    faster('faster', 0.2),
  ];
  const remedies = worthMeasuringMemory(trials).map(({ remedy }) => remedy);
  assert.deepEqual(remedies, ['faster', 'fast']);
});

const occupied = (perMessage: number, messages = 100): MemoryUse => ({
  type: 'memory-use',
  bytes: perMessage * messages,
  perMessage,
  messages,
  baselineBytes: 0,
});

const measurement = { peakMemory: null } as unknown as Measurement;

const weighed = [
  ['the middle process counts', [1e6, 5e6, 2e6], [1e6, 1e6, 9e6], 2e6, 0.5],
  ['nothing is so many times nothing', [20], [1e6], 20, null],
  ['nothing was weighed', [], [], null, null],
] as const;

for (const [name, original, remedy, perMessage, expected] of weighed) {
  test(`memory: ${name}`, () => {
    const one = trialOf('json-text');
    const judged = withMemory(
      {
        measurement,
        trials: [one, trialOf('other', { plan: { path: '$.x' } })],
        otherChannel: null,
        afterReceiving: null,
        noise: null,
        waited: null,
        widened: 0,
      },
      new Map([
        [ORIGINAL, original.map((bytes) => occupied(bytes))],
        [{ ...one, id: 'one', mode: 'with-conversion' }, remedy.map((bytes) => occupied(bytes))],
      ]),
    );
    assert.equal(judged.measurement?.peakMemory?.perMessage ?? null, perMessage);
    assert.deepEqual(
      judged.trials.map(({ peakMemory }) => peakMemory?.ratio ?? null),
      [expected, null],
    );
  });
}

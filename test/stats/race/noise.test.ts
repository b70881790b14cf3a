import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normal } from '../../../bench/simulation/round-trips.ts';
import { stolenMsIn } from '../../../src/machine/machine.ts';
import type { Measured, SampleSet, Variant } from '../../../src/model/wire/wire.ts';
import { decide } from '../../../src/stats/evidence.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { RunSamples } from '../../../src/stats/intervals/variant-samples.ts';
import { judge } from '../../../src/stats/race/judge.ts';
import {
  contentionBetween,
  detectNoise,
  lostShare,
  type NoiseKind,
  runNoise,
} from '../../../src/stats/race/noise.ts';
import { proof } from '../../make.ts';

const SEED = 11;

/** Four processes of `count` quiet messages; `disturb` multiplies each. */
function machine(count: number, disturb: (at: number, process: number) => number): number[][] {
  const random = seeded(SEED);
  return Array.from({ length: 4 }, (_, process) =>
    Array.from(
      { length: count },
      (_, at) => 1000 * Math.exp(0.05 * normal(random)) * disturb(at / count, process),
    ),
  );
}

const rows: [name: string, disturb: (at: number, process: number) => number, beyond: NoiseKind[]][] = [
  ['quiet', () => 1, []],
  ['ever slower', (at) => 1 + at, ['drift']],
  ['one process in another world', (_, process) => (process === 0 ? 2 : 1), ['spread']],
  ['stolen time', (at) => (Math.round(at * 1000) % 10 === 0 ? 20 : 1), ['bursts']],
  ['two speeds', (at) => (Math.round(at * 1000) % 3 === 0 ? 1.5 : 1), ['modes']],
];

for (const [name, disturb, beyond] of rows) {
  test(`noise: ${name} (seed ${SEED})`, () => {
    assert.deepEqual(detectNoise(machine(1000, disturb))?.beyond, beyond);
  });
}

test('noise: null for too few samples, clocks that do not advance and invalid numbers', () => {
  assert.equal(detectNoise([]), null);
  assert.equal(detectNoise([[1, 2, 3], []]), null);
  assert.equal(detectNoise([new Array<number>(100).fill(0)]), null);
  const still = detectNoise([new Array<number>(100).fill(1000), [Number.NaN, 1]]);
  assert.deepEqual(still, { spread: 0, drift: 0, bursts: 0, modes: 0, beyond: [] });
});

const counters = (stolenMs: number | null, group: [usedMs: number, throttledMs: number] | null) => ({
  ...{ stolenMs, group: group && { usedMs: group[0], throttledMs: group[1] } },
});

type Group = [usedMs: number, throttledMs: number] | null;
/** Two readings, of stolen time and of a group of processes, and what was lost in the second between them. */
const READINGS: [before: [number, Group], now: [number, Group], stolen: number, throttled: number | null][] =
  [
    [[100, [500, 0]], [150, [1470, 30]], 0.05, 0.03],
    // Half of the time on each of four cores.
    [[0, [0, 0]], [0, [2000, 2000]], 0, 0.5],
    [[0, [7, 3]], [0, [7, 3]], 0, 0],
    [[5, null], [5, null], 0, null],
  ];

test('lost shares of the time between two readings', () => {
  for (const [before, now, stolen, throttled] of READINGS)
    assert.deepEqual(contentionBetween(counters(...before), counters(...now), 1000), { stolen, throttled });
  const one = counters(1, [1, 1]);
  assert.deepEqual([contentionBetween(null, one, 1000), contentionBetween(one, one, 0)], [null, null]);
});

const losses: [stolen: number | null, throttled: number | null, lost: number][] = [
  [0.01, 0.005, 0],
  [0.05, null, 0.05],
  [0.05, 0.1, 0.15],
  [0.9, 0.9, 0.5],
  [null, null, 0],
];

for (const [stolen, throttled, lost] of losses) {
  test(`stolen ${stolen}, throttled ${throttled}: ${lost} lost`, () =>
    assert.ok(Math.abs(lostShare({ stolen, throttled }) - lost) < 1e-9));
}

test('steal of Linux', () => {
  const stat =
    'cpu  100 0 50 900 1 0 2 40 0 0\ncpu0 50 0 25 450 1 0 1 30 0 0\ncpu1 50 0 25 450 0 0 1 10 0 0\nintr 1\n';
  assert.equal(stolenMsIn(stat), 200);
  assert.equal(stolenMsIn('cpu  1 2 3\n'), null);
});

test('contention is explained by counters first, then by load', () => {
  const floor = { spread: 0.1, drift: 0.5, bursts: 0, modes: 1 };
  const noise = runNoise(
    { noise: { ...floor, beyond: ['drift'] }, waited: null, widened: 0.4 },
    { stolen: 0.1, throttled: null },
  );
  assert.deepEqual(noise, {
    floor,
    beyond: ['stolen', 'drift'],
    strain: { stolen: 0.1, throttled: null },
    widened: 0.4,
  });
});

const VARIANTS: Variant[] = [
  { id: 'floor', remedy: null, plan: null, mode: 'floor' },
  { id: 'original', remedy: null, plan: null, mode: 'original' },
  { id: 'json', remedy: 'json-text', plan: { path: '$' }, mode: 'with-conversion' },
];

/** Four processes of 200 messages; the floor slows down by a factor of `drift`. */
function processes(drift: number): Measured[] {
  const times = (ns: number, end = 1) =>
    Array.from({ length: 200 }, (_, at) => ns * (1 + (at % 7) / 500) * end ** (at / 200));
  const set = (variant: string, roundTrip: number[]) => {
    return { variant, roundTrip, send: roundTrip, receive: roundTrip, cold: null, error: null };
  };
  const sets = [set('floor', times(1000, drift)), set('original', times(9000)), set('json', times(8000))];
  return Array.from({ length: 4 }, () => ({ type: 'measured', sets, rounds: 200, gc: null }));
}

test('lost time widens every interval; a drifting floor widens only intervals of times', () => {
  const width = ([low, high]: [number, number]) => high / low;
  const judged = (results: Measured[], lost: number) => {
    const { measurement, trials, widened } = judge(results, VARIANTS, [proof()], { seed: 1, lost });
    return {
      times: width(measurement?.roundTrip.ci ?? [1, 1]),
      ratios: width(trials[0]?.withConversion?.ci ?? [1, 1]),
      outcome: trials[0]?.outcome,
      widened,
    };
  };
  const [quiet, stolen, drifting] = [
    judged(processes(1), 0),
    judged(processes(1), 0.2),
    judged(processes(2), 0),
  ];
  const busy = judged(
    processes(1).map((one) => ({
      ...{ ...one, waited: 0.5 },
      sets: one.sets.map((set) => ({ ...set, onCore: set.roundTrip })),
    })),
    0,
  );
  assert.ok(Math.abs(busy.ratios / quiet.ratios - 1.21) < 1e-6, 'two clocks are up to a tenth apart');
  assert.equal(busy.times, quiet.times);
  assert.equal(quiet.widened, 0);
  assert.ok(Math.abs(stolen.times / quiet.times - 1.44) < 1e-6);
  assert.ok(Math.abs(stolen.ratios / quiet.ratios - 1.44) < 1e-6);
  assert.deepEqual([quiet.outcome, stolen.outcome], ['faster', 'unsure']);
  assert.ok(drifting.widened > 0.2 && drifting.times > 1.4 * quiet.times);
  assert.equal(drifting.ratios, quiet.ratios);
});

// Which of two clocks decides: that of the wall, or the time that the threads had a core.

const MS = 1e6;
const ROUNDS = 12;

interface Busy {
  /** Of each process; null: it has no such clock. */
  waited: (number | null)[];
  /** Time of the codec on cores, the original's is 1. */
  share: number;
}

/** Each message takes what it needs on its cores, and one to six times as long on a busy machine. */
function busyMachine({ waited, share }: Busy): Measured[] {
  const random = seeded(SEED);
  const setOf = (variant: string, ms: number, hasClock: boolean): SampleSet => {
    const onCore = Array.from({ length: ROUNDS }, () => ms * MS * Math.exp(0.08 * normal(random)));
    const roundTrip = onCore.map((ns) => ns * (1 + 5 * random()));
    const own = { variant, roundTrip, send: [], receive: [], cold: null, error: null };
    return hasClock ? { ...own, onCore } : own;
  };
  return waited.map((one): Measured => {
    const sets = [setOf('original', 3, one !== null), setOf('codec', 3 * share, one !== null)];
    return { type: 'measured', sets, rounds: ROUNDS, gc: null, ...(one !== null && { waited: one }) };
  });
}

const BUSY: [name: string, busy: Busy, decision: string, byCores: boolean][] = [
  ['a gain on a busy machine', { waited: [0.4, 0.5, 0.3], share: 0.75 }, 'faster', true],
  ['equal code on a busy machine', { waited: [0.4, 0.5, 0.3], share: 1 }, 'open', true],
  ['one of three processes was disturbed', { waited: [0.01, 0.5, 0.02], share: 0.75 }, 'open', false],
  ['one of them has no such clock', { waited: [0.4, null, 0.3], share: 0.75 }, 'open', false],
];

for (const [name, busy, decision, byCores] of BUSY) {
  test(`${name}: ${decision} (seed ${SEED})`, () => {
    const samples = new RunSamples(busyMachine(busy), SEED, 3);
    const ratio = samples.ratio('codec', 'original', 1)!;
    assert.equal(decide(ratio), decision, JSON.stringify(ratio));
    const { beyond } = runNoise({ noise: null, waited: samples.waited, widened: 0 }, null);
    assert.deepEqual(beyond, byCores ? ['waited'] : []);
    if (!byCores) return;
    assert.ok(ratio.ci[0] <= busy.share && busy.share <= ratio.ci[1], 'the interval has the true ratio');
  });
}

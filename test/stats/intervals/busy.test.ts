/** Which of two clocks decides: that of the wall, or the time that the threads had a core. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normal } from '../../../bench/simulation/round-trips.ts';
import type { Measured, SampleSet } from '../../../src/model/wire/wire.ts';
import { decide } from '../../../src/stats/evidence.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { RunSamples } from '../../../src/stats/intervals/variant-samples.ts';
import { runNoise } from '../../../src/stats/race/noise.ts';

const SEED = 7;
const MS = 1e6;
const ROUNDS = 12;

interface Busy {
  /** Of each process; null: it has no such clock. */
  waited: (number | null)[];
  /** Time of the codec on cores, the original's is 1. */
  share: number;
}

/** Each message takes what it needs on its cores, and one to six times as long on a busy machine. */
function machine({ waited, share }: Busy): Measured[] {
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

const rows: [name: string, busy: Busy, decision: string, byCores: boolean][] = [
  ['a gain on a busy machine', { waited: [0.4, 0.5, 0.3], share: 0.75 }, 'faster', true],
  ['a loss on a busy machine', { waited: [0.4, 0.5, 0.3], share: 1.7 }, 'slower', true],
  ['equal code on a busy machine', { waited: [0.4, 0.5, 0.3], share: 1 }, 'open', true],
  ['one of three processes was disturbed', { waited: [0.01, 0.5, 0.02], share: 0.75 }, 'open', false],
  ['one of them has no such clock', { waited: [0.4, null, 0.3], share: 0.75 }, 'open', false],
  ['no process has it', { waited: [null, null, null], share: 0.75 }, 'open', false],
];

for (const [name, busy, decision, byCores] of rows) {
  test(`${name}: ${decision} (seed ${SEED})`, () => {
    const samples = new RunSamples(machine(busy), SEED, 3);
    const ratio = samples.ratio('codec', 'original', 1)!;
    assert.equal(decide(ratio), decision, JSON.stringify(ratio));
    const { beyond } = runNoise({ noise: null, waited: samples.waited, widened: 0 }, null);
    assert.deepEqual(beyond, byCores ? ['waited'] : []);
    if (!byCores) return;
    assert.ok(ratio.ci[0] <= busy.share && busy.share <= ratio.ci[1], 'the interval has the true ratio');
  });
}

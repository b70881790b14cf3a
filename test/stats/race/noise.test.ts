import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normal, SCENARIOS, simulate } from '../../../bench/simulation/round-trips.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { detectNoise, type NoiseKind } from '../../../src/stats/race/noise.ts';

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

test('noise of the simulated scenarios: calm is quiet, bimodal has modes', () => {
  const kinds = (name: string) =>
    detectNoise(simulate(SCENARIOS.find((one) => one.name === name)!, [1000], 5, 800, SEED)[0]!)?.beyond;
  assert.deepEqual(kinds('calm'), []);
  assert.deepEqual(kinds('bimodal'), ['modes']);
});

test('noise: null for too few samples, clocks that do not advance and invalid numbers', () => {
  assert.equal(detectNoise([]), null);
  assert.equal(detectNoise([[1, 2, 3], []]), null);
  assert.equal(detectNoise([new Array<number>(100).fill(0)]), null);
  const still = detectNoise([new Array<number>(100).fill(1000), [Number.NaN, 1]]);
  assert.deepEqual(still, { spread: 0, drift: 0, bursts: 0, modes: 0, beyond: [] });
});

/** Simulated round trips, made from a seed: the statistics are tested and tuned on them. */
import { median } from '../../src/stats/intervals/intervals.ts';
import { type Random, seeded, shuffle } from '../../src/stats/intervals/random.ts';

/** Standard deviations are of the natural log: 0.1 is about 10 %. */
export interface Scenario {
  name: string;
  /** Spread of one message around its process's median. */
  noise: number;
  /** Share and slowness of a second mode; `stays` is how likely a message keeps its predecessor's mode. */
  modes?: { share: number; times: number; stays: number };
  /** Share of messages that take ten times as long. */
  outliers: number;
  /** Slow swings of the machine that all variants share: lag-one correlation per message and spread. */
  swing: { correlation: number; spread: number };
  /** End over start of a process, at random up or down. */
  drift: number;
  /** Whole processes against one another, all variants alike. */
  process: number;
  /** One variant against the others in one process: not cancelled by pairing. */
  interaction: number;
  /** Between the first process and the last. */
  runDrift: number;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'calm',
    noise: 0.1,
    outliers: 0,
    swing: { correlation: 0, spread: 0 },
    drift: 0,
    process: 0.05,
    interaction: 0.005,
    runDrift: 0,
  },
  {
    name: 'skewed',
    noise: 0.3,
    outliers: 0.02,
    swing: { correlation: 0.95, spread: 0.1 },
    drift: 0.05,
    process: 0.1,
    interaction: 0.01,
    runDrift: 0.05,
  },
  {
    name: 'bimodal',
    noise: 0.1,
    modes: { share: 0.3, times: 1.6, stays: 0 },
    outliers: 0.02,
    swing: { correlation: 0.9, spread: 0.05 },
    drift: 0.05,
    process: 0.1,
    interaction: 0.01,
    runDrift: 0.05,
  },
  {
    name: 'switching',
    noise: 0.15,
    modes: { share: 0.4, times: 1.8, stays: 0.98 },
    outliers: 0.02,
    swing: { correlation: 0.9, spread: 0.05 },
    drift: 0.1,
    process: 0.15,
    interaction: 0.015,
    runDrift: 0.1,
  },
  {
    name: 'drifting',
    noise: 0.2,
    outliers: 0.02,
    swing: { correlation: 0.99, spread: 0.2 },
    drift: 0.3,
    process: 0.25,
    interaction: 0.02,
    runDrift: 0.3,
  },
  {
    name: 'unlike',
    noise: 0.2,
    outliers: 0.02,
    swing: { correlation: 0.95, spread: 0.1 },
    drift: 0.1,
    process: 0.25,
    interaction: 0.03,
    runDrift: 0.1,
  },
];

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Times in ns, [variant][process][round]. `medians` are the true medians of the variants, ns. */
export function simulate(
  scenario: Scenario,
  medians: readonly number[],
  processes: number,
  rounds: number,
  seed: number,
): number[][][] {
  const random = seeded(seed);
  const times: number[][][] = medians.map(() => []);
  for (let process = 0; process < processes; process++) {
    const run = scenario.runDrift * ((process + 0.5) / processes - 0.5);
    const offset = run + scenario.process * normal(random);
    const own = medians.map(() => scenario.interaction * normal(random));
    const made = oneProcess(
      scenario,
      medians.map((median, at) => Math.log(median) + offset + own[at]!),
      rounds,
      random,
    );
    for (const [variant, samples] of made.entries()) times[variant]!.push(samples);
  }
  return times;
}

function oneProcess(
  scenario: Scenario,
  logMedians: readonly number[],
  rounds: number,
  random: Random,
): number[][] {
  const { correlation, spread } = scenario.swing;
  const fresh = spread * Math.sqrt(1 - correlation ** 2);
  const drift = scenario.drift * (random() < 0.5 ? -1 : 1) * random();
  const samples: number[][] = logMedians.map(() => []);
  const shift = medianShift(scenario);
  let swing = spread * normal(random);
  let slow = random() < (scenario.modes?.share ?? 0);
  for (let round = 0; round < rounds; round++) {
    const turn = logMedians.map((_, at) => at);
    shuffle(turn, random);
    for (const variant of turn) {
      swing = correlation * swing + fresh * normal(random);
      if (scenario.modes && random() >= scenario.modes.stays) slow = random() < scenario.modes.share;
      const mode = slow ? Math.log(scenario.modes?.times ?? 1) : 0;
      const outlier = random() < scenario.outliers ? Math.log(10) : 0;
      const trend = drift * (round / rounds - 0.5);
      samples[variant]!.push(
        Math.exp(
          logMedians[variant]! + trend + swing + mode + outlier - shift + scenario.noise * normal(random),
        ),
      );
    }
  }
  return samples;
}

const shifts = new Map<string, number>();

/** Log of the median that modes, outliers and noise give around 0, taken off so that `medians` stay true. */
function medianShift(scenario: Scenario): number {
  const known = shifts.get(scenario.name);
  if (known !== undefined) return known;
  const random = seeded(7);
  const spread = Math.hypot(
    scenario.noise,
    scenario.swing.spread,
    scenario.drift / Math.sqrt(36),
    scenario.process,
  );
  const values = new Float64Array(200_001).map(() => {
    const mode = random() < (scenario.modes?.share ?? 0) ? Math.log(scenario.modes?.times ?? 1) : 0;
    const outlier = random() < scenario.outliers ? Math.log(10) : 0;
    return mode + outlier + spread * normal(random);
  });
  const shift = median(values);
  shifts.set(scenario.name, shift);
  return shift;
}

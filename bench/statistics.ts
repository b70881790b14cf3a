/**
 * Do intervals and outcomes hold what they promise? Simulated round trips of known medians (bench/simulation) go through
 * the same sampling plan, race, intervals and judgement as real ones. Deterministic but for the last row, which is a time.
 * `npm run bench -- statistics`; CLONE_PROF_TRIALS=1000 for more runs a row (300 by default), STATISTICS_ONLY=races,
 * CLONE_PROF_SEED for seeds other than the one that the method was tuned on (1).
 *
 * Intervals of ratios hold at every look: a run counts as missed when any of its looks missed.
 */

import { MAX_LOOKS, medianInterval, ratioInterval } from '../src/stats/intervals/intervals.ts';
import { seedFor } from '../src/stats/intervals/random.ts';
import { judge } from '../src/stats/race/judge.ts';
import { BUDGET_MS, EXTRA_MS, type RaceEnd, type RaceTruth, runRace } from './simulation/race.ts';
import { SCENARIOS, type Scenario, simulate } from './simulation/round-trips.ts';
import { proofsFor, runSession } from './simulation/session.ts';
import type { Row } from './table.ts';

const TRIALS = Number(process.env.CLONE_PROF_TRIALS ?? 300);
const SEED = Number(process.env.CLONE_PROF_SEED ?? 1);
const MEDIAN_NS = 10_000;
const RATIO = 0.8;

export async function statistics(): Promise<Row[]> {
  const races = RACES.flatMap(raceRows);
  if (process.env.STATISTICS_ONLY === 'races') return races;
  const rows = SCENARIOS.flatMap((scenario) => [
    ...medianCoverage(scenario, 3, 8),
    ...medianCoverage(scenario, 5, 50),
    ...[4, 14, 40, 300].map((rounds) => ratioCoverage(scenario, rounds)),
  ]);
  return [...rows, ...races, ...limitRows(), cost()];
}

/** Share of 95 % intervals that miss the truth. */
function medianCoverage(scenario: Scenario, processes: number, rounds: number): Row[] {
  let missed = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const seed = seedFor(seedFor(SEED, processes * 1000 + rounds), trial);
    const [original] = simulate(scenario, [MEDIAN_NS], processes, rounds, seed);
    const [low, high] = medianInterval(original!, seed)!.ci;
    if (low > MEDIAN_NS || high < MEDIAN_NS) missed++;
  }
  return [
    share(
      `median interval misses: ${scenario.name}, ${processes} processes x ${rounds} rounds`,
      missed,
      TRIALS,
      12,
    ),
  ];
}

/** Share of runs of 12 processes of which the interval missed the truth after any of them, from the second on. */
function ratioCoverage(scenario: Scenario, rounds: number): Row {
  let missed = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const seed = seedFor(seedFor(SEED, rounds), trial);
    const [original, candidate] = simulate(scenario, [MEDIAN_NS, RATIO * MEDIAN_NS], MAX_LOOKS, rounds, seed);
    for (let look = 2; look <= MAX_LOOKS; look++) {
      const [low, high] = ratioInterval(candidate!.slice(0, look), original!.slice(0, look), seed)!.ci;
      if (low <= RATIO && RATIO <= high) continue;
      missed++;
      break;
    }
  }
  return share(`ratio interval misses at any look: ${scenario.name}, ${rounds} rounds`, missed, TRIALS, 9);
}

/** `isFound`: the promise that 95 % are found holds. */
const RACES: readonly (RaceTruth & { name: string; isFound?: boolean })[] = [
  { name: 'all equal', ratios: [1, 1, 1, 1, 1], originalNs: 5e5 },
  { name: 'all equal, slow', ratios: [1, 1, 1, 1, 1], originalNs: 9e6 },
  { name: 'one equal, others slower', ratios: [1, 1.5, 2, 6, 10], originalNs: 5e5 },
  { name: 'at the margin', ratios: [1, 1.05, 1.05, 1.05, 1.3], originalNs: 5e5 },
  { name: 'one 10 % faster', ratios: [0.9, 1, 1.2, 3, 10], originalNs: 2e5, isFound: true },
  { name: 'one 30 % faster, slow', ratios: [0.7, 1, 1.2, 3, 10], originalNs: 9e6 },
];

/** Races with dropping and early end, spread over the scenarios. */
function raceRows({ name, isFound = false, ...truth }: (typeof RACES)[number]): Row[] {
  const ends = Array.from({ length: TRIALS }, (_, trial) =>
    runRace(truth, trial, seedFor(seedFor(SEED, truth.originalNs), trial)),
  );
  const count = (is: (end: RaceEnd) => boolean): number => ends.filter(is).length;
  const widths = ends.flatMap(({ width }) => width ?? []).sort((a, b) => a - b);
  const row = (what: string, value: number, unit: string, budget: number | null = null): Row =>
    limited({ what: `race, ${name}: ${what}`, value, unit, budget });
  return [
    share(
      `race, ${name}: wrong "faster"`,
      count(({ isWrong }) => isWrong),
      TRIALS,
      5,
    ),
    share(
      `race, ${name}: any interval misses`,
      count(({ isMissed }) => isMissed),
      TRIALS,
      7,
    ),
    ...(truth.ratios.some((ratio) => ratio < 1)
      ? [
          share(
            `race, ${name}: not found`,
            count((end) => !end.isFound),
            TRIALS,
            isFound ? 5 : null,
          ),
        ]
      : []),
    share(
      `race, ${name}: not decided`,
      count(({ isDecided }) => !isDecided),
      TRIALS,
      null,
    ),
    ...(widths.length > 0 ? [row('width of the best, median', widths[widths.length >> 1]!, 'x')] : []),
    row('time, mean', ends.reduce((sum, { spentMs }) => sum + spentMs, 0) / TRIALS / 1000, 's'),
    row(
      'time over budget',
      Math.max(...ends.map(({ spentMs }) => spentMs)) / (BUDGET_MS + EXTRA_MS),
      'x',
      1.2,
    ),
  ];
}

/** A gate of 10 %: what is exactly there must not fail, nor what is equal; 25 % more must. */
function limitRows(): Row[] {
  const limit = 1.1;
  const failures = (ratio: number): number => {
    let failed = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const seed = seedFor(seedFor(SEED, 1000 * ratio), trial);
      const scenario = SCENARIOS[trial % SCENARIOS.length]!;
      const ratios = [[ratio, ratio] as const];
      const session = { scenario, originalNs: 5e5, ratios, budgetMs: BUDGET_MS, startMs: 120, seed, limit };
      const { results, variants } = runSession(session);
      const [now] = judge(results, variants, proofsFor(1), { seed }).trials;
      if (now!.withConversion!.ci[0] > limit) failed++;
    }
    return failed;
  };
  return [
    share('limit of 10 %: false failures of what is equal', failures(1), TRIALS, 0.5),
    share('limit of 10 %: false failures of what is 10 % slower', failures(1.1), TRIALS, 5),
    share('limit of 10 %: 25 % slower not found', TRIALS - failures(1.25), TRIALS, 5),
  ];
}

/** What one judgement costs the host at the largest size: 5 processes x 20,000 messages x 15 variants. */
function cost(): Row {
  const raw = Array.from({ length: 5 }, (_, turn) => {
    const times = simulate(SCENARIOS[1]!, new Array<number>(15).fill(MEDIAN_NS), 5, 20_000, turn);
    const began = performance.now();
    medianInterval(times[0]!, 1);
    for (const candidate of times.slice(1)) ratioInterval(candidate, times[0]!, 1, 14);
    return performance.now() - began;
  });
  const value = [...raw].sort((a, b) => a - b)[2]!;
  return { ...limited({ what: 'intervals of 1.5 million samples', value, unit: 'ms', budget: 200 }), raw };
}

function share(what: string, count: number, of: number, budget: number | null): Row {
  return { ...limited({ what, value: (100 * count) / of, unit: '%', budget }), note: `${count} of ${of}` };
}

const limited = (row: Omit<Row, 'held'>): Row => ({
  ...row,
  held: row.budget === null ? null : row.value <= row.budget,
});

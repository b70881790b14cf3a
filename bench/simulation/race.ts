/** Simulated races of rewrites of known ratios to the original, with dropping and early end. */
import { judge } from '../../src/stats/race/judge.ts';
import { SCENARIOS } from './round-trips.ts';
import { proofsFor, runSession } from './session.ts';

export interface RaceTruth {
  /** True ratio of each rewrite to the original, with conversion. */
  ratios: readonly number[];
  /** Round trip of the original, ns. */
  originalNs: number;
}

export interface RaceEnd {
  /** A rewrite that is not faster was called faster. */
  isWrong: boolean;
  /** One that is faster was called faster. */
  isFound: boolean;
  /** An interval of any rewrite does not contain its true ratio. */
  isMissed: boolean;
  isDecided: boolean;
  spentMs: number;
  /** Upper over lower end of the interval of the first rewrite that was called faster. */
  width: number | null;
}

/** The default budget, and what an undecided race may take beyond it. */
export const BUDGET_MS = 5000;
export const EXTRA_MS = 1500;
const START_MS = 120;

/** One session. `nth` decides the scenario, and whether the fastest or the slowest is the simplest. */
export function runRace({ ratios, originalNs }: RaceTruth, nth: number, seed: number): RaceEnd {
  const scenario = SCENARIOS[nth % SCENARIOS.length]!;
  const truths = Math.floor(nth / SCENARIOS.length) % 2 === 0 ? ratios : [...ratios].reverse();
  const end = runSession({
    ...{ scenario, originalNs, seed, budgetMs: BUDGET_MS, extraMs: EXTRA_MS, startMs: START_MS },
    race: true,
    ratios: truths.map((ratio) => [ratio / 2, ratio] as const),
  });
  const { results, variants, dropped, looks } = end;
  const { trials } = judge(results, variants, proofsFor(truths.length), { seed, dropped, looks });
  const told = trials.map(({ outcome, withConversion }, at) => ({
    isFaster: outcome === 'faster',
    ci: withConversion?.ci,
    truth: truths[at]!,
  }));
  const best = told.find(({ isFaster }) => isFaster)?.ci;
  return {
    isWrong: told.some(({ isFaster, truth }) => isFaster && truth >= 1),
    isFound: told.some(({ isFaster, truth }) => isFaster && truth < 1),
    isMissed: told.some(({ ci, truth }) => ci !== undefined && (ci[0] > truth || ci[1] < truth)),
    isDecided: end.reason === 'decided',
    spentMs: end.spentMs,
    width: best ? best[1] / best[0] : null,
  };
}

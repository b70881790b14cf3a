import { MIN_ENOUGH_SAMPLES } from './evidence.ts';

/** Proposed budgets, s. Whoever waits longer than five minutes for one payload has another question. */
const BUDGETS = [1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300];

/** The least of the usual budgets that is long enough, ms; null where none is. */
export const usualBudget = (isEnough: (budgetMs: number) => boolean): number | null =>
  BUDGETS.map((seconds) => seconds * 1000).find(isEnough) ?? null;

/** Budget of enough samples, when so many took `spentMs`, ms; null where five minutes are not enough. */
export const budgetForSamples = (samples: number, spentMs: number): number | null =>
  usualBudget((budgetMs) => budgetMs * Math.max(1, samples) >= spentMs * MIN_ENOUGH_SAMPLES);

/** "-b 20s", "-b 5m": as on the command line. */
export function budgetOption(ms: number): string {
  const seconds = ms / 1000;
  return `-b ${seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`}`;
}

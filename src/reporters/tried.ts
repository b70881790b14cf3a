/** Trials of one remedy at one place by one plan, over the runs of a section. */
import type { RatioEstimate, Run, Trial, TrialOutcome } from '../model/report.ts';
import { ratioInterval, ratio as ratioText } from './numbers.ts';
import { bestFirst } from './runs.ts';

export interface Tried {
  remedy: string;
  path: string;
  /** 1 for the first plan of this remedy at this place, 2 for the second. */
  plan: number;
  trials: Trial[];
}

/** One row for each remedy, place and plan, fastest first; those without a time last. */
export function triedOn(runs: readonly Run[]): Tried[] {
  const trials = runs.flatMap((run) => run.trials);
  const plans = plansOf(trials);
  const rows = new Map<string, Tried>();
  for (const trial of bestFirst(trials)) {
    const { remedy, path } = trial;
    const plan = 1 + (plans.get(placeOf(trial)) ?? []).indexOf(JSON.stringify(trial.plan));
    const key = JSON.stringify([remedy, path, plan, isTimed(trial)]);
    const row = rows.get(key) ?? { remedy, path, plan, trials: [] };
    row.trials.push(trial);
    rows.set(key, row);
  }
  return [...rows.values()];
}

const placeOf = ({ remedy, path }: Trial): string => JSON.stringify([remedy, path]);

/** The plans of each remedy at each place, in the order in which they were proposed. */
function plansOf(trials: readonly Trial[]): Map<string, string[]> {
  const plans = new Map<string, string[]>();
  for (const trial of trials) {
    const known = plans.get(placeOf(trial)) ?? [];
    const plan = JSON.stringify(trial.plan);
    if (!known.includes(plan)) plans.set(placeOf(trial), [...known, plan]);
  }
  return plans;
}

const isTimed = ({ withConversion, inPlace }: Trial): boolean => withConversion !== null || inPlace !== null;

/** True when at least one number is known. */
export const wasTimed = ({ trials }: Tried): boolean => trials.some(isTimed);

type Mode = 'withConversion' | 'inPlace';

const estimatesOf = ({ trials }: Tried, mode: Mode): RatioEstimate[] =>
  trials.map((trial) => trial[mode]).filter((estimate) => estimate !== null);

/** "0.34", or "0.34–0.41" over several runs; "" when none was timed so. */
export const ratiosOf = (tried: Tried, mode: Mode): string =>
  ratioRange(estimatesOf(tried, mode).map(({ ratio }) => ratio));

/** The same of the memory of messages in flight. */
export const memoryOf = ({ trials }: Tried): string =>
  ratioRange(trials.flatMap(({ peakMemory }) => peakMemory?.ratio ?? []));

function ratioRange(ratios: readonly number[]): string {
  if (ratios.length === 0) return '';
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(ratioText);
  return low === high ? `${low}` : `${low}–${high}`;
}

/** The interval of a single run; several runs have one each, and none together. */
export function intervalOf(tried: Tried, mode: Mode): string {
  const [only, ...others] = estimatesOf(tried, mode);
  return only === undefined || others.length > 0 ? '' : ratioInterval(only.ci);
}

/** The slowest of the runs, so that a bar never promises more than all of them keep. */
export function slowest(tried: Tried, mode: Mode): number | null {
  const ratios = estimatesOf(tried, mode).map(({ ratio }) => ratio);
  return ratios.length === 0 ? null : Math.max(...ratios);
}

/** The outcome that all share; null when they differ. */
export function sharedOutcome({ trials }: Tried): TrialOutcome | null {
  const outcomes = new Set(trials.map(({ outcome }) => outcome));
  return outcomes.size === 1 ? (trials[0]?.outcome ?? null) : null;
}

/** "faster", "slower, lossy", "slower, in place faster", "faster on 3 of 7". */
export function outcomeWords(tried: Tried): string {
  const { trials } = tried;
  const shared = sharedOutcome(tried);
  const faster = trials.filter(({ outcome }) => outcome === 'faster').length;
  const mixed = faster > 0 ? `faster on ${faster} of ${trials.length}` : 'differs';
  const parts = [trials.every(isNoDifference) ? 'no difference' : (shared ?? mixed)];
  if (trials.some(({ equality }) => equality === 'lossy')) parts.push('lossy');
  if (shared !== 'faster' && trials.every(({ outcomeInPlace }) => outcomeInPlace === 'faster')) {
    parts.push('in place faster');
  }
  return parts.join(', ');
}

/** An effect under 5 % counts as none: the whole interval lies there, so nothing is unsure about it. */
const isNoDifference = ({ outcome, withConversion }: Trial): boolean =>
  outcome === 'unsure' &&
  withConversion !== null &&
  withConversion.ci[0] >= 0.95 &&
  withConversion.ci[1] <= 1.05;

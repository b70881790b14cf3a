/** Trials of one remedy at one place by one plan, over the runs of a section. */

import { carries } from '../../../core/evidence.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Loss, Trial } from '../../../model/documents/trial.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { groupedBy } from '../../text/grouped.ts';
import { ratioInterval, ratio as ratioText } from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';
import type { StyledText } from '../model/sentence.ts';
import { OUTCOME_TONES } from '../model/texts.ts';

export interface TrialRow {
  /** "columns $.rows"; "columns $.rows (typed)" where it has several plans there. */
  name: string;
  isTimed: boolean;
  trials: Trial[];
}

/** One row for each remedy, place and plan, fastest first; those without a time last. */
export function trialRows(runs: readonly Run[], words: Wording): TrialRow[] {
  const trials = runs.flatMap((run) => run.trials);
  const all = [...trials, ...runs.flatMap(({ advice }) => advice?.untried ?? [])];
  const rows = [...groupedBy(trials, planKey).values()].flatMap((own) => {
    const name = rewriteName(own[0]!, all, words);
    // A rewrite may be timed on one runtime and refused on another.
    return [true, false].map((isTimed) => ({
      ...{ name, isTimed },
      trials: own.filter(({ withConversion, inPlace }) => isTimed === ((withConversion ?? inPlace) !== null)),
    }));
  });
  return rows.filter((row) => row.trials.length > 0).sort((a, b) => rowRank(a) - rowRank(b));
}

type Rewrite = Pick<Trial, 'remedy' | 'path' | 'plan'>;

const planKey = ({ remedy, path, plan }: Rewrite): string => JSON.stringify([remedy, path, plan]);

export function rewriteName(rewrite: Rewrite, all: readonly Rewrite[], words: Wording): string {
  const { remedy, path } = rewrite;
  const form = rewriteForm(rewrite, all, words);
  return `${remedy}${path === '$' ? '' : ` ${foldedPath(path)}`}${form === null ? '' : ` (${form})`}`;
}

/** What tells it from other plans of its remedy at its place; null where it is the only one. */
export function rewriteForm(rewrite: Rewrite, all: readonly Rewrite[], words: Wording): string | null {
  const { remedy, path, plan } = rewrite;
  const here = all.filter((other) => other.remedy === remedy && other.path === path);
  const keys = [...new Set([...here, rewrite].map(planKey))];
  if (keys.length === 1) return null;
  if (plan.form !== undefined) return words.remedies[remedy]?.forms?.[plan.form] ?? plan.form;
  const paths = Array.isArray(plan.paths) ? plan.paths.slice(0, MAX_PATHS).map(foldedPath).join(', ') : '';
  return paths === '' ? `plan ${keys.indexOf(planKey(rewrite)) + 1}` : `at ${paths}`;
}

const MAX_PATHS = 3;

/** By the fastest run with conversion; then what was timed in place only; then the rest. */
function rowRank(row: TrialRow): number {
  const untimed = row.isTimed ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  return Math.min(untimed, ...measuredRatios(row, 'withConversion'));
}

type Measure = 'withConversion' | 'inPlace' | 'peakMemory';

export const measuredRatios = ({ trials }: TrialRow, measure: Measure): number[] =>
  trials.flatMap((trial) => trial[measure]?.ratio ?? []);

/** "0.34", or "0.34–0.41" over several runs; "" when it was not measured. */
export function ratioRange(row: TrialRow, measure: Measure): string {
  const ratios = measuredRatios(row, measure);
  if (ratios.length === 0) return '';
  const [low, high] = [ratioText(Math.min(...ratios)), ratioText(Math.max(...ratios))];
  return low === high ? low : `${low}–${high}`;
}

/** The interval of a single run; several runs have no common one. */
export function intervalText({ trials }: TrialRow): string {
  const [only, ...others] = trials.flatMap(({ withConversion }) => withConversion ?? []);
  return only === undefined || others.length > 0 ? '' : ratioInterval(only);
}

/** "faster", "slower, lossy", "slower, in place faster", "faster on 3 of 7". */
export function outcomeText({ trials }: TrialRow): StyledText {
  const faster = trials.filter(({ outcome }) => outcome === 'faster').length;
  const [first, ...others] = new Set(trials.map(({ outcome }) => outcome));
  const shared = others.length === 0 ? first : undefined;
  const mixed = faster > 0 ? `faster on ${faster} of ${trials.length}` : 'differs';
  const isSame = trials.every(isNoDifference);
  const parts = [
    isSame ? 'no difference' : (shared ?? mixed),
    ...(trials.some(({ equality }) => equality === 'lossy') ? ['lossy'] : []),
    ...(shared !== 'faster' && trials.every(({ outcomeInPlace }) => outcomeInPlace === 'faster')
      ? ['in place faster']
      : []),
  ];
  const text = parts.join(', ');
  if (isSame) return { text, tone: 'muted', marked: 'same' };
  if (shared === undefined) return { text, tone: 'muted' };
  const isCompared = shared !== 'dropped' && shared !== 'refused';
  return { text, tone: OUTCOME_TONES[shared], ...(isCompared ? { marked: shared } : {}) };
}

/** An effect under 5 % counts as none. The whole interval lies there, so the outcome is certain. */
const isNoDifference = ({ outcome, withConversion }: Trial): boolean =>
  outcome === 'unsure' &&
  carries(withConversion, 'side') &&
  withConversion.ci[0] >= 0.95 &&
  withConversion.ci[1] <= 1.05;

const MAX_LOSSES = 3;

/** "$.at: Date became string; and 4 more"; "" when nothing is lost. */
export function lossText(losses: readonly Loss[]): string {
  const rest = losses.length - MAX_LOSSES;
  const shown = losses.slice(0, MAX_LOSSES).map(({ path, what }) => `${foldedPath(path)}: ${what}`);
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

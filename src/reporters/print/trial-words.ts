/** Names, ratios and outcomes of the rewrites that were tried. */
import { carries } from '../../core/evidence.ts';
import type { Interval } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Advice, Loss, Trial } from '../../model/documents/trial.ts';
import type { Wording } from '../../model/report/wording.ts';
import type { StyledText } from '../section/model/sentence.ts';
import { OUTCOME_TONES } from '../section/model/texts.ts';
import { foldedPath } from '../text/paths.ts';

type Rewrite = Pick<Trial, 'remedy' | 'path' | 'plan'>;

const planKey = ({ remedy, path, plan }: Rewrite): string => JSON.stringify([remedy, path, plan]);

/** "columns $.rows"; "columns $.rows (typed)" if it has several plans there. */
export function rewriteName(rewrite: Rewrite, all: readonly Rewrite[], words: Wording): string {
  const { remedy, path } = rewrite;
  const form = rewriteForm(rewrite, all, words);
  return `${remedy}${path === '$' ? '' : ` ${foldedPath(path)}`}${form === null ? '' : ` (${form})`}`;
}

/** Difference from other plans of the remedy at this place; null if the plan is the only one. */
function rewriteForm(rewrite: Rewrite, all: readonly Rewrite[], words: Wording): string | null {
  const { remedy, path, plan } = rewrite;
  const here = all.filter((other) => other.remedy === remedy && other.path === path);
  const keys = [...new Set([...here, rewrite].map(planKey))];
  if (keys.length === 1) return null;
  if (plan.form !== undefined) return words.remedies[remedy]?.forms?.[plan.form] ?? plan.form;
  const paths = Array.isArray(plan.paths) ? plan.paths.slice(0, MAX_PATHS).map(foldedPath).join(', ') : '';
  return paths === '' ? `plan ${keys.indexOf(planKey(rewrite)) + 1}` : `at ${paths}`;
}

const MAX_PATHS = 3;

/** Trial that is advised. Two plans of one remedy may share a path: the gain identifies the advised plan. */
export function advisedTrial(advice: Advice, { trials }: Pick<Run, 'trials'>): Trial | undefined {
  const { remedy, path, gain, ownsBothForms } = advice;
  const candidates = trials.filter((trial) => trial.remedy === remedy && trial.path === (path ?? trial.path));
  const ratioOf = ({ withConversion, inPlace }: Trial) => (ownsBothForms ? inPlace : withConversion)?.ratio;
  return candidates.find((trial) => ratioOf(trial) === gain?.ratio) ?? candidates[0];
}

/** Range of ratios that count as no effect. */
export const NO_EFFECT: Interval = [0.95, 1.05];

export const isEqualTrial = ({ equality, outcome }: Trial): boolean =>
  equality === 'equal' && outcome !== 'refused';

/** "faster", "slower, lossy", "slower, in place faster", "no difference". */
export function outcomeText(trial: Trial): StyledText {
  const { outcome, equality, outcomeInPlace } = trial;
  const isSame = isNoDifference(trial);
  const parts = [
    isSame ? 'no difference' : outcome,
    ...(equality === 'lossy' ? ['lossy'] : []),
    ...(outcome !== 'faster' && outcomeInPlace === 'faster' ? ['in place faster'] : []),
  ];
  const text = parts.join(', ');
  if (isSame) return { text, tone: 'muted', marked: 'same' };
  const isCompared = outcome !== 'dropped' && outcome !== 'refused';
  return { text, tone: OUTCOME_TONES[outcome], ...(isCompared ? { marked: outcome } : {}) };
}

/** True if the whole interval lies within the range of no effect, so that the outcome is certain. */
const isNoDifference = ({ outcome, withConversion }: Trial): boolean =>
  outcome === 'unsure' &&
  carries(withConversion, 'side') &&
  withConversion.ci[0] >= NO_EFFECT[0] &&
  withConversion.ci[1] <= NO_EFFECT[1];

const MAX_LOSSES = 3;

/** "$.at: Date became string; and 4 more", or "" if nothing is lost. */
export function lossText(losses: readonly Loss[]): string {
  const rest = losses.length - MAX_LOSSES;
  const shown = losses.slice(0, MAX_LOSSES).map(({ path, what }) => `${foldedPath(path)}: ${what}`);
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** Rewrites that were tried on a run: names, times as a share of the original, losses, and reasons for refusals. */

import { remedyNamed } from '../../codec/remedies/index.ts';
import type { Interval } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Advice, Loss, Trial, TrialOutcome } from '../../model/documents/trial.ts';
import { carries } from '../../stats/evidence.ts';
import { amounts, columnsOf, known } from '../columns.ts';
import type { Column, ForestRow } from '../doc.ts';
import { type Body, drawing, fold, item, list } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { bytes, medianText, ratioInterval, ratioText, speedWithInterval, time } from '../text/numbers.ts';
import { code, cutPath, type StyledText, sentence, separated, type Tone, type Words } from '../words.ts';
import { MAX_SHOWN, omittedText, onRun } from './texts.ts';

type Rewrite = Pick<Trial, 'remedy' | 'path' | 'plan'>;

const planKey = ({ remedy, path, plan }: Rewrite): string => JSON.stringify([remedy, path, plan]);

/** "columns $.rows"; "columns $.rows (typed)" if it has several plans there. */
export function rewriteName(rewrite: Rewrite, all: readonly Rewrite[]): string {
  const { remedy, path } = rewrite;
  const form = rewriteForm(rewrite, all);
  return `${remedy}${path === '$' ? '' : ` ${cutPath(path)}`}${form === null ? '' : ` (${form})`}`;
}

/** Difference from other plans of the remedy at this place; null if the plan is the only one. */
function rewriteForm(rewrite: Rewrite, all: readonly Rewrite[]): string | null {
  const { remedy, path, plan } = rewrite;
  const here = all.filter((other) => other.remedy === remedy && other.path === path);
  const keys = [...new Set([...here, rewrite].map(planKey))];
  if (keys.length === 1) return null;
  if (plan.form === undefined) return `plan ${keys.indexOf(planKey(rewrite)) + 1}`;
  return remedyNamed(remedy)?.forms?.[plan.form] ?? plan.form;
}

export const NO_EFFECT: Interval = [0.95, 1.05];

export const isEqualTrial = ({ equality, outcome }: Pick<Trial, 'equality' | 'outcome'>): boolean =>
  equality === 'equal' && outcome !== 'refused';

const OUTCOME_TONES = {
  ...{ faster: 'good', slower: 'bad', unsure: 'fair', dropped: 'muted', refused: 'fair' },
} as const satisfies Record<TrialOutcome, Tone>;

function outcomeText(trial: Trial): StyledText {
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

/** "$.list[*].at: Date became string; and 4 more", or "" if nothing is lost; what happens in each element is one loss. */
export function lossesText(losses: readonly Loss[]): string {
  const all = new Set(losses.map(({ path, what }) => `${cutPath(path)}: ${what}`));
  return atMost(MAX_LOSSES, [...all], (others) => `and ${others} more`).join('; ');
}

interface Tried {
  name: string;
  trial: Trial;
}

export const rewriteFolds = (id: string, runs: readonly Run[]): Body =>
  runs.map((run) => {
    const { trials, advice } = run;
    const on = onRun(run, runs);
    const all = [...trials, ...(advice?.untried ?? [])];
    const rows = trials
      .map((trial): Tried => ({ trial, name: rewriteName(trial, all) }))
      .sort((a, b) => rank(a) - rank(b));
    const notes = atMost<Words, Words>(MAX_SHOWN, rows.flatMap(rowNote), (others) =>
      omittedText(others, 'notes'),
    );
    const body = [
      timesNode(run, `Rewrites tried, time as a share of the original${on}`, rows.filter(isTimed)),
      list(notes),
      advice && item('gain', [inPlaceSentence(advice), ...untriedSentences(run, advice)]),
    ];
    const isAsked = trials.some(({ plan }) => plan.module !== undefined);
    return fold(id, `rewrites tried${on}`, body, isAsked);
  });

const isTimed = ({ trial: { withConversion, inPlace } }: Tried): boolean =>
  (withConversion ?? inPlace) !== null;

const rank = (row: Tried): number =>
  row.trial.withConversion?.ratio ?? (isTimed(row) ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);

/** Chart of the ratios; their table alone if nothing was timed with its conversion. */
function timesNode(run: Run, title: string, timed: readonly Tried[]): Body {
  if (timed.length === 0) return null;
  const columns = trialColumns(run, timed);
  const rows = timed.flatMap(forestRow);
  if (rows.length === 0) return { type: 'table', title, columns };
  return drawing({ kind: 'forest', title, columns, band: NO_EFFECT, rows });
}

/** Columns, the fastest rewrite first. The original, which all are compared with, comes last. */
function trialColumns({ measurement, channel, bytes: posted }: Run, rows: readonly Tried[]): Column[] {
  const blocks = measurement?.database && measurement.send ? medianText(measurement.send) : '';
  const file = channel === 'storage' && posted !== undefined ? bytes(posted.copied) : '';
  const all: Partial<Tried>[] = [...rows, {}];
  return columnsOf(all, [
    { head: 'tried', cell: ({ name }) => known(name, code) || 'original' },
    amounts('time', ({ trial }) => (trial ? shareOf(trial.withConversion) : '1.00')),
    amounts('95 %', ({ trial }) => known(trial?.withConversion, ratioInterval), 3),
    amounts('in place', ({ trial }) => shareOf(trial?.inPlace), 1),
    amounts('blocks', ({ trial }) => (trial ? known(trial.blocksNs, time) : blocks), 2),
    amounts('file', ({ trial }) => (trial ? known(trial.fileBytes, bytes) : file), 2),
    amounts('memory', ({ trial }) => shareOf(trial?.peakMemory), 0),
    { head: '', cell: ({ trial }) => known(trial, outcomeText) },
  ]);
}

export const shareOf = (share: { ratio: number } | null | undefined): string =>
  known(share, ({ ratio }) => ratioText(ratio));

/** Only reliable intervals are drawn; another is replaced by its reason: "too few samples: 1". */
function forestRow({ name, trial }: Tried): ForestRow | [] {
  const { withConversion } = trial;
  if (withConversion === null) return [];
  const outcome = outcomeText(trial);
  if (carries(withConversion, 'size'))
    return { name, point: { ...withConversion, tone: outcome.tone ?? 'muted' }, outcome };
  return { name, point: null, outcome: { text: ratioInterval(withConversion) || 'unsure', tone: 'fair' } };
}

function rowNote({ name, trial }: Tried): Words[] {
  const { equality, losses, outcome, reason, withConversion, inPlace } = trial;
  const note = (text: string) => [sentence`${code(name)} ${text}`];
  if (outcome === 'refused' || equality === 'failed')
    return note(`was refused: ${reason ?? 'it could not be proved equal'}`);
  const hasTime = withConversion !== null || inPlace !== null;
  if (equality === 'lossy')
    return note(
      `is lossy: ${lossesText(losses) || 'not the same on arrival'}${hasTime ? '' : ', not timed'}`,
    );
  return hasTime ? [] : note('is equal, not timed');
}

function inPlaceSentence({ ownsBothForms, remedy, gain, costs = [] }: Advice): Words {
  if (!ownsBothForms || remedy === null || gain === null) return null;
  const cost = costs.map((one) => ` Cost: ${one}.`).join('');
  return sentence`If sender and receiver keep the data in the form of ${code(remedy)}, with no conversion per message: ${speedWithInterval(gain)}.${cost}`;
}

const untriedSentences = ({ trials }: Run, { untried = [] }: Advice): Words[] =>
  groupedBy(untried, ({ reason }) => reason).map(([reason, group]) => {
    const names = group.map((one) => code(rewriteName(one, [...trials, ...untried])));
    return sentence`Not tried: ${separated(names, ', ')} (${reason.split('\n')[0]}).`;
  });

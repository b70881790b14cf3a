/** Rewrites that were tried on one run: times as a share of the original, losses, and reasons for refusals. */
import { carries } from '../../core/evidence.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Advice, Trial } from '../../model/documents/trial.ts';
import type { Wording } from '../../model/report/wording.ts';
import { drawing, fold, item, list, type Node, tableNode } from '../doc.ts';
import type { ForestChart, ForestRow } from '../section/model/charts.ts';
import { type Bar, type Cell, type Column, columnsOf, known } from '../section/model/columns.ts';
import { runNames } from '../section/model/run-groups.ts';
import { code, type Sentence, type StyledText, sentence, type Tone } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import {
  bytes,
  medianText,
  ratioInterval,
  ratio as ratioText,
  ratioWithInterval,
  speedWithInterval,
  time,
} from '../text/numbers.ts';
import { isEqualTrial, lossText, NO_EFFECT, outcomeText, rewriteName } from './trial-words.ts';
import { shortened } from './verdict.ts';

/** One fold for each run with trials or with remarks about them. */
export const rewriteFolds = (id: string, runs: readonly Run[], words: Wording): Node[] =>
  runs.flatMap((run) => {
    const on = runs.length === 1 ? '' : ` on ${runNames(runs)(run)}`;
    const isAsked = run.trials.some(({ plan }) => plan.module !== undefined);
    return fold(id, [`rewrites tried${on}`], rewriteNodes(run, on, words), isAsked);
  });

interface Tried {
  name: string;
  trial: Trial;
}

function rewriteNodes(run: Run, on: string, words: Wording): Node[] {
  const { trials, advice } = run;
  const all = [...trials, ...(advice?.untried ?? [])];
  const rows = trials
    .map((trial): Tried => ({ trial, name: rewriteName(trial, all, words) }))
    .sort((a, b) => rank(a) - rank(b));
  const timed = rows.filter(isTimed);
  const { shown, more } = shortened(rows.flatMap(rowNotes), 'notes');
  const sentences = advice === null ? [] : boundSentences(run, advice, words);
  return [
    ...(timed.length === 0 ? [] : timeNodes(run, `${TITLE}${on}`, timed)),
    ...list([...shown, ...more]),
    ...(sentences.length === 0 ? [] : [item('gain', sentences)]),
  ];
}

const isTimed = ({ trial: { withConversion, inPlace } }: Tried): boolean =>
  (withConversion ?? inPlace) !== null;

/** Order of rows: the fastest first, then rewrites timed only in place, then rewrites without a time. */
const rank = (row: Tried): number =>
  row.trial.withConversion?.ratio ?? (isTimed(row) ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);

const TITLE = 'Rewrites tried, time as a share of the original';

function timeNodes(run: Run, title: string, timed: readonly Tried[]): Node[] {
  const columns = trialColumns(run, timed);
  const chart = forestChart(title, timed, columns);
  return chart === null ? tableNode(title, columns) : drawing(chart);
}

/** Columns, the fastest rewrite first. The original, which all are compared with, comes last. */
function trialColumns({ measurement, channel, bytes: posted }: Run, rows: readonly Tried[]): Column[] {
  const cell =
    (cellOf: (trial: Trial, row: Tried) => Cell, original: Cell = '') =>
    (row: Tried | null): Cell =>
      row === null ? original : cellOf(row.trial, row);
  const blocks = measurement?.database && measurement.send ? medianText(measurement.send) : '';
  const file = channel === 'storage' && posted !== undefined ? bytes(posted.copied) : '';
  return columnsOf<Tried | null>(
    [...rows, null],
    [
      { head: 'tried', cell: cell((_, { name }) => code(name), 'original') },
      { head: '', cell: cell(ratioBar, barTo(1, 'muted')), rank: 2 },
      { head: 'time', cell: cell(({ withConversion }) => shareOf(withConversion), '1.00'), align: 'right' },
      {
        head: '95 %',
        cell: cell(({ withConversion }) => known(withConversion, ratioInterval)),
        align: 'right',
        rank: 3,
      },
      { head: 'in place', cell: cell(({ inPlace }) => shareOf(inPlace)), align: 'right', rank: 1 },
      {
        head: 'blocks',
        cell: cell(({ blocksNs }) => known(blocksNs ?? null, time), blocks),
        align: 'right',
        rank: 2,
      },
      {
        head: 'file',
        cell: cell(({ fileBytes }) => known(fileBytes ?? null, bytes), file),
        align: 'right',
        rank: 2,
      },
      { head: 'memory', cell: cell(({ peakMemory }) => shareOf(peakMemory)), align: 'right', rank: 0 },
      { head: '', cell: cell(outcomeText) },
    ],
  );
}

const shareOf = (share: { ratio: number } | null): string => known(share, ({ ratio }) => ratioText(ratio));

/** Ratio that fills the bar: twice the time of the original. */
const MAX_TIME = 2;

/** A bar claims a size, so it is drawn only if the size is reliable, as in the charts. */
function ratioBar(trial: Trial): Cell {
  const { withConversion } = trial;
  if (withConversion === null || !carries(withConversion, 'size')) return '';
  return barTo(withConversion.ratio, outcomeText(trial).tone ?? 'muted');
}

const barTo = (share: number, tone: Tone): Bar => ({ bar: share / MAX_TIME, tone });

function rowNotes({ name, trial: { equality, losses, outcome, reason, ...trial } }: Tried): Sentence[] {
  const note = (text: string) => [sentence`${code(name)} ${text}`];
  if (outcome === 'refused' || equality === 'failed')
    return note(`was refused: ${reason ?? 'it could not be proved equal'}`);
  const hasTime = trial.withConversion !== null || trial.inPlace !== null;
  const untimed = hasTime ? '' : ', not timed';
  if (equality === 'lossy')
    return note(`is lossy: ${lossText(losses) || 'not the same on arrival'}${untimed}`);
  return hasTime ? [] : note('is equal, not timed');
}

/** Chart of the ratios. It draws only reliable intervals. Null if nothing was timed with its conversion. */
function forestChart(title: string, timed: readonly Tried[], columns: readonly Column[]): ForestChart | null {
  const rows = timed.flatMap(({ name, trial }): ForestRow[] => {
    const { withConversion } = trial;
    if (withConversion === null) return [];
    const outcome = outcomeText(trial);
    if (carries(withConversion, 'size'))
      return [{ name, point: { ...withConversion, tone: outcome.tone ?? 'muted' }, outcome }];
    // The interval is replaced by its reason: "too few samples: 1".
    const lack: StyledText = { text: ratioInterval(withConversion) || 'unsure', tone: 'fair' };
    return [{ name, point: null, outcome: lack }];
  });
  if (rows.length === 0) return null;
  const about = rows.map(aboutRow).join(' ');
  return { kind: 'forest', title, about, columns, band: NO_EFFECT, rows };
}

const aboutRow = ({ name, point, outcome }: ForestRow): string =>
  `${name}: ${point === null ? outcome.text : ratioWithInterval(point)}.`;

// Remaining potential: the bound of the tried rewrites, the gain in place, and untried rewrites.

/** Tolerance for floating point: 0.86 * 100 is not 86. */
const ROUNDING = 1e-6;

function boundSentences(run: Run, advice: Advice, words: Wording): Sentence[] {
  return [
    ...boundTexts(run, advice).map((text): Sentence => [text]),
    ...inPlaceSentences(run, advice),
    ...untriedSentences(run, advice, words),
  ];
}

/** "No rewrite tried saves more than 8 %." */
function boundTexts({ trials }: Run, { bound, action }: Advice): string[] {
  const equal = trials.filter(isEqualTrial);
  if (bound === undefined || action === 'apply' || !equal.every(isBounded)) return [];
  const rewrite = equal.length === trials.length ? 'rewrite' : 'equal rewrite';
  const tried = equal.some(({ withConversion }) => withConversion === null) ? 'timed' : 'tried';
  const saves =
    bound < 1 ? `saves more than ${100 - Math.floor(bound * 100 + ROUNDING)} %` : 'saves anything';
  // Intervals of too few samples do not prove anything, even if they lie on one side.
  const isKnown = equal.some(({ withConversion }) => carries(withConversion, 'size'));
  return [`${bound >= NO_EFFECT[0] && isKnown ? 'Proven: no' : 'No'} ${rewrite} ${tried} ${saves}.`];
}

/** Reports of earlier versions contain bounds of rewrites with unreliable intervals. */
const isBounded = ({ withConversion }: Trial): boolean =>
  withConversion === null ||
  carries(withConversion, 'size') ||
  (carries(withConversion, 'side') && withConversion.ci[0] >= 1);

/** Gain that is possible only if both ends of the program keep the new form. */
function inPlaceSentences(_run: Run, { ownsBothForms, remedy, gain, costs = [] }: Advice): Sentence[] {
  if (!ownsBothForms || remedy === null || gain === null) return [];
  const cost = costs.map((one) => ` Cost: ${one}.`).join('');
  return [
    sentence`If sender and receiver keep the data in the form of ${code(remedy)}, with no conversion per message: ${speedWithInterval(gain)}.${cost}`,
  ];
}

const untriedSentences = ({ trials }: Run, { untried = [] }: Advice, words: Wording): Sentence[] =>
  [...groupedBy(untried, ({ reason }) => reason)].map(([reason, group]) => {
    const names = group.map((one) => code(rewriteName(one, [...trials, ...untried], words)));
    const listing = names.flatMap((name, at) => (at === 0 ? [name] : [', ', name]));
    return sentence`Not tried: ${listing} (${reason.split('\n')[0] ?? ''}).`;
  });

/** The rewrites that were tried: their times as a share of the original, what they lose, why one was refused. */
import { carries } from '../../core/evidence.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { Wording } from '../../model/report/wording.ts';
import {
  intervalOf,
  lossText,
  outcomeOf,
  ratioRange,
  ratiosOf,
  type TrialRow,
  trialRows,
} from './advice/trial-rows.ts';
import { forestChart } from './charts/forest.ts';
import { type Bar, type Cell, type Column, columnsOf } from './model/columns.ts';
import { type Figure, type FigurePart, shortened } from './model/model.ts';
import { code, type Sentence, sentence } from './model/sentence.ts';

/** A rewrite that takes twice the time of the original fills the bar. */
const MAX_TIME = 2;

export function trialFigures(runs: readonly Run[], words: Wording): Figure[] {
  const rows = trialRows(runs, words);
  const timed = rows.filter(({ isTimed }) => isTimed);
  const notes = rows.flatMap(rowNotes);
  const { shown, more } = shortened(notes, 'notes');
  const parts: FigurePart[] = [
    ...(timed.length === 0 ? [] : [forestOf(runs, timed)]),
    ...(notes.length === 0 ? [] : [{ type: 'list', items: [...shown, ...more] } as const]),
  ];
  const title = 'Rewrites tried, time as a share of the original';
  return parts.length === 0 ? [] : [{ title, runtime: null, folded: true, parts }];
}

/** What was timed in place only has no mark to draw. */
function forestOf(runs: readonly Run[], timed: readonly TrialRow[]): FigurePart {
  const columns = trialColumns(timed);
  const chart = forestChart(runs, timed, columns);
  return chart.rows.length === 0 ? { type: 'table', columns } : { type: 'chart', chart };
}

/** Fastest first; the original, which they are compared with, comes last. */
function trialColumns(rows: readonly TrialRow[]): Column[] {
  const cell =
    (cellOf: (row: TrialRow) => Cell, original: Cell = '') =>
    (row: TrialRow | null): Cell =>
      row === null ? original : cellOf(row);
  const bar: Bar = { bar: 1 / MAX_TIME, original: 1 / MAX_TIME, tone: 'muted' };
  return columnsOf<TrialRow | null>(
    [...rows, null],
    [
      { head: 'tried', cell: cell(({ name }) => code(name), 'original') },
      { head: '', cell: cell(barOf, bar), rank: 2 },
      { head: 'time', cell: cell((row) => ratioRange(row, 'withConversion'), '1.00'), align: 'right' },
      { head: '95 %', cell: cell(intervalOf), align: 'right', rank: 3 },
      { head: 'in place', cell: cell((row) => ratioRange(row, 'inPlace')), align: 'right', rank: 1 },
      { head: 'memory', cell: cell((row) => ratioRange(row, 'peakMemory')), align: 'right', rank: 0 },
      { head: '', cell: cell(outcomeOf) },
    ],
  );
}

/** The slowest of the runs, so that no run does worse than its bar. */
function barOf(row: TrialRow): Cell {
  const ratios = ratiosOf(row, 'withConversion');
  // A drawn length is a claim, as in the charts.
  const isKnown = row.trials.every(
    ({ withConversion }) => withConversion === null || carries(withConversion, 'size'),
  );
  if (ratios.length === 0 || !isKnown) return '';
  return {
    bar: Math.max(...ratios) / MAX_TIME,
    original: 1 / MAX_TIME,
    tone: outcomeOf(row).tone ?? 'muted',
  };
}

/** Each distinct note once. */
const rowNotes = ({ name, isTimed, trials }: TrialRow): Sentence[] =>
  [...new Set(trials.flatMap((trial) => noteOf(trial, isTimed)))].map(
    (note) => sentence`${code(name)} ${note}`,
  );

function noteOf({ equality, losses, outcome, reason }: Trial, isTimed: boolean): string[] {
  if (outcome === 'refused' || equality === 'failed') {
    return [`was refused: ${reason ?? 'it could not be proved equal'}`];
  }
  const untimed = isTimed ? '' : ', not timed';
  if (equality === 'lossy') return [`is lossy: ${lossText(losses) || 'not the same on arrival'}${untimed}`];
  return isTimed ? [] : ['is equal, not timed'];
}

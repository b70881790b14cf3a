/** The rewrites that were tried: their times as a share of the original, what they lose, why one was refused. */

import { carries } from '../../core/evidence.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { Wording } from '../../model/report/wording.ts';
import { ratioWithInterval } from '../text/numbers.ts';
import {
  intervalText,
  lossText,
  measuredRatios,
  outcomeText,
  ratioRange,
  type TrialRow,
  trialRows,
} from './advice/trial-rows.ts';
import type { ForestPoint, ForestRow } from './model/charts.ts';
import { type Bar, type Cell, type Column, columnsOf } from './model/columns.ts';
import { type Figure, type FigurePart, shortened } from './model/model.ts';
import { runtimeName } from './model/run-groups.ts';
import { code, type Sentence, type StyledText, sentence, type Tone } from './model/sentence.ts';
import { OUTCOME_TONES } from './model/texts.ts';
import { blocksText, fileText, originalBlocks, originalFile } from './stored.ts';
import { NO_EFFECT } from './times.ts';

/** A rewrite that takes twice the time of the original fills the bar. */
const MAX_TIME = 2;

export function trialFigures(runs: readonly Run[], words: Wording): Figure[] {
  const rows = trialRows(runs, words);
  const timed = rows.filter(({ isTimed }) => isTimed);
  const notes = rows.flatMap(rowNotes);
  const { shown, more } = shortened(notes, 'notes');
  const parts: FigurePart[] = [
    ...(timed.length === 0 ? [] : [forestPart(runs, timed)]),
    ...(notes.length === 0 ? [] : [{ type: 'list', items: [...shown, ...more] } as const]),
  ];
  const isAsked = runs.some(({ trials }) => trials.some(({ plan }) => plan.module !== undefined));
  const figure = {
    ...{ title: TITLE, short: 'rewrites tried', runtime: null, folded: true, parts },
    ...(isAsked && ({ isAsked } as const)),
  };
  return parts.length === 0 ? [] : [figure];
}

const TITLE = 'Rewrites tried, time as a share of the original';

/** Fastest first; the original, which they are compared with, comes last. */
function trialColumns(runs: readonly Run[], rows: readonly TrialRow[]): Column[] {
  const cell =
    (cellOf: (row: TrialRow) => Cell, original: Cell = '') =>
    (row: TrialRow | null): Cell =>
      row === null ? original : cellOf(row);
  return columnsOf<TrialRow | null>(
    [...rows, null],
    [
      { head: 'tried', cell: cell(({ name }) => code(name), 'original') },
      { head: '', cell: cell(ratioBar, barTo(1, 'muted')), rank: 2 },
      { head: 'time', cell: cell((row) => ratioRange(row, 'withConversion'), '1.00'), align: 'right' },
      { head: '95 %', cell: cell(intervalText), align: 'right', rank: 3 },
      { head: 'in place', cell: cell((row) => ratioRange(row, 'inPlace')), align: 'right', rank: 1 },
      {
        head: 'blocks',
        cell: cell(({ trials }) => blocksText(trials), originalBlocks(runs)),
        align: 'right',
        rank: 2,
      },
      {
        head: 'file',
        cell: cell(({ trials }) => fileText(trials), originalFile(runs)),
        align: 'right',
        rank: 2,
      },
      { head: 'memory', cell: cell((row) => ratioRange(row, 'peakMemory')), align: 'right', rank: 0 },
      { head: '', cell: cell(outcomeText) },
    ],
  );
}

/** The slowest of the runs, so that no run does worse than its bar. */
function ratioBar(row: TrialRow): Cell {
  const ratios = measuredRatios(row, 'withConversion');
  // A drawn length is a claim, as in the charts.
  const isKnown = row.trials.every(
    ({ withConversion }) => withConversion === null || carries(withConversion, 'size'),
  );
  if (ratios.length === 0 || !isKnown) return '';
  return barTo(Math.max(...ratios), outcomeText(row).tone ?? 'muted');
}

const barTo = (time: number, tone: Tone): Bar => ({ bar: time / MAX_TIME, original: 1 / MAX_TIME, tone });

const rowNotes = ({ name, isTimed, trials }: TrialRow): Sentence[] =>
  [...new Set(trials.flatMap((trial) => trialNotes(trial, isTimed)))].map(
    (note) => sentence`${code(name)} ${note}`,
  );

function trialNotes({ equality, losses, outcome, reason }: Trial, isTimed: boolean): string[] {
  if (outcome === 'refused' || equality === 'failed') {
    return [`was refused: ${reason ?? 'it could not be proved equal'}`];
  }
  const untimed = isTimed ? '' : ', not timed';
  if (equality === 'lossy') return [`is lossy: ${lossText(losses) || 'not the same on arrival'}${untimed}`];
  return isTimed ? [] : ['is equal, not timed'];
}

/** The drawing has the rows with a time, and marks where their intervals say something. What was timed in place only has none. */
function forestPart(runs: readonly Run[], timed: readonly TrialRow[]): FigurePart {
  const seriesOf = new Map<Trial, number>(
    runs.flatMap(({ trials }, series) => trials.map((trial): [Trial, number] => [trial, series])),
  );
  const columns = trialColumns(runs, timed);
  const rows = timed
    .filter(({ trials }) => trials.some(({ withConversion }) => withConversion !== null))
    .map((row) => {
      const points = row.trials.flatMap(forestPoints);
      // Nothing of it is drawn: "too few samples: 1".
      const lack: StyledText = { text: intervalText(row) || 'unsure', tone: 'fair' };
      return { name: row.name, points, outcome: points.length > 0 ? outcomeText(row) : lack };
    });
  function forestPoints(trial: Trial): ForestPoint[] {
    const { withConversion, outcome } = trial;
    if (!carries(withConversion, 'size')) return [];
    return [{ ...withConversion, series: seriesOf.get(trial) ?? 0, tone: OUTCOME_TONES[outcome] }];
  }
  if (rows.length === 0) return { type: 'table', columns };
  const [series, about] = [runs.map(runtimeName), rows.map(aboutRow).join(' ')];
  return {
    type: 'chart',
    chart: { kind: 'forest', title: TITLE, about, columns, series, band: NO_EFFECT, rows },
  };
}

const aboutRow = ({ name, points, outcome }: ForestRow): string =>
  `${name}: ${points.length > 0 ? points.map(ratioWithInterval).join(', ') : outcome.text}.`;

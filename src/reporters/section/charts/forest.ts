/** The rewrites that were timed, with their intervals. */
import { carries } from '../../../core/evidence.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Trial } from '../../../model/documents/trial.ts';
import { ratioInterval, ratio as ratioText } from '../../text/numbers.ts';
import { intervalOf, outcomeOf, type TrialRow } from '../advice/trial-rows.ts';
import type { ForestChart, ForestPoint, ForestRow } from '../model/charts.ts';
import type { Column } from '../model/columns.ts';
import { runtimeName } from '../model/run-groups.ts';
import type { StyledText } from '../model/sentence.ts';
import { OUTCOME_TONES } from '../model/texts.ts';
import { NO_EFFECT } from './times.ts';

/** @param columns the table of all rows; the drawing has those with a time, and marks where their intervals say something */
export function forestChart(
  runs: readonly Run[],
  trialRows: readonly TrialRow[],
  columns: readonly Column[],
): ForestChart {
  const seriesOf = new Map<Trial, number>(
    runs.flatMap(({ trials }, series) => trials.map((trial): [Trial, number] => [trial, series])),
  );
  const rows = trialRows
    .filter(({ trials }) => trials.some(({ withConversion }) => withConversion !== null))
    .map((row) => {
      const points = row.trials.flatMap(pointOf);
      return { name: row.name, points, outcome: points.length > 0 ? outcomeOf(row) : lackOfRow(row) };
    });
  function pointOf(trial: Trial): ForestPoint[] {
    const { withConversion, outcome } = trial;
    if (!carries(withConversion, 'size')) return [];
    return [{ ...withConversion, series: seriesOf.get(trial) ?? 0, tone: OUTCOME_TONES[outcome] }];
  }
  return {
    kind: 'forest',
    title: 'Rewrites tried, time as a share of the original',
    about: rows.map(aboutRow).join(' '),
    columns,
    series: runs.map(runtimeName),
    band: NO_EFFECT,
    rows,
  };
}

/** Nothing of it is drawn: "too few samples: 1". */
const lackOfRow = (row: TrialRow): StyledText => ({ text: intervalOf(row) || 'unsure', tone: 'fair' });

const aboutRow = ({ name, points, outcome }: ForestRow): string =>
  `${name}: ${points.length > 0 ? points.map(aboutPoint).join(', ') : outcome.text}.`;

const aboutPoint = (point: ForestPoint): string => `${ratioText(point.ratio)} (${ratioInterval(point)})`;

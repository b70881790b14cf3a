/** The rewrites that were timed, with their intervals. */
import type { Run, Trial } from '../../../model/report/report.ts';
import { ratioInterval, ratio as ratioText } from '../../numbers.ts';
import { outcomeOf, type TrialRow } from '../advice/trial-rows.ts';
import type { Column } from '../columns.ts';
import { runtimeName } from '../run-groups.ts';
import { OUTCOME_TONES } from '../texts.ts';
import type { ForestChart, ForestPoint } from './model.ts';
import { NO_EFFECT } from './times.ts';

/** @param columns the table of all rows; the drawing has those with a time */
export function forestChart(
  runs: readonly Run[],
  trialRows: readonly TrialRow[],
  columns: readonly Column[],
): ForestChart {
  const seriesOf = new Map<Trial, number>(
    runs.flatMap(({ trials }, series) => trials.map((trial): [Trial, number] => [trial, series])),
  );
  const rows = trialRows
    .map((row) => ({ name: row.name, points: row.trials.flatMap(pointOf), outcome: outcomeOf(row) }))
    .filter(({ points }) => points.length > 0);
  function pointOf(trial: Trial): ForestPoint[] {
    const { withConversion, outcome } = trial;
    if (withConversion === null) return [];
    return [{ ...withConversion, series: seriesOf.get(trial) ?? 0, tone: OUTCOME_TONES[outcome] }];
  }
  return {
    kind: 'forest',
    title: 'Rewrites tried, time as a share of the original',
    about: rows.map(({ name, points }) => `${name}: ${points.map(aboutPoint).join(', ')}.`).join(' '),
    columns,
    series: runs.map(runtimeName),
    band: NO_EFFECT,
    rows,
  };
}

const aboutPoint = ({ ratio, ci }: ForestPoint): string => `${ratioText(ratio)} (${ratioInterval(ci)})`;

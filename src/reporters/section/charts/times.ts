/** Distribution, parts and memory of round trips as charts. */
import { carries, carriesQuantile } from '../../../core/evidence.ts';
import type { Interval } from '../../../model/documents/measurement.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { bytes, time } from '../../text/numbers.ts';
import { advisedTrial } from '../advice/advice.ts';
import { rewriteName } from '../advice/trial-rows.ts';
import type { BarRow, Chart, DensityChart, DensityMark, DensityRow, StripRow } from '../model/charts.ts';
import { type Column, columnsOf } from '../model/columns.ts';
import { runtimeName } from '../model/run-groups.ts';
import { code } from '../model/sentence.ts';

/**
 * Null where no run has a distribution.
 *
 * @param columns the table of their times
 */
export function densityChart(runs: readonly Run[], columns: readonly Column[]): DensityChart | null {
  const rows = runs.flatMap(densityRow);
  if (rows.length === 0) return null;
  const about = rows.map(
    ({ name, marks }) => `${name}: ${marks.map((mark) => `${mark.name} ${time(mark.at)}`).join(', ')}.`,
  );
  return { kind: 'density', title: 'How round trips are distributed', about: about.join(' '), columns, rows };
}

const MARKS = ['floor', 'best', 'median', 'p95'] as const satisfies DensityMark['name'][];

function densityRow(run: Run): DensityRow[] {
  const { measurement, advice } = run;
  const histogram = measurement?.roundTrip.histogram;
  if (!measurement || histogram === undefined || !histogram.counts.some((seen) => seen > 0)) return [];
  const { roundTrip, floor } = measurement;
  const gain = advice?.action === 'apply' ? advice.gain : null;
  const values: Record<DensityMark['name'], number | null> = {
    floor: floor.roundTrip,
    best: carries(gain, 'size') ? gain.ratio * roundTrip.median : null,
    median: roundTrip.median,
    p95: carriesQuantile(roundTrip.samples, 0.95) ? roundTrip.p95 : null,
  };
  const marks = MARKS.flatMap((name) => {
    const at = values[name];
    return at === null ? [] : [{ name, at }];
  });
  const best = advice?.action === 'apply' ? (advisedTrial(advice, run)?.histogram ?? null) : null;
  return [{ name: runtimeName(run), histogram, best, marks }];
}

/** One for all runs whose parts are known. */
export function stripCharts(runs: readonly Run[]): Chart[] {
  const rows = runs.flatMap((run): StripRow[] => {
    const phases = run.measurement?.phases;
    if (!phases) return [];
    const parts = PHASES.map((name) => ({ name, value: Math.max(0, phases[name]) }));
    return [{ name: runtimeName(run), total: phases.oneWay, parts }];
  });
  if (rows.length === 0) return [];
  const about = rows.map(({ name, parts }) => {
    return `${name}: ${parts.map((part) => `${part.name} ${time(part.value)}`).join(', ')}.`;
  });
  const columns = columnsOf(rows, [
    { head: 'runtime', cell: ({ name }) => name },
    ...PHASES.map((phase, index) => ({
      head: phase,
      cell: ({ parts }: StripRow) => time(parts[index]?.value ?? 0),
      align: 'right' as const,
    })),
    { head: 'one way', cell: ({ total }) => time(total), align: 'right' },
  ]);
  const title = 'Where the time of one way goes';
  return [{ kind: 'strip', title, about: about.join(' '), columns, isDrawnOnly: true, rows }];
}

const PHASES = ['send', 'transit', 'receive', 'unaccounted'] as const;

/** Charts of the original and of each rewrite whose memory was taken; none without a rewrite. */
export function memoryCharts(runs: readonly Run[], words: Wording): Chart[] {
  const rows = runs.flatMap((run) => memoryRows(run, words, runs.length > 1));
  if (runs.every(({ trials }) => trials.every(({ peakMemory }) => peakMemory === null))) return [];
  const columns = columnsOf(rows, [
    { head: '', cell: ({ name }) => code(name) },
    { head: 'memory', cell: ({ text }) => text, align: 'right' },
  ]);
  const about = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  const title = 'Peak memory per message';
  return [{ kind: 'bars', unit: 'bytes', title, about: `${about}.`, columns, isDrawnOnly: true, rows }];
}

function memoryRows(run: Run, words: Wording, ofSeveral: boolean): BarRow[] {
  const perMessage = run.measurement?.peakMemory?.perMessage;
  if (perMessage === undefined) return [];
  const of = ofSeveral ? `, ${runtimeName(run)}` : '';
  const rewrites = run.trials.flatMap((trial): BarRow[] => {
    if (trial.peakMemory === null) return [];
    const value = trial.peakMemory.ratio * perMessage;
    // No tone: of one or two processes there is no interval that would carry better or worse.
    return [{ name: `${rewriteName(trial, run.trials, words)}${of}`, value, text: bytes(value) }];
  });
  return [{ name: `original${of}`, value: perMessage, text: bytes(perMessage) }, ...rewrites];
}

/** An effect within it counts as none. */
export const NO_EFFECT: Interval = [0.95, 1.05];

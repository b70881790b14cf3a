import type { Estimate, Measurement, Run } from '../../model/report.ts';
import { ends } from '../histogram.ts';
import { bytes, count, counted, percent, time, timeInterval } from '../numbers.ts';
import { specOf } from '../runs.ts';
import { sparkline } from './bars.ts';
import { indented, wrapped } from './layout.ts';
import type { Pen } from './pen.ts';
import { table } from './table.ts';

const HISTOGRAM_CELLS = 24;
/** What stands beside the histogram: its label and both ends. */
const EDGES = 30;

type Measured = Run & { measurement: Measurement };

const isMeasured = (run: Run): run is Measured => run.measurement !== null;

/** Times of one run in full, of several versions side by side. */
export function timingLines(runs: readonly Run[], pen: Pen): string[] {
  const measured = runs.filter(isMeasured);
  const [first] = measured;
  if (first === undefined) return [];
  return measured.length === 1 ? oneRun(first.measurement, pen) : severalRuns(measured, pen);
}

function oneRun(measurement: Measurement, pen: Pen): string[] {
  const { roundTrip, send, receive, floor } = measurement;
  const rows: { name: string; estimate: Estimate | null; p95: string; floor: number | null }[] = [
    { name: 'round trip', estimate: roundTrip, p95: time(roundTrip.p95), floor: floor.roundTrip },
    { name: 'send', estimate: send, p95: '', floor: floor.send },
    { name: 'receive', estimate: receive, p95: '', floor: floor.receive },
  ];
  const shown = rows.filter(({ estimate }) => estimate !== null);
  const cell = (text: string) => pen.text(text);
  const grid = table(
    [
      { head: '', cells: shown.map(({ name }) => name) },
      {
        head: 'median',
        cells: shown.map(({ estimate }) => cell(estimate ? time(estimate.median) : '')),
        align: 'right',
      },
      {
        head: '95 % interval',
        cells: shown.map(({ estimate }) => cell(estimate ? timeInterval(estimate.ci) : '')),
        align: 'right',
        rank: 2,
      },
      { head: 'p95', cells: shown.map(({ p95 }) => cell(p95)), align: 'right', rank: 1 },
      {
        head: 'empty message',
        cells: shown.map((row) => cell(row.floor === null ? '' : time(row.floor))),
        align: 'right',
        rank: 3,
      },
    ],
    pen.columns - 2,
    pen,
  );
  return [...indented(grid), ...histogramLines(measurement, pen), ...factLines(measurement, pen)];
}

function histogramLines({ roundTrip }: Measurement, pen: Pen): string[] {
  const line = sparkline(roundTrip.histogram, Math.min(HISTOGRAM_CELLS, pen.columns - EDGES), pen);
  if (line === '' || roundTrip.histogram === undefined) return [];
  const [from, to] = ends(roundTrip.histogram);
  const edges = [from, to].map((ns) => pen.paint.quiet(pen.text(time(ns))));
  return [`  ${pen.paint.quiet('spread')}  ${edges[0]} ${line} ${edges[1]}`];
}

function factLines(measurement: Measurement, pen: Pen): string[] {
  const { roundTrip, cold, peakMemory, gc } = measurement;
  const facts = [
    `${counted(roundTrip.samples, 'message')} in ${counted(roundTrip.processes, 'process', 'processes')}`,
    `first one ${time(cold.roundTrip)}`,
    peakMemory === null
      ? null
      : `memory ${bytes(peakMemory.perMessage)} per message (${count(peakMemory.messages)} in flight)`,
    gc === null ? null : `garbage collection ${percent(gc.share)}`,
  ].filter((fact) => fact !== null);
  return wrapped(pen.text(facts.join(pen.marks.between)), pen.columns - 2).map(
    (line) => `  ${pen.paint.quiet(line)}`,
  );
}

function severalRuns(runs: readonly Measured[], pen: Pen): string[] {
  const column = (cellOf: (measurement: Measurement) => string) =>
    runs.map(({ measurement }) => pen.text(cellOf(measurement)));
  const grid = table(
    [
      { head: '', cells: runs.map((run) => pen.text(specOf(run))) },
      { head: 'p95', cells: column((m) => time(m.roundTrip.p95)), align: 'right', rank: 3 },
      { head: 'send', cells: column((m) => time(m.send.median)), align: 'right' },
      { head: 'receive', cells: column((m) => (m.receive ? time(m.receive.median) : '')), align: 'right' },
      { head: 'empty message', cells: column((m) => time(m.floor.roundTrip)), align: 'right', rank: 2 },
      {
        head: 'distribution',
        cells: runs.map(({ measurement }) => sparkline(measurement.roundTrip.histogram, 12, pen)),
        rank: 1,
      },
    ],
    pen.columns - 2,
    pen,
  );
  return indented(grid);
}

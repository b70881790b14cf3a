import type { Measurement, Run } from '../../model/report.ts';
import { measuringFacts } from '../facts.ts';
import { isMeasured, timesGrid, versionsGrid } from '../grid.ts';
import { ends, sparkline } from '../histogram.ts';
import { time } from '../numbers.ts';
import { indented, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';

const HISTOGRAM_CELLS = 24;
const NARROW_HISTOGRAM_CELLS = 12;
/** What stands beside the histogram: its label and both ends. */
const EDGES = 30;

/** Times of one run in full, of several versions side by side. */
export function timingLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  const measured = runs.filter(isMeasured);
  const [first] = measured;
  if (first === undefined) return [];
  if (measured.length === 1) return oneRun(first.measurement, pen);
  const distribution = measured.map(({ measurement: { roundTrip } }) =>
    roundTrip.histogram ? sparkline(roundTrip.histogram, NARROW_HISTOGRAM_CELLS, pen.unicode) : '',
  );
  const columns = [
    ...written(versionsGrid(measured), pen),
    { key: 'distribution', head: 'distribution', cells: distribution, rank: 1 },
  ];
  return indented(table(columns, pen.columns - 2, pen));
}

function oneRun(measurement: Measurement, pen: TerminalStyle): string[] {
  const grid = table(written(timesGrid(measurement), pen), pen.columns - 2, pen);
  const facts = wrapped(pen.text(measuringFacts(measurement).join(pen.marks.between)), pen.columns - 2);
  return [
    ...indented(grid),
    ...histogramLines(measurement, pen),
    ...facts.map((line) => `  ${pen.paint.quiet(line)}`),
  ];
}

function histogramLines({ roundTrip }: Measurement, pen: TerminalStyle): string[] {
  if (roundTrip.histogram === undefined) return [];
  const cells = Math.min(HISTOGRAM_CELLS, pen.columns - EDGES);
  const line = sparkline(roundTrip.histogram, cells, pen.unicode);
  const [from, to] = ends(roundTrip.histogram);
  const edges = [from, to].map((ns) => pen.paint.quiet(pen.text(time(ns))));
  return [`  ${pen.paint.quiet('spread')}  ${edges[0]} ${line} ${edges[1]}`];
}

/** Times of one run in full, of several runs side by side. */
import { carriesQuantile } from '../../core/evidence.ts';
import type { Estimate, Measurement, RoundTrip } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import { binEnds } from '../text/histogram.ts';
import { bytes, count, counted, percent, time, timeInterval } from '../text/numbers.ts';
import { densityChart, stripCharts } from './charts/times.ts';
import { phaseFacts } from './conditions.ts';
import type { Chart } from './model/charts.ts';
import { type Cell, type Column, columnsOf, type Distribution, known } from './model/columns.ts';
import type { Figure, FigurePart } from './model/model.ts';
import { runtimeName } from './model/run-groups.ts';
import { muted } from './model/sentence.ts';

export function timeFigures(runs: readonly Run[]): Figure[] {
  const measured = runs.flatMap((run) =>
    run.measurement ? [{ name: runtimeName(run), ...run.measurement }] : [],
  );
  const [first, ...others] = measured;
  if (first === undefined) return [];
  const columns = others.length === 0 ? timeColumns(first) : runColumns(measured);
  const distribution = others.length === 0 ? distributionOf(first.roundTrip) : null;
  const parts: FigurePart[] = [
    ...stripCharts(runs).map(chartPart),
    densityOf(runs, columns),
    ...(distribution === null ? [] : [{ type: 'distribution', distribution } as const]),
    ...(others.length === 0 ? [{ type: 'facts', facts: measuringFacts(first).map(muted) } as const] : []),
  ];
  return [{ title: 'Times', runtime: null, folded: false, parts }];
}

const chartPart = (chart: Chart): FigurePart => ({ type: 'chart', chart });

/** A run without a distribution has its numbers alone. */
function densityOf(runs: readonly Run[], columns: readonly Column[]): FigurePart {
  const chart = densityChart(runs, columns);
  return chart === null ? { type: 'table', columns } : chartPart(chart);
}

function timeColumns({ roundTrip, send, receive, floor }: Measurement): Column[] {
  const rows = [
    { name: 'round trip', estimate: roundTrip, p95: p95Text(roundTrip), floor: floor.roundTrip },
    ...(send === null ? [] : [{ name: 'send', estimate: send, p95: '', floor: floor.send }]),
    ...(receive === null ? [] : [{ name: 'receive', estimate: receive, p95: '', floor: floor.receive }]),
  ];
  return columnsOf(rows, [
    { head: '', cell: ({ name }) => name },
    { head: 'median', cell: ({ estimate }) => time(estimate.median), align: 'right' },
    { head: '95 % interval', cell: ({ estimate }) => timeInterval(estimate), align: 'right', rank: 2 },
    { head: 'p95', cell: ({ p95 }) => p95, align: 'right', rank: 1 },
    { head: 'empty message', cell: (row) => known(row.floor, time), align: 'right', rank: 3 },
  ]);
}

/** The round trips themselves are in the comparison. */
const runColumns = (runs: readonly (Measurement & { name: string })[]): Column[] =>
  columnsOf(runs, [
    { head: '', cell: ({ name }) => name },
    { head: 'p95', cell: ({ roundTrip }) => p95Text(roundTrip), align: 'right', rank: 3 },
    { head: 'send', cell: ({ send }) => known(send, medianText), align: 'right' },
    { head: 'receive', cell: ({ receive }) => known(receive, medianText), align: 'right' },
    { head: 'empty message', cell: ({ floor }) => time(floor.roundTrip), align: 'right', rank: 2 },
    { head: 'memory', cell: ({ peakMemory }) => known(peakMemory, memoryText), align: 'right', rank: 0 },
    { head: 'distribution', cell: ({ roundTrip }): Cell => distributionOf(roundTrip) ?? '', rank: 1 },
  ]);

const medianText = ({ median }: Estimate): string => time(median);

/** Reports of earlier versions have it of any number of samples. */
const p95Text = ({ p95, samples }: RoundTrip): string =>
  carriesQuantile(samples, 0.95) ? known(p95, time) : '';

const memoryText = ({ perMessage }: { perMessage: number }): string => bytes(perMessage);

function distributionOf({ histogram, median }: RoundTrip): Distribution | null {
  if (histogram === undefined || !histogram.counts.some((seen) => seen > 0)) return null;
  const [from, to] = binEnds(histogram).map(time) as [string, string];
  const label = `Distribution of the round trip, ${from} to ${to}, median ${time(median)}`;
  return { histogram, from, to, label };
}

const samplesText = ({ samples, messagesPerSample = 1 }: RoundTrip): string =>
  messagesPerSample > 1
    ? `${counted(samples, 'block')} of ${messagesPerSample} messages, as the clock is coarse,`
    : counted(samples, 'message');

/** How the times were taken, and what else was measured. */
function measuringFacts({ sender, roundTrip, cold, phases, peakMemory, gc }: Measurement): string[] {
  return [
    `${samplesText(roundTrip)} in ${counted(roundTrip.processes, 'process', 'processes')}`,
    ...(sender === 'worker' ? ['posted by a worker'] : []),
    ...(cold.roundTrip === null ? [] : [`first message ${time(cold.roundTrip)}`]),
    ...(phases ? phaseFacts(phases) : []),
    ...(peakMemory
      ? [`memory ${bytes(peakMemory.perMessage)} per message (${count(peakMemory.messages)} in flight)`]
      : []),
    ...(gc === null ? [] : [`garbage collection ${percent(gc.share)}`]),
  ];
}

/** Times and memory of the runs of a payload: a single run in full, several runs side by side. */
import { carries, carriesQuantile } from '../../core/evidence.ts';
import type { Estimate, Histogram, Measurement, RoundTrip } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { drawing, factsNode, type Node, tableNode } from '../doc.ts';
import type { BarRow, Chart, DensityMark, DensityRow } from '../section/model/charts.ts';
import { type Cell, type Column, columnsOf, known } from '../section/model/columns.ts';
import { runNames } from '../section/model/run-groups.ts';
import { code, muted } from '../section/model/sentence.ts';
import { bytes, count, counted, messageMemory, percent, time, timeInterval } from '../text/numbers.ts';
import { phaseFacts } from './conditions.ts';
import { advisedTrial, rewriteName } from './trial-words.ts';

export function timeNodes(runs: readonly Run[]): Node[] {
  const measured = runs.flatMap((run) => (run.measurement ? [{ run, measurement: run.measurement }] : []));
  if (measured.length === 0) return [];
  const nameOf = measured.length === 1 ? () => null : runNames(runs);
  const columns = timeColumns(
    measured.flatMap(({ run, measurement }) =>
      quantitiesOf(run, measurement).map((row) => ({ ...row, of: nameOf(run) })),
    ),
  );
  return [
    ...densityNodes(runs, columns),
    ...measured.map(({ run, measurement }) =>
      factsNode([...[nameOf(run) ?? []].flat(), ...measuringFacts(measurement).map(muted)]),
    ),
  ];
}

interface Quantity {
  name: string;
  estimate: Estimate;
  floor: number | null;
  trip?: RoundTrip;
}

/** Times of one run in the order in which they pass. */
function quantitiesOf(
  { channel }: Run,
  { roundTrip, send, receive, floor, database }: Measurement,
): Quantity[] {
  const { directions: names = { send: 'send', receive: 'receive' } } = channelRow(channel);
  const row = (name: string, estimate: Estimate | null, least: number | null): Quantity[] =>
    estimate === null ? [] : [{ name, estimate, floor: least }];
  return [
    { name: 'round trip', estimate: roundTrip, floor: floor.roundTrip, trip: roundTrip },
    ...row(names.send, send, floor.send),
    ...(database ? row('transaction', database.transaction, database.floor.transaction) : []),
    ...row(names.receive, receive, floor.receive),
    ...(database ? row('request.result (blocks)', database.result, database.floor.result) : []),
  ];
}

const timeColumns = (rows: readonly (Quantity & { of: string | null })[]): Column[] =>
  columnsOf(rows, [
    // Of several runs, the row of the round trip has the name, and the other times of the run follow.
    { head: '', cell: ({ of, name, trip }) => (trip && of) || name },
    { head: 'median', cell: ({ estimate }) => time(estimate.median), align: 'right' },
    { head: '95 % interval', cell: ({ estimate }) => timeInterval(estimate), align: 'right', rank: 2 },
    { head: 'p95', cell: ({ trip }) => known(trip ?? null, p95Text), align: 'right', rank: 1 },
    { head: 'empty message', cell: ({ floor }) => known(floor, time), align: 'right', rank: 3 },
    {
      head: 'distribution',
      cell: ({ trip: { histogram } = {} }): Cell => (isKnown(histogram) ? { histogram } : ''),
      rank: 0,
    },
  ]);

/** Omits an unreliable p95: reports of earlier versions have it for any number of samples. */
const p95Text = ({ p95, samples }: RoundTrip): string =>
  carriesQuantile(samples, 0.95) ? known(p95, time) : '';

const isKnown = (histogram: Histogram | undefined): histogram is Histogram =>
  histogram?.counts.some((seen) => seen > 0) ?? false;

function measuringFacts({ sender, roundTrip, cold, phases, peakMemory, gc }: Measurement): string[] {
  const { samples, messagesPerSample = 1 } = roundTrip;
  const blocks = `${counted(samples, 'block')} of ${messagesPerSample} messages, as the clock is coarse,`;
  return [
    `${messagesPerSample > 1 ? blocks : counted(samples, 'message')} in ${counted(roundTrip.processes, 'process', 'processes')}`,
    ...(sender === 'worker' ? ['posted by a worker'] : []),
    ...(cold.roundTrip === null ? [] : [`first message ${time(cold.roundTrip)}`]),
    ...(phases ? phaseFacts(phases) : []),
    ...(peakMemory
      ? [`memory ${messageMemory(peakMemory)} per message (${count(peakMemory.messages)} in flight)`]
      : []),
    ...(gc === null ? [] : [`garbage collection ${percent(gc.share)}`]),
  ];
}

function densityNodes(runs: readonly Run[], columns: readonly Column[]): Node[] {
  const rows = runs.flatMap((run) => densityRow(run, runNames(runs)(run)));
  if (rows.length === 0) return tableNode('Times', columns);
  const about = rows.map(
    ({ name, marks }) => `${name}: ${marks.map((mark) => `${mark.name} ${time(mark.at)}`).join(', ')}.`,
  );
  const title = 'How round trips are distributed';
  return drawing({ kind: 'density', title, about: about.join(' '), columns, rows });
}

function densityRow(run: Run, name: string): DensityRow[] {
  const { measurement, advice } = run;
  const histogram = measurement?.roundTrip.histogram;
  if (!measurement || !isKnown(histogram)) return [];
  const { roundTrip, floor } = measurement;
  const gain = advice?.action === 'apply' ? advice.gain : null;
  const marks = [
    { name: 'floor', at: floor.roundTrip },
    { name: 'best', at: carries(gain, 'size') ? gain.ratio * roundTrip.median : null },
    { name: 'median', at: roundTrip.median },
    { name: 'p95', at: carriesQuantile(roundTrip.samples, 0.95) ? roundTrip.p95 : null },
  ].filter((mark): mark is DensityMark => mark.at !== null);
  const best = advice?.action === 'apply' ? (advisedTrial(advice, run)?.histogram ?? null) : null;
  return [{ name, histogram, best, marks }];
}

/** Chart of the memory of the original and of each rewrite; empty if no rewrite's memory was measured. */
export function memoryNodes(runs: readonly Run[], words: Wording): Node[] {
  const rows = runs.flatMap((run) =>
    memoryRows(run, words, runs.length > 1 ? `, ${runNames(runs)(run)}` : ''),
  );
  if (runs.every(({ trials }) => trials.every(({ peakMemory }) => peakMemory === null))) return [];
  const values = rows.map(({ value }) => value);
  if (Math.max(...values) <= ALIKE * Math.min(...values)) return [];
  const columns = columnsOf(rows, [
    { head: '', cell: ({ name }) => code(name) },
    { head: 'memory', cell: ({ text }) => text, align: 'right' },
  ]);
  const about = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  const title = 'Peak memory per message';
  const chart: Chart = {
    kind: 'bars',
    unit: 'bytes',
    title,
    about: `${about}.`,
    columns,
    isDrawnOnly: true,
    rows,
  };
  return drawing(chart);
}

/** Maximum ratio of bar lengths that counts as equal: such a chart would not show anything. */
const ALIKE = 1.1;

function memoryRows(run: Run, words: Wording, of: string): BarRow[] {
  const perMessage = run.measurement?.peakMemory?.perMessage;
  if (perMessage === undefined) return [];
  // The row does not have a tone: one or two processes do not give an interval to judge by.
  const row = (name: string, value: number) => ({ name: `${name}${of}`, value, text: bytes(value) });
  const rewrites = run.trials.flatMap((trial) =>
    trial.peakMemory === null
      ? []
      : row(rewriteName(trial, run.trials, words), trial.peakMemory.ratio * perMessage),
  );
  return [row('original', perMessage), ...rewrites];
}

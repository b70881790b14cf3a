/** Tables as data: what stands in which column, the same for every format, nothing escaped or coloured yet. */

import type { Measurement, PayloadReport, Run } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';
import { adviceWords } from './advice-words.ts';
import { time, timeInterval } from './numbers.ts';
import { fastestFirst, nameOf } from './runs.ts';
import { intervalOf, memoryOf, outcomeWords, ratiosOf, type Tried } from './tried.ts';

export interface Column {
  /** By which a format knows a column that it draws otherwise. */
  key: string;
  head: string;
  cells: string[];
  align?: 'right';
  /** The column with the lowest number goes first when the place is too narrow; absent: it always stays. */
  rank?: number;
}

/** Columns without a single cell of text are left out. */
const filled = (columns: readonly Column[]): Column[] =>
  columns.filter(({ cells }) => cells.some((cell) => cell !== ''));

/** All runs of a payload, in the order of `fastestFirst`. */
export function comparisonGrid(payload: PayloadReport, words: Wording): Column[] {
  const runs = fastestFirst(payload.runs);
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const cells = (cellOf: (run: Run) => string) => runs.map(cellOf);
  return filled([
    { key: 'runtime', head: 'runtime', cells: cells(nameOf) },
    { key: 'channel', head: 'channel', cells: cells((run) => (severalChannels ? run.channel : '')), rank: 4 },
    { key: 'verdict', head: 'verdict', cells: cells(({ verdict }) => verdict?.class ?? 'failed') },
    {
      key: 'roundTrip',
      head: 'round trip',
      cells: cells(({ measurement }) => (measurement ? time(measurement.roundTrip.median) : '')),
      align: 'right',
    },
    {
      key: 'interval',
      head: '95 % interval',
      cells: cells(({ measurement }) => (measurement ? timeInterval(measurement.roundTrip.ci) : '')),
      align: 'right',
      rank: 1,
    },
    { key: 'do', head: 'do', cells: cells((run) => adviceWords([run], words)?.short ?? ''), rank: 2 },
  ]);
}

/** Times of one run: round trip, send, receive. */
export function timesGrid({ roundTrip, send, receive, floor }: Measurement): Column[] {
  const rows = [
    { name: 'round trip', estimate: roundTrip, p95: time(roundTrip.p95), floor: floor.roundTrip },
    { name: 'send', estimate: send, p95: '', floor: floor.send },
    ...(receive === null ? [] : [{ name: 'receive', estimate: receive, p95: '', floor: floor.receive }]),
  ];
  return filled([
    { key: 'name', head: '', cells: rows.map(({ name }) => name) },
    {
      key: 'median',
      head: 'median',
      cells: rows.map(({ estimate }) => time(estimate.median)),
      align: 'right',
    },
    {
      key: 'interval',
      head: '95 % interval',
      cells: rows.map(({ estimate }) => timeInterval(estimate.ci)),
      align: 'right',
      rank: 2,
    },
    { key: 'p95', head: 'p95', cells: rows.map(({ p95 }) => p95), align: 'right', rank: 1 },
    {
      key: 'floor',
      head: 'empty message',
      cells: rows.map((row) => (row.floor === null ? '' : time(row.floor))),
      align: 'right',
      rank: 3,
    },
  ]);
}

export type MeasuredRun = Run & { measurement: Measurement };

export const isMeasured = (run: Run): run is MeasuredRun => run.measurement !== null;

/** Times of several versions side by side; the round trip itself stands in the comparison. */
export function versionsGrid(runs: readonly MeasuredRun[]): Column[] {
  const cells = (cellOf: (measurement: Measurement) => string) =>
    runs.map(({ measurement }) => cellOf(measurement));
  return filled([
    { key: 'runtime', head: '', cells: runs.map(nameOf) },
    {
      key: 'p95',
      head: 'p95',
      cells: cells(({ roundTrip }) => time(roundTrip.p95)),
      align: 'right',
      rank: 3,
    },
    { key: 'send', head: 'send', cells: cells(({ send }) => time(send.median)), align: 'right' },
    {
      key: 'receive',
      head: 'receive',
      cells: cells(({ receive }) => (receive ? time(receive.median) : '')),
      align: 'right',
    },
    {
      key: 'floor',
      head: 'empty message',
      cells: cells(({ floor }) => time(floor.roundTrip)),
      align: 'right',
      rank: 2,
    },
  ]);
}

/** What was timed, fastest first, and the original below as the measure of all. */
export function trialsGrid(tried: readonly Tried[]): Column[] {
  const cells = (cellOf: (row: Tried) => string, original = '') => [...tried.map(cellOf), original];
  return filled([
    { key: 'name', head: 'tried', cells: cells(triedName, 'as it is') },
    {
      key: 'ratio',
      head: 'time',
      cells: cells((row) => ratiosOf(row, 'withConversion'), '1.00'),
      align: 'right',
    },
    {
      key: 'interval',
      head: '95 %',
      cells: cells((row) => intervalOf(row, 'withConversion')),
      align: 'right',
      rank: 3,
    },
    {
      key: 'inPlace',
      head: 'in place',
      cells: cells((row) => ratiosOf(row, 'inPlace')),
      align: 'right',
      rank: 1,
    },
    { key: 'memory', head: 'memory', cells: cells(memoryOf), align: 'right', rank: 0 },
    { key: 'outcome', head: '', cells: cells(outcomeWords) },
  ]);
}

/** "columns $.rows"; "columns $.rows (2)" where the same remedy had a second plan for the same place. */
export function triedName({ remedy, path, plan }: Tried): string {
  return [remedy, ...(path === '$' ? [] : [path]), ...(plan > 1 ? [`(${plan})`] : [])].join(' ');
}

/** The tables of a sweep: times by size and strategy, and ours beside what was published. */
import type { Estimate } from '../../model/report.ts';
import type { Published, StrategyResult, SweepPoint } from '../../model/sweep.ts';
import type { Column } from '../grid.ts';
import { bytes, ratio, time, timeInterval } from '../numbers.ts';
import { RAW, sized, sizeText, specOf } from '../sweep-words.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';

export const strategiesOf = (points: readonly SweepPoint[]): string[] => [
  ...new Set(points.map(({ strategy }) => strategy)),
];

export const sizesOf = (points: readonly SweepPoint[]): number[] =>
  [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);

/** On a narrow screen the strategy that wins at the fewest sizes goes first. */
const rankOf = (standing: StrategyResult | undefined, place: number): number =>
  (standing ? standing.faster.length - standing.slower.length : 0) - place / PLACES;

/** More than there are strategies: of equals the later one goes first. */
const PLACES = 100;

/** Round trips, one row a size, one column a strategy, with what the `standings` of this course say of each. */
export function tripsTable(
  points: readonly SweepPoint[],
  standings: readonly StrategyResult[],
  pen: TerminalStyle,
): string[] {
  const cellOf = (point: SweepPoint): string => {
    if (point.roundTrip === null) return 'failed';
    const text = time(point.roundTrip.median);
    return point.strategy === RAW ? text : `${text} ${markOf(point, standings)}`;
  };
  const columns = written(bySize(points, standings, cellOf), pen);
  const painted = columns.map((column) => ({
    ...column,
    cells: column.cells.map((cell) => graded(cell, pen)),
  }));
  return table(painted, pen.columns - 2, pen);
}

/** How long each blocks the sender. */
export function sendsTable(
  points: readonly SweepPoint[],
  standings: readonly StrategyResult[],
  pen: TerminalStyle,
): string[] {
  const columns = bySize(points, standings, ({ send }) => (send ? time(send.median) : ''));
  return table(written(columns, pen), pen.columns - 2, pen);
}

function bySize(
  points: readonly SweepPoint[],
  standings: readonly StrategyResult[],
  cellOf: (point: SweepPoint) => string,
): Column[] {
  const sizes = sizesOf(points);
  const columns = strategiesOf(points).map((strategy, place): Column => {
    const cells = sizes.map((size) => {
      const point = points.find((one) => one.strategy === strategy && one.size === size);
      return point ? cellOf(point) : '';
    });
    const column: Column = { key: strategy, head: strategy, cells, align: 'right' };
    const standing = standings.find((one) => one.strategy === strategy);
    return strategy === RAW ? column : { ...column, rank: rankOf(standing, place) };
  });
  const head = points[0]?.unit ?? '';
  return [{ key: 'size', head, cells: sizes.map(sizeText), align: 'right' }, ...columns];
}

function markOf({ strategy, size }: SweepPoint, standings: readonly StrategyResult[]): '+' | '-' | '=' {
  const standing = standings.find((one) => one.strategy === strategy);
  if (standing?.faster.includes(size)) return '+';
  return standing?.slower.includes(size) ? '-' : '=';
}

/** Colour repeats what the sign says. */
function graded(cell: string, pen: TerminalStyle): string {
  if (cell.endsWith('+')) return pen.paint.grade.good(cell);
  return cell.endsWith('-') ? pen.paint.grade.bad(cell) : cell;
}

/** Our runtimes beside the published figures, by payload and size. */
export function publishedTable(points: readonly SweepPoint[], pen: TerminalStyle): string[] {
  const rows = [...points].sort(bySeriesAndSize(points));
  const cells = (cellOf: (point: SweepPoint, at: number) => string) => rows.map(cellOf);
  const severalPayloads = new Set(points.map(({ payload }) => payload)).size > 1;
  const label = ({ payload, size, unit }: SweepPoint) =>
    `${severalPayloads ? `${payload}, ` : ''}${sized(size, unit)}`;
  const labels = rows.map(label);
  const clones = points.every(({ channel }) => channel === 'structured-clone');
  const severalChannels = new Set(points.map(({ channel }) => channel)).size > 1;
  const columns: Column[] = [
    {
      key: 'payload',
      head: severalPayloads ? 'payload' : (points[0]?.payload ?? ''),
      cells: cells((p, at) => (labels[at - 1] === label(p) ? '' : label(p))),
    },
    {
      key: 'runtime',
      head: 'runtime',
      cells: cells(({ runtime, channel }) => `${specOf(runtime)}${severalChannels ? ` ${channel}` : ''}`),
    },
    {
      key: 'published',
      head: 'published',
      cells: cells(({ published }) => publishedCell(published, 'value')),
      align: 'right',
    },
    {
      key: 'send',
      head: clones ? 'here' : 'sender only',
      cells: cells((point) => oursCell(point, clones)),
      align: 'right',
    },
    {
      key: 'interval',
      head: '95 %',
      cells: cells((point) => intervalCell(shownOf(point, clones))),
      align: 'right',
      rank: 1,
    },
    ...(clones ? [] : wholeTrip(cells)),
  ];
  return table(written(columns, pen), pen.columns - 2, pen);
}

function wholeTrip(cells: (cellOf: (point: SweepPoint) => string) => string[]): Column[] {
  return [
    {
      key: 'roundTrip',
      head: 'round trip',
      cells: cells(({ roundTrip }) => (roundTrip ? time(roundTrip.median) : 'failed')),
      align: 'right',
    },
    {
      key: 'receive',
      head: 'receive',
      cells: cells(({ receive }) => (receive ? time(receive.median) : '')),
      align: 'right',
      rank: 2,
    },
    {
      key: 'memory',
      head: 'memory',
      cells: cells(({ peakMemory }) => (peakMemory ? bytes(peakMemory.perMessage) : '')),
      align: 'right',
      rank: 3,
    },
  ];
}

const shownOf = ({ roundTrip, send }: SweepPoint, clones: boolean): Estimate | null =>
  clones ? roundTrip : send;

const intervalCell = (estimate: Estimate | null): string => (estimate ? timeInterval(estimate.ci) : '');

function oursCell(point: SweepPoint, clones: boolean): string {
  const estimate = shownOf(point, clones);
  const ours = estimate ? time(estimate.median) : 'failed';
  return point.published?.of === 'speedup' && point.published.measured !== null
    ? `${ours} ${publishedCell(point.published, 'measured')}`
    : ours;
}

function publishedCell(published: Published | null, which: 'value' | 'measured'): string {
  const value = published?.[which] ?? null;
  if (published === null || value === null) return '';
  return published.of === 'speedup' ? `${ratio(value)}x` : time(value);
}

function bySeriesAndSize(points: readonly SweepPoint[]) {
  const series = [...new Set(points.map(({ payload }) => payload))];
  return (a: SweepPoint, b: SweepPoint) =>
    series.indexOf(a.payload) - series.indexOf(b.payload) || a.size - b.size;
}

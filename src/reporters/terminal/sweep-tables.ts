/** The tables of a sweep: times by size and strategy, and ours beside what was published. */
import type { Published, SweepPoint } from '../../model/sweep.ts';
import type { Column } from '../grid.ts';
import { bytes, ratio, time, timeInterval } from '../numbers.ts';
import { sized, sizeText, specOf } from '../sweep-words.ts';
import type { Pen } from './pen.ts';
import { table, written } from './table.ts';

export const strategiesOf = (points: readonly SweepPoint[]): string[] => [
  ...new Set(points.map(({ strategy }) => strategy)),
];

export const sizesOf = (points: readonly SweepPoint[]): number[] =>
  [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);

/** Which strategies are left out first when the screen is narrow: the last ones. */
const RANKS = 100;

/** One row a size, one column a strategy; `leg` is what is shown of each point. */
export function timesTable(points: readonly SweepPoint[], leg: 'roundTrip' | 'send', pen: Pen): string[] {
  const sizes = sizesOf(points);
  const [first] = points;
  if (!first) return [];
  const columns = strategiesOf(points).map((strategy, at): Column => {
    const cells = sizes.map((size) => {
      const point = points.find((one) => one.strategy === strategy && one.size === size);
      return point ? timeCell(point, leg) : '';
    });
    return {
      key: strategy,
      head: strategy,
      cells,
      align: 'right',
      ...(at === 0 ? {} : { rank: RANKS - at }),
    };
  });
  const size: Column = { key: 'size', head: first.unit, cells: sizes.map(sizeText), align: 'right' };
  return graded(written([size, ...columns], pen), points, leg, pen);
}

function timeCell(point: SweepPoint, leg: 'roundTrip' | 'send'): string {
  const estimate = point[leg];
  if (estimate === null) return leg === 'roundTrip' ? 'failed' : '';
  if (leg === 'send' || point.strategy === 'raw') return time(estimate.median);
  return `${time(estimate.median)} ${markOf(point)}`;
}

/** By the interval of the ratio, as the report does: without one, or within 5 %, nothing is said. */
function markOf({ ratio: found }: SweepPoint): '+' | '-' | '=' {
  if (found === null) return '=';
  if (found.ci[1] < 1 && found.ratio <= 0.95) return '+';
  return found.ci[0] > 1 && found.ratio >= 1.05 ? '-' : '=';
}

/** Colour repeats what the sign says. */
function graded(
  columns: readonly Column[],
  points: readonly SweepPoint[],
  leg: 'roundTrip' | 'send',
  pen: Pen,
): string[] {
  const paintOf = (cell: string) =>
    cell.endsWith('+') ? pen.paint.grade.good(cell) : cell.endsWith('-') ? pen.paint.grade.bad(cell) : cell;
  const painted =
    leg === 'send' || points.length === 0
      ? columns
      : columns.map((column) => ({ ...column, cells: column.cells.map(paintOf) }));
  return table(painted, pen.columns - 2, pen);
}

/** Our runtimes beside the published figures, by payload and size. */
export function publishedTable(points: readonly SweepPoint[], pen: Pen): string[] {
  const rows = [...points].sort(bySeriesAndSize(points));
  const cells = (cellOf: (point: SweepPoint, at: number) => string) => rows.map(cellOf);
  const label = (point: SweepPoint) => `${point.payload}, ${sized(point.size, point.unit)}`;
  const labels = rows.map(label);
  const clones = points.every(({ channel }) => channel === 'structured-clone');
  const severalChannels = new Set(points.map(({ channel }) => channel)).size > 1;
  const columns: Column[] = [
    {
      key: 'payload',
      head: 'payload',
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
      cells: cells(({ send }) => (send ? timeInterval(send.ci) : '')),
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

function oursCell(point: SweepPoint, clones: boolean): string {
  const estimate = clones ? point.roundTrip : point.send;
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

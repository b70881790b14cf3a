/** Tables as data, the same for every format. */
import type { Histogram } from '../model/documents/measurement.ts';
import type { Span } from './words.ts';

export type Cell = Span | { histogram: Histogram };

export interface Column {
  head: string;
  cells: readonly Cell[];
  align?: 'right';
  /** A narrow place first omits the column with the lowest rank. A column without a rank always stays. */
  rank?: number | undefined;
}

export type ColumnOf<Row> = Omit<Column, 'cells'> & { cell: (row: Row, index: number) => Cell };

export const amounts = <Row>(head: string, cell: ColumnOf<Row>['cell'], rank?: number): ColumnOf<Row> => ({
  ...{ head, cell, align: 'right', rank },
});

/** Columns without any content are omitted. */
export const columnsOf = <Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Column[] =>
  columns
    .map(({ cell, ...column }) => ({ ...column, cells: rows.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

export const known = <Value, Shown extends Cell>(
  value: Value | null | undefined,
  show: (value: Value) => Shown,
): Shown | '' => (value == null ? '' : show(value));

/** Ends of the histogram in ns. */
export const binEnds = ({ from, to }: Histogram): [number, number] => [10 ** from, 10 ** to];

const LEVELS = '▁▂▃▄▅▆▇█';

const MAX_CELLS = 12;

/** The distribution as one line of text, whose cells are pooled neighbours; a blank stands for no messages. */
export function sparkline({ counts }: Histogram): string {
  const cells = new Array<number>(Math.min(MAX_CELLS, counts.length)).fill(0);
  for (const [index, count] of counts.entries())
    cells[Math.floor((index * cells.length) / counts.length)]! += count;
  const highest = Math.max(1, ...cells);
  return cells
    .map((count) => (count === 0 ? ' ' : LEVELS[Math.ceil((count / highest) * LEVELS.length) - 1]))
    .join('');
}

/** Tables as data, the same for every format. */
import type { Histogram } from '../model/documents/measurement.ts';
import type { Span, Tone } from './words.ts';

/** A share as a bar, for formats of text. A bar longer than 1 ends in an arrow. */
export interface Bar {
  bar: number;
  tone?: Tone;
}

/** A distribution as a small drawing, for formats of text. */
interface Distribution {
  histogram: Histogram;
}

export type Cell = Span | Bar | Distribution;

export interface Column {
  head: string;
  cells: readonly Cell[];
  align?: 'right';
  /** A narrow place first omits the column with the lowest rank. A column without a rank always stays. */
  rank?: number;
}

export type ColumnOf<Row> = Omit<Column, 'cells'> & { cell: (row: Row, index: number) => Cell };

export const amounts = <Row>(
  head: string,
  cell: (row: Row, index: number) => Cell,
  rank?: number,
): ColumnOf<Row> => ({
  ...{ head, cell, align: 'right' },
  ...(rank !== undefined && { rank }),
});

/** Columns with a cell for each of `rows`. Columns without any content are omitted. */
export const columnsOf = <Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Column[] =>
  columns
    .map(({ cell, ...column }) => ({ ...column, cells: rows.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

/** Shows a value; empty if the value is not known. */
export const known = <Value, Shown extends Cell>(
  value: Value | null | undefined,
  show: (value: Value) => Shown,
): Shown | '' => (value == null ? '' : show(value));

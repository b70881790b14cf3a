/** Tables as data, the same for every format. */
import type { Column } from './doc.ts';
import { code, type Span, type StyledText } from './words.ts';

export type ColumnOf<Row> = Omit<Column, 'cells'> & { cell: (row: Row, index: number) => Span };

export const amounts = <Row>(head: string, cell: ColumnOf<Row>['cell'], rank?: number): ColumnOf<Row> => ({
  ...{ head, cell, align: 'right', rank },
});

/** Columns without any content are omitted. */
export const columnsOf = <Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Column[] =>
  columns
    .map(({ cell, ...column }) => ({ ...column, cells: rows.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

export const known = <Value, Shown extends Span>(
  value: Value | null | undefined,
  show: (value: Value) => Shown,
): Shown | '' => (value == null ? '' : show(value));

const LEVELS = '▁▂▃▄▅▆▇█';

const MAX_CELLS = 16;

/** Counts of equal steps as one line of text, whose cells are pooled neighbours; a dot stands for none. */
export function sparkline(counts: readonly number[], steps = counts.length): StyledText {
  const all = Math.max(steps, counts.length);
  const pooled = Math.ceil(all / MAX_CELLS);
  const cells = new Array<number>(Math.ceil(all / pooled)).fill(0);
  for (const [index, count] of counts.entries()) cells[Math.floor(index / pooled)]! += count;
  const highest = Math.max(1, ...cells);
  const signs = cells.map((sum) => LEVELS[Math.ceil((sum / highest) * LEVELS.length) - 1] ?? '·');
  return code(signs.join(''));
}

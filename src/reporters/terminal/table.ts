import Table from 'cli-table3';
import type { Column } from '../grid.ts';
import { cutMiddle, widthOf } from './layout.ts';
import type { TerminalStyle } from './pen.ts';

/** A grid's texts, safe to print. */
export const written = (columns: readonly Column[], pen: TerminalStyle): Column[] =>
  columns.map((column) => ({ ...column, cells: column.cells.map(pen.text) }));

const GAP = 2;

const natural = ({ head, cells }: Column): number => Math.max(widthOf(head), ...cells.map(widthOf));

const total = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + natural(column) + GAP, -GAP);

/** Leaves out the columns that matter least until the rest fits. */
function fitting(columns: readonly Column[], width: number): Column[] {
  const kept = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  while (total(kept) > width) {
    const ranks = kept.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY);
    const least = Math.min(...ranks);
    if (least === Number.POSITIVE_INFINITY) break;
    kept.splice(ranks.indexOf(least), 1);
  }
  return kept;
}

/** Cuts the widest columns where even the ones that must stay do not fit. */
function squeezed(columns: readonly Column[], width: number, pen: TerminalStyle): Column[] {
  let over = total(columns) - width;
  if (over <= 0) return [...columns];
  const widest = [...columns].sort((a, b) => natural(b) - natural(a));
  const limits = new Map<Column, number>();
  for (const column of widest) {
    const limit = Math.max(6, natural(column) - over);
    limits.set(column, limit);
    over -= natural(column) - limit;
    if (over <= 0) break;
  }
  return columns.map((column) => {
    const limit = limits.get(column);
    if (limit === undefined) return column;
    const cut = (cell: string) => cutMiddle(cell, limit, pen);
    return { ...column, head: cut(column.head), cells: column.cells.map(cut) };
  });
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/** A private-use character, one cell wide everywhere; `visible` text next to it is never given to the layout. */
const STAND_IN = '\ue000';

/**
 * cli-table3 lays out, and measures with the Unicode of its day: a newer emoji would shift its row. So it gets stand-ins
 * of the right width, and the texts take their places afterwards, in order.
 */
function laidOut(rows: readonly string[][], columns: readonly Column[]): string[] {
  const grid = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  for (const row of rows) grid.push(row.map((cell) => STAND_IN.repeat(widthOf(cell))));
  const texts = rows.flat().filter((cell) => widthOf(cell) > 0);
  let next = 0;
  return grid
    .toString()
    .replace(/\ue000+/g, () => texts[next++] ?? '')
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Aligned columns without lines, at most `width` cells wide; empty columns are left out. */
export function table(columns: readonly Column[], width: number, pen: TerminalStyle): string[] {
  const shown = squeezed(fitting(columns, width), width, pen);
  const height = Math.max(0, ...shown.map(({ cells }) => cells.length));
  const heads = shown.map(({ head }) => (head === '' ? '' : pen.paint.quiet(head)));
  const rows = Array.from({ length: height }, (_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  return laidOut(heads.some((head) => head !== '') ? [heads, ...rows] : rows, shown);
}

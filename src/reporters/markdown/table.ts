import type { Cell, Column } from '../section/model/columns.ts';
import { sparkline } from '../text/histogram.ts';
import { cellText } from './spans.ts';

const HISTOGRAM_CELLS = 12;

/** Bars are left out: the numbers beside them hold the same. */
export function table(columns: readonly Column[]): string[] {
  const shown = columns.filter(({ cells }) => !cells.some(isBar));
  if (shown.length === 0) return [];
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell || ' ').join(' | ')} |`;
  return [
    row(shown.map(({ head }) => head)),
    row(shown.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...(shown[0]?.cells ?? []).map((_, index) => row(shown.map(({ cells }) => drawn(cells[index] ?? '')))),
  ];
}

const isBar = (cell: Cell): boolean => typeof cell !== 'string' && 'bar' in cell;

function drawn(cell: Cell): string {
  if (typeof cell === 'string') return cellText(cell);
  if ('histogram' in cell) return `<code>${sparkline(cell.histogram, HISTOGRAM_CELLS, true)}</code>`;
  return 'bar' in cell ? '' : cellText(cell);
}

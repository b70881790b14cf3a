import type { Bar, Cell, Column } from '../columns.ts';
import { sparkline } from '../text/histogram.ts';
import type { StyledText } from '../words.ts';
import { cutNames, indented, padded, textWidth, wrapped, wrappedItems } from './layout.ts';
import type { TerminalStyle } from './style.ts';

const BAR_CELLS = 12;
const HISTOGRAM_CELLS = 12;
const MIN_NAME = 14;
const MIN_WIDTH = 6;
const GAP = 2;

interface Drawn extends Pick<Column, 'align' | 'rank'> {
  texts: string[];
  width: number;
  /** Width of the longest word. */
  word: number;
}

/** Table of aligned columns without rules, at most `width` cells wide. */
export function table(columns: readonly Column[], width: number, style: TerminalStyle): string[] {
  const all = columns.map((column) => drawn(column, withNamesCut(column.cells, style), style));
  return drawnLines(squeezed(fitting(all, width), width));
}

/** Minimum width of the last column, in cells. */
const MIN_LAST = 24;

/** Table that never cuts a cell. If the last column is too narrow, rows become paragraphs with the heads. */
export function rows(columns: readonly Column[], width: number, style: TerminalStyle): string[] {
  const shown = columns.map((column) => drawn(column, column.cells, style));
  const last = shown.pop();
  if (last === undefined) return [];
  const room = width - shown.reduce((sum, column) => sum + column.width + GAP, 0);
  if (room >= Math.min(MIN_LAST, last.width))
    return drawnLines([...shown, { ...last, width: Math.min(room, last.width) }]);
  return [...last.texts.keys()].slice(1).flatMap((row) => {
    const cells = [...shown, last].map(({ texts }, at) =>
      at === 0 || texts[row] === '' ? texts[row]! : [texts[0], texts[row]].filter(Boolean).join(' '),
    );
    const filled = cells.filter((cell) => cell !== '');
    const [line = '', ...more] = wrappedItems(filled, style.marks.between, width - 2);
    return [line, ...indented(more)];
  });
}

function drawnLines(shown: readonly Drawn[]): string[] {
  // Lines of each cell, by column. Wrapped, a column may be narrower than its room.
  const columns = shown.map(({ texts, width, align }) => {
    const cells = texts.map((text) => wrapped(text, width));
    return { cells, align, width: Math.max(...cells.flat().map(textWidth)) };
  });
  const lines = [...(shown[0]?.texts.keys() ?? [])].flatMap((row) => {
    const height = Math.max(...columns.map(({ cells }) => cells[row]!.length));
    return Array.from({ length: height }, (_, line) =>
      columns
        .map(({ cells, width, align }) => padded(cells[row]![line] ?? '', width, align))
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
  return lines[0] === '' ? lines.slice(1) : lines;
}

function drawn({ head, cells: _, ...column }: Column, cells: readonly Cell[], style: TerminalStyle): Drawn {
  const texts = [style.paint.muted(style.text(head)), ...cells.map((cell) => cellText(cell, style))];
  const words = texts.flatMap((text) => text.split(' '));
  return {
    ...column,
    texts,
    width: Math.max(...texts.map(textWidth)),
    word: Math.max(...words.map(textWidth)),
  };
}

const isName = (cell: Cell): cell is StyledText => typeof cell !== 'string' && 'code' in cell;

function withNamesCut(cells: readonly Cell[], style: TerminalStyle): Cell[] {
  const limit = Math.max(MIN_NAME, Math.floor(style.columns / 3));
  const names = cells.filter(isName);
  const cut = cutNames(
    names.map(({ text }) => style.text(text)),
    limit,
    style,
  );
  return cells.map((cell) => (isName(cell) ? { ...cell, text: cut[names.indexOf(cell)]! } : cell));
}

function cellText(cell: Cell, style: TerminalStyle): string {
  if (typeof cell === 'object' && 'bar' in cell) return barText(cell, style);
  if (typeof cell === 'string' || !('histogram' in cell)) return style.span(cell);
  return sparkline(cell.histogram, HISTOGRAM_CELLS, style.unicode);
}

function barText({ bar, tone = 'muted' }: Bar, { unicode, paint }: TerminalStyle): string {
  const stroke = unicode ? '━' : '=';
  if (bar > 1) return paint[tone](stroke.repeat(BAR_CELLS - 1) + (unicode ? '▶' : '>'));
  const halves = Math.max(1, Math.round(Math.max(0, bar) * BAR_CELLS * 2));
  const half = halves % 2 === 0 ? '' : unicode ? '╸' : '-';
  return paint[tone](stroke.repeat(Math.floor(halves / 2)) + half);
}

const total = (columns: readonly Drawn[]): number =>
  columns.reduce((sum, { width }) => sum + width + GAP, -GAP);

/** Omits the columns of the lowest rank until the rest fits. */
function fitting(columns: readonly Drawn[], width: number): Drawn[] {
  const kept = [...columns];
  const ranks = columns.flatMap(({ rank }) => rank ?? []).sort((a, b) => a - b);
  for (const lowest of ranks) {
    if (total(kept) <= width) break;
    kept.splice(
      kept.findIndex(({ rank }) => rank === lowest),
      1,
    );
  }
  return kept;
}

/** Narrows the widest columns if the rest does not fit: their texts wrap between words, then within words. */
const squeezed = (columns: readonly Drawn[], width: number): Drawn[] =>
  narrowed(
    narrowed(columns, width, ({ word }) => word),
    width,
    () => MIN_WIDTH,
  );

function narrowed(columns: readonly Drawn[], width: number, leastOf: (column: Drawn) => number): Drawn[] {
  const all = [...columns];
  for (const column of [...columns].sort((a, b) => b.width - a.width)) {
    const over = total(all) - width;
    if (over <= 0) break;
    const least = Math.min(leastOf(column), column.width);
    all[columns.indexOf(column)] = { ...column, width: Math.max(least, column.width - over) };
  }
  return all;
}

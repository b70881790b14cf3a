import Table from 'cli-table3';
import type { Bar, Cell, Column } from '../columns.ts';
import { sparkline } from '../text/histogram.ts';
import type { StyledText } from '../words.ts';
import { cutNames, indented, isUsual, textWidth, wrapped, wrappedItems } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';

const BAR_CELLS = 12;
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
  // Texts wrap between words, then within words.
  const between = narrowed(fitting(all, width), width, ({ word }) => word);
  return drawnLines(narrowed(between, width, () => MIN_WIDTH));
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
  const [first] = shown;
  if (first === undefined) return [];
  // Each line gets its own grid row: for a cell of many lines cli-table3 would measure all lines with each of them.
  const grid = [...first.texts.keys()].flatMap((row) => {
    const cells = shown.map(({ texts, width }) => wrapped(texts[row] ?? '', width));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
  });
  const aligns = shown.map(({ align }) => align ?? 'left');
  const lines = laidOut(grid, aligns).map((line) => line.trimEnd());
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

const inAscii = (style: TerminalStyle): TerminalStyle => terminalStyle({ ...style, unicode: false });

function withNamesCut(cells: readonly Cell[], style: TerminalStyle): Cell[] {
  const limit = Math.max(MIN_NAME, Math.floor(style.columns / 3));
  const names = cells.filter(isName);
  const cut = cutNames(
    names.map(({ text }) => (isMeasured(style.text(text)) ? style : inAscii(style)).text(text)),
    limit,
    style,
  );
  return cells.map((cell) => (isName(cell) ? { ...cell, text: cut[names.indexOf(cell)]! } : cell));
}

function cellText(cell: Cell, style: TerminalStyle): string {
  const painted = (own: TerminalStyle): string => {
    if (typeof cell === 'object' && 'bar' in cell) return barText(cell, own);
    if (typeof cell === 'string' || !('histogram' in cell)) return own.span(cell);
    return sparkline(cell.histogram, own.unicode);
  };
  const text = painted(style);
  return isMeasured(text) ? text : painted(inAscii(style));
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
function fitting(columns: readonly Drawn[], width: number): readonly Drawn[] {
  const lowest = Math.min(...columns.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY));
  const first = columns.find(({ rank }) => rank === lowest);
  if (first === undefined || total(columns) <= width) return columns;
  const others = columns.filter((column) => column !== first);
  return fitting(others, width);
}

/** Narrows the widest columns if the rest does not fit, so that their texts wrap. */
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

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right'].flatMap((edge) =>
    ['', '-mid', '-left', '-right'].map((part) => [`${edge}${part}`, '']),
  ),
);

function laidOut(rows: string[][], colAligns: ('left' | 'right')[] = []): string[] {
  const grid = new Table({
    chars: { ...NO_LINES, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns,
  });
  grid.push(...rows);
  return grid.toString().split('\n');
}

/** cli-table3 does not know emoji newer than Unicode 12 or stacked marks: such a text would shift its row. */
function isMeasured(text: string): boolean {
  // A check of each cell by a table would take longer than the rest of a report.
  if (isUsual(text)) return true;
  const [line = '', ruler = ''] = laidOut([[text], ['.'.repeat(textWidth(text))]]);
  return textWidth(line) === textWidth(ruler);
}

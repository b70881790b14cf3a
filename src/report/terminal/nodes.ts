/** Writes a printed document for a terminal. */
import Table from 'cli-table3';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { type Bar, type Cell, type Column, sparkline } from '../columns.ts';
import { drawn, type Format, joinBlocks, type Node, type NodeOf, type Printed, undrawn } from '../doc.ts';
import { type Body, nodesOf } from '../nodes.ts';
import type { Sentence, StyledText, Tone } from '../words.ts';
import {
  bodyWidth,
  cutMiddle,
  cutNames,
  hanging,
  indented,
  isUsual,
  labelled,
  padded,
  type TerminalStyle,
  terminalStyle,
  textWidth,
  wrapped,
  wrappedItems,
} from './layout.ts';

export function terminalText(printed: Printed, options: RenderOptions): string {
  const { heading, isHeaded, body, isUnfolded = false, facts, hint } = printed;
  const { details = false } = options;
  const style = terminalStyle({ ...options, details: details || isUnfolded });
  const head = isHeaded ? wrap(heading, style.columns, style, 'title') : [];
  const rest = details ? facts : hint === undefined ? [] : [hint];
  const end = wrappedItems(rest.map(style.text), style.marks.between, style.columns);
  return joinBlocks([head, ...nodeBlocks(body, style), end.map(style.paint.muted)]);
}

/** Nodes without a frame, so that each can be printed once it is known. */
export const terminalNodes = (body: Body, options: RenderOptions): string =>
  joinBlocks(nodeBlocks(nodesOf(body), terminalStyle(options)));

/** Blocks of lines, separated by blank lines. A style with details prints folds and long errors too. */
export function nodeBlocks(nodes: readonly Node[], style: TerminalStyle): string[][] {
  return nodes.flatMap((node) => {
    if (node.type === 'section') return nodeBlocks(node.body, style);
    if (node.type !== 'fold') return [drawn(TERMINAL, node, style)];
    if (!style.details && !node.isAsked) return [];
    const title = indented(wrap(node.title, style.columns - 2, style, 'title'));
    // A chart may be empty on a terminal.
    const [first, ...more] = nodeBlocks(node.body, style).filter((lines) => lines.length > 0);
    return first === undefined ? [] : [[...title, ...first], ...more];
  });
}

const linesOf = ({ body }: { body: readonly Node[] }, style: TerminalStyle): string[] =>
  body.flatMap((one) => drawn(TERMINAL, one, style));

const TERMINAL: Format<TerminalStyle, string[]> = {
  heading: headingLines,
  section: linesOf,
  block: linesOf,
  fold: linesOf,
  text: textLines,
  // A reader of a terminal scrolls.
  contents: () => [],
  facts: ({ facts }, style) =>
    indented(wrappedItems(facts.map(style.span), style.marks.between, style.columns - 2)),
  list: ({ items }, style) =>
    indented(items.flatMap((one) => hanging(style.sentence(one), style.columns - 2))),
  alert: alertLines,
  item: itemLines,
  table: tableLines,
  code: codeLines,
  chart: ({ chart }, style) => linesOf({ body: undrawn(chart) }, style),
};

function wrap(text: Sentence, width: number, style: TerminalStyle, tone?: Tone | 'title'): string[] {
  const lines = wrapped(style.sentence(text), width);
  return tone === undefined ? lines : lines.map(style.paint[tone]);
}

function textLines({ text, tone, by: level, isWhole }: NodeOf<'text'>, style: TerminalStyle): string[] {
  const by = level === undefined ? 2 : 4;
  const lines = isWhole ? [style.sentence(text)] : wrap(text, style.columns - by, style, tone);
  return indented(lines, by);
}

function tableLines({ columns, by: level, hasLongCells }: NodeOf<'table'>, style: TerminalStyle): string[] {
  const by = level === undefined ? 2 : 4;
  return indented((hasLongCells ? rows : table)(columns, style.columns - by, style), by);
}

const MAX_ALERT_LINES = 5;

function alertLines({ text, tone }: NodeOf<'alert'>, style: TerminalStyle): string[] {
  const [first = '', ...more] = sentenceLines(text, style).flatMap((line) =>
    wrapped(line, style.columns - 4),
  );
  const mark = style.paint[tone](style.marks.tone[tone]);
  const isCut = !style.details && more.length >= MAX_ALERT_LINES;
  const cut = style.paint.muted(style.text('… (--details: the whole text)'));
  const rest = isCut ? [...more.slice(0, MAX_ALERT_LINES - 2), cut] : more;
  return [`  ${mark} ${first}`, ...indented(rest, 4)];
}

/** Lines of a sentence, since the text of an error may have several. */
function sentenceLines(sentence: Sentence, style: TerminalStyle): string[] {
  const lines = [''];
  for (const span of sentence) {
    const [first = '', ...more] = typeof span === 'string' ? style.lines(span) : [style.span(span)];
    lines.push(`${lines.pop()}${first}`, ...more);
  }
  return lines;
}

/** Headings of level 3 are sentences below a subject, and are not cut. */
function headingLines({ text, facts, level }: NodeOf<'heading'>, style: TerminalStyle): string[] {
  if (level === 3 && facts.length === 0) return wrap(text, style.columns, style, 'title');
  const name = style.paint.title(cutMiddle(style.sentence(text), style.columns, style));
  const items = facts.map((fact) => style.paint.muted(style.span(fact)));
  const line = [name, ...items].join(style.marks.between);
  if (textWidth(line) <= style.columns) return [line];
  return [name, ...indented(wrappedItems(items, style.marks.between, style.columns - 2))];
}

function itemLines(node: NodeOf<'item'>, style: TerminalStyle): string[] {
  const { label, tone, sentences = [], explanations = [] } = node;
  const width = bodyWidth(style);
  const body = [
    ...placeLines(node, width, style),
    ...sentences.flatMap((sentence) => wrap(sentence, width, style, tone)),
    ...explanations.flatMap(({ text }) => wrap([text], width, style, 'muted')),
  ];
  return labelled(label, body, style);
}

/** Minimum cells for a text next to its path. If fewer are left, the text goes below the path. */
const MIN_TEXT = 24;

/** Paths and texts side by side, or one below the other if a path is long or the terminal narrow. */
function placeLines({ places = [] }: NodeOf<'item'>, width: number, style: TerminalStyle): string[] {
  const rows = places.map(({ path, text }) => ({
    path: style.paint.code(style.text(path)),
    text: style.text(text),
  }));
  const short = rows.map(({ path }) => textWidth(path)).filter((cells) => cells + 2 + MIN_TEXT <= width);
  const column = Math.max(0, ...short) + 2;
  return rows.flatMap(({ path, text }) =>
    textWidth(path) < column
      ? wrapped(text, width - column).map((line, index) => padded(index === 0 ? path : '', column) + line)
      : [...hanging(path, width), ...indented(wrapped(text, width - 2))],
  );
}

/** Maximum lines of code: more would push the numbers off the screen. */
const MAX_CODE_LINES = 30;

/** Short code: one line per side. Longer code is not wrapped, because readers copy it, except its comments. */
function codeLines({ text, language, isWhole }: NodeOf<'code'>, style: TerminalStyle): string[] {
  const code = text.trimEnd();
  const sides = [...code.matchAll(/^\/\/ (sender|receiver)\n(.+)$/gm)];
  const length = code.split('\n').filter((line) => line !== '').length;
  const short = sides.map(([, side = '', line = '']) => {
    return `${style.paint.muted(side.padEnd(8))}  ${style.paint.code(style.text(line))}`;
  });
  if (length === 2 * sides.length && short.every((line) => textWidth(line) <= style.columns - 2))
    return indented(short, 2);
  const lines = style
    .lines(code)
    .flatMap((line) => (line.startsWith(COMMENT) ? commentLines(line, style) : line));
  const all = lines.map((line) => (line === '' ? '' : style.paint.code(line)));
  if (isWhole) return all;
  const whole = language === 'ts' ? '--emit FILE writes it' : '-f markdown prints it';
  const instead = (why: string) => indented(wrap([`${why}: ${whole}.`], style.columns - 2, style));
  if (lines.length > MAX_CODE_LINES) return instead(`The code has ${lines.length} lines`);
  if (lines.some((line) => textWidth(line) > style.columns))
    return instead(`The code is wider than ${style.columns} columns`);
  return all;
}

const COMMENT = '// ';

const commentLines = (line: string, { columns }: TerminalStyle): string[] =>
  wrapped(line.slice(COMMENT.length), columns - COMMENT.length).map((text) => COMMENT + text);

const BAR_CELLS = 12;
const MIN_NAME = 14;
const MIN_WIDTH = 6;
const GAP = 2;

type DrawnColumn = ReturnType<typeof drawnColumn>;

/** Table of aligned columns without rules, at most `width` cells wide. */
export function table(columns: readonly Column[], width: number, style: TerminalStyle): string[] {
  const all = columns.map((column) => drawnColumn(column, withNamesCut(column.cells, style), style));
  // Texts wrap between words, then within words.
  const between = narrowed(fitting(all, width), width, ({ word }) => word);
  return drawnLines(narrowed(between, width, () => MIN_WIDTH));
}

/** Minimum width of the last column, in cells. */
const MIN_LAST = 24;

/** Table that never cuts a cell. If the last column is too narrow, rows become paragraphs with the heads. */
export function rows(columns: readonly Column[], width: number, style: TerminalStyle): string[] {
  const shown = columns.map((column) => drawnColumn(column, column.cells, style));
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

function drawnLines(shown: readonly DrawnColumn[]): string[] {
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

function drawnColumn({ head, align, rank }: Column, cells: readonly Cell[], style: TerminalStyle) {
  const texts = [style.paint.muted(style.text(head)), ...cells.map((cell) => cellText(cell, style))];
  const words = texts.flatMap((text) => text.split(' '));
  return {
    ...{ align, rank, texts },
    width: Math.max(...texts.map(textWidth)),
    /** Width of the longest word. */
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

const total = (columns: readonly DrawnColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width + GAP, -GAP);

function fitting(columns: readonly DrawnColumn[], width: number): readonly DrawnColumn[] {
  const lowest = Math.min(...columns.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY));
  const first = columns.find(({ rank }) => rank === lowest);
  if (first === undefined || total(columns) <= width) return columns;
  const others = columns.filter((column) => column !== first);
  return fitting(others, width);
}

/** Narrows the widest columns if the rest does not fit, so that their texts wrap. */
function narrowed(
  columns: readonly DrawnColumn[],
  width: number,
  leastOf: (column: DrawnColumn) => number,
): DrawnColumn[] {
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

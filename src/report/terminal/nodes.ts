/** Writes a printed document for a terminal: escaping, colours, signs, and texts in lines of limited width. */

import { Chalk } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { RenderOptions } from '../../model/report/formats.ts';
import { type Column, drawn, type Format, joinBlocks, type Node, type Printed, undrawn } from '../doc.ts';
import { type Body, nodesOf } from '../nodes.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { markOf, type Sentence, type Span, type Tone } from '../words.ts';

const MARKS: Record<Tone, string> = { good: '●', fair: '▲', poor: '▲', bad: '✖', muted: '·' };

/** ASCII forms of the signs that the tool prints; any other sign becomes a visible escape. */
const ASCII: Record<string, string> = {
  ...{
    µ: 'u',
    '×': 'x',
    '–': '-',
    '—': '-',
    '’': "'",
    '‘': "'",
    '●': '+',
    '▲': '!',
    '✖': 'x',
    '✓': '+',
    '✗': 'x',
  },
  ...{ '“': '"', '”': '"', '…': '...', '→': '->', '·': ',', ' ·': ',' },
  ...{ '▁': '_', '▂': '.', '▃': ':', '▄': '-', '▅': '=', '▆': '+', '▇': '*', '█': '#' },
};
const IN_ASCII = new RegExp(` ·(?= )|[${Object.keys(ASCII).join('')}]`, 'g');

/** The 16 colours of the reader's theme. A word or a mark always repeats the meaning of a colour. */
function choosePalette(color: boolean) {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // Passes one argument only: chalk prints all of them, and `lines.map(paint)` would pass the index too.
  const only = (paint: (text: string) => string) => (text: string) => paint(text);
  return {
    ...{ title: only(chalk.bold), code: only(chalk.cyan), muted: only(chalk.dim) },
    ...{ good: only(chalk.green), fair: only(chalk.yellow), poor: only(chalk.yellow), bad: only(chalk.red) },
  };
}

type TerminalStyle = ReturnType<typeof terminalStyle>;

export function terminalStyle(options: RenderOptions) {
  const { color, unicode } = options;
  const plain = (text: string) => (unicode ? text : text.replace(IN_ASCII, (sign) => ASCII[sign] ?? sign));
  const text = (text: string) => visible(plain(text), !unicode);
  const paint = choosePalette(color);
  const span = (span: Span) => {
    if (typeof span === 'string') return text(span);
    const mark = markOf(span, MARKS);
    const shown = text(mark === undefined ? span.text : `${mark} ${span.text}`);
    if (span.code) return paint.code(shown);
    if (span.strong) return paint.title(shown);
    return span.tone ? paint[span.tone](shown) : shown;
  };
  return {
    ...{ ...options, paint, text, span, between: text(' · ') },
    lines: (text: string) => visibleLines(plain(text), !unicode),
    sentence: (sentence: Sentence) => sentence.map(span).join(''),
  };
}

const ESCAPE = '\u001b';
/** ASCII and the signs that the tool prints itself: cli-table3 knows their width. */
const USUAL = new RegExp(`^[${ESCAPE} -~\u2500-\u25ff·µ×–—…→✓✗✖’‘“”]*$`);

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

function wrapped(text: string, width: number): string[] {
  const most = Math.max(1, width);
  // A word may begin with a character that widens the previous one (a variation selector): then lines get less room.
  for (let room = most; ; room--) {
    const lines = wrapAnsi(text, room, { hard: true, trim: true }).split('\n');
    if (room === 1 || lines.every((line) => stringWidth(line) <= most)) return lines;
  }
}

function wrappedItems(items: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.length === 0 ? item : `${lines.at(-1)}${between}${item}`;
    if (lines.length > 0 && stringWidth(line) <= width) lines[lines.length - 1] = line;
    else lines.push(item);
  }
  return lines.flatMap((line) => wrapped(line, width));
}

const hanging = (text: string, width: number): string[] =>
  wrapped(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));

const indented = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

export function terminalText(printed: Printed, options: RenderOptions): string {
  const { heading, isHeaded, body, isUnfolded = false, facts, hint } = printed;
  const { details = false } = options;
  const style = terminalStyle({ ...options, details: details || isUnfolded });
  const head = isHeaded ? wrap(heading, style.columns, style, 'title') : [];
  const rest = details ? facts : hint === undefined ? [] : [hint];
  const end = wrappedItems(rest.map(style.text), style.between, style.columns);
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

const MAX_ALERT_LINES = 5;
const LABEL_COLUMN = 11;
/** Maximum lines of code: more would push the numbers off the screen. */
const MAX_CODE_LINES = 30;

const TERMINAL: Format<TerminalStyle, string[]> = {
  section: linesOf,
  block: linesOf,
  fold: linesOf,
  heading({ text, facts }, style) {
    const name = wrap(text, style.columns, style, 'title');
    const items = facts.map((fact) => style.paint.muted(style.span(fact)));
    // Facts continue the last line of the name, unless it is full.
    const isFull = stringWidth(name.at(-1) ?? '') > style.columns - 2;
    const start = isFull ? [] : name.splice(-1);
    const lines = wrappedItems([...start, ...items], style.between, style.columns - 2);
    return [...name, ...lines.splice(0, start.length), ...indented(lines)];
  },
  text({ text, tone, by: level, isWhole }, style) {
    const by = level === undefined ? 2 : 4;
    const lines = isWhole ? [style.sentence(text)] : wrap(text, style.columns - by, style, tone);
    return indented(lines, by);
  },
  facts: ({ facts }, style) =>
    indented(wrappedItems(facts.map(style.span), style.between, style.columns - 2)),
  list: ({ items }, style) =>
    indented(items.flatMap((one) => hanging(style.sentence(one), style.columns - 2))),
  alert({ text, tone }, style) {
    const whole = sentenceLines(text, style).flatMap((line) => wrapped(line, style.columns - 4));
    const [first = '', ...more] = whole;
    const mark = style.paint[tone](style.text(MARKS[tone]));
    const isCut = !style.details && more.length >= MAX_ALERT_LINES;
    const cut = style.paint.muted(style.text('… (--details: the whole text)'));
    const rest = isCut ? [...more.slice(0, MAX_ALERT_LINES - 2), cut] : more;
    return [`  ${mark} ${first}`, ...indented(rest, 4)];
  },
  item({ label, tone, sentences }, style) {
    const body = sentences.flatMap((one) => wrap(one, style.columns - LABEL_COLUMN, style, tone));
    const head = padded(`  ${style.paint.muted(label)}`, LABEL_COLUMN);
    return body.map((line, index) => (index === 0 ? head : ' '.repeat(LABEL_COLUMN)) + line);
  },
  table({ columns, by: level }, style) {
    const by = level === undefined ? 2 : 4;
    return indented(table(columns, style.columns - by, style), by);
  },
  /** Short code: one line per side. Longer code is not wrapped, because readers copy it. */
  code({ text, language, isWhole }, style) {
    const code = text.trimEnd();
    const sides = [...code.matchAll(/^\/\/ (sender|receiver)\n(.+)$/gm)];
    const short = sides.map(([, side = '', line = '']) => {
      return `${style.paint.muted(side.padEnd(8))}  ${style.paint.code(style.text(line))}`;
    });
    const isShort = code.split('\n').filter((line) => line !== '').length === 2 * sides.length;
    if (isShort && short.every((line) => stringWidth(line) <= style.columns - 2)) return indented(short);
    const lines = style.lines(code);
    const all = lines.map((line) => (line === '' ? '' : style.paint.code(line)));
    if (isWhole) return all;
    const whole = language === 'ts' ? '--emit FILE writes it' : '-f markdown prints it';
    const isLarge = lines.length > MAX_CODE_LINES || lines.some((line) => stringWidth(line) > style.columns);
    return isLarge
      ? indented(wrap([`The code is too long or too wide to show: ${whole}.`], style.columns - 2, style))
      : all;
  },
  chart: ({ chart }, style) => linesOf({ body: undrawn(chart) }, style),
};

function wrap(text: Sentence, width: number, style: TerminalStyle, tone?: Tone | 'title'): string[] {
  const lines = wrapped(style.sentence(text), width);
  return tone === undefined ? lines : lines.map(style.paint[tone]);
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

/** Minimum width of a column of names, and of any column that is narrowed, in cells. */
const MIN_NAME = 14;
const MIN_WIDTH = 24;
const GAP = 2;

type DrawnColumn = ReturnType<typeof drawnColumn>;

/** Table of aligned columns without rules, at most `width` cells wide. If space is short, its rows become paragraphs. */
function table(columns: readonly Column[], width: number, style: TerminalStyle): string[] {
  const fitted = fitting(
    columns.map((column) => drawnColumn(column, style)),
    width,
  );
  const narrow = narrowed(fitted, width);
  return total(narrow) <= width ? drawnLines(narrow) : paragraphs(fitted, width, style);
}

const paragraphs = (
  [names, ...others]: readonly DrawnColumn[],
  width: number,
  style: TerminalStyle,
): string[] =>
  (names?.texts ?? []).slice(1).flatMap((name, row) => {
    const cells = others.map(({ texts: [head, ...texts] }) =>
      texts[row] ? [head, texts[row]].filter(Boolean).join(' ') : '',
    );
    const filled = [name, ...cells].filter((cell) => cell !== '');
    const [line = '', ...more] = wrappedItems(filled, style.between, width - 2);
    return [line, ...indented(more)];
  });

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

function drawnColumn({ head, align, rank, cells }: Column, style: TerminalStyle) {
  const texts = [style.paint.muted(style.text(head)), ...cells.map((cell) => cellText(cell, style))];
  const width = Math.max(...texts.map((one) => stringWidth(one)));
  const limit = Math.max(MIN_NAME, Math.floor(style.columns / 3));
  // Other columns are not omitted for the sake of a long name, which can be wrapped.
  const wanted = cells.some(isName) ? Math.min(width, limit) : width;
  const longestWord = Math.max(...texts.flatMap((text) => text.split(' ').map((one) => stringWidth(one))));
  return { align, rank, texts, width, wanted, least: Math.min(wanted, Math.max(MIN_WIDTH, longestWord)) };
}

const isName = (cell: Span): boolean => typeof cell !== 'string' && 'code' in cell;

function cellText(cell: Span, style: TerminalStyle): string {
  const text = style.span(cell);
  return isMeasured(text) ? text : terminalStyle({ ...style, unicode: false }).span(cell);
}

const total = (columns: readonly DrawnColumn[], of: 'width' | 'wanted' = 'width'): number =>
  columns.reduce((sum, column) => sum + column[of] + GAP, -GAP);

function fitting(columns: readonly DrawnColumn[], width: number): readonly DrawnColumn[] {
  const lowest = Math.min(...columns.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY));
  const first = columns.find(({ rank }) => rank === lowest);
  if (first === undefined || total(columns, 'wanted') <= width) return columns;
  const others = columns.filter((column) => column !== first);
  return fitting(others, width);
}

/** Narrows the names or the last column if the rest does not fit, so that their texts wrap. */
function narrowed(columns: readonly DrawnColumn[], width: number): DrawnColumn[] {
  const over = Math.max(0, total(columns) - width);
  const [names, last] = [columns[0], columns.at(-1)];
  const narrow = (names?.width ?? 0) > (last?.width ?? 0) ? names : last;
  return columns.map((column) =>
    column === narrow ? { ...column, width: Math.max(column.least, column.width - over) } : column,
  );
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
  if (USUAL.test(text)) return true;
  const [line = '', ruler = ''] = laidOut([[text], ['.'.repeat(stringWidth(text))]]);
  return stringWidth(line) === stringWidth(ruler);
}

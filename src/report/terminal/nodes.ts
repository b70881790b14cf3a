/** Writes a printed document for a terminal. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import { drawn, type Format, joinBlocks, type Node, type NodeOf, type Printed, undrawn } from '../doc.ts';
import { type Body, nodesOf } from '../nodes.ts';
import type { Sentence, Tone } from '../words.ts';
import {
  bodyWidth,
  cutMiddle,
  hanging,
  indented,
  labelled,
  padded,
  textWidth,
  wrapped,
  wrappedItems,
} from './layout.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';
import { rows, table } from './table.ts';

/** Text of the document; `details` adds its folds. */
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

/** Maximum lines of an error in an answer. */
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

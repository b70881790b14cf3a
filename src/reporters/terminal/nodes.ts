/** Nodes of a document on a terminal. */
import type { Node } from '../doc.ts';
import type { Sentence } from '../section/model/sentence.ts';
import { cutMiddle, indented, textWidth, wrapped, wrappedItems } from './layout.ts';
import type { TerminalStyle } from './style.ts';
import { table } from './table.ts';

/** Blocks of lines; blank lines separate them. */
export const nodeBlocks = (nodes: readonly Node[], style: TerminalStyle, isWhole = false): string[][] =>
  nodes.map((node) => nodeLines(node, style, isWhole));

/** Lines of an error that an answer shows. */
const MAX_ALERT_LINES = 5;

/** @param isWhole long errors too */
function nodeLines(node: Node, style: TerminalStyle, isWhole: boolean): string[] {
  switch (node.type) {
    case 'heading':
      return headingLines(node, style);
    case 'block':
      return node.body.flatMap((one) => nodeLines(one, style, isWhole));
    case 'text': {
      const by = node.by === undefined ? 2 : 4;
      const lines = wrapped(style.sentence(node.text), style.columns - by);
      return indented(node.tone === undefined ? lines : lines.map(style.paint[node.tone]), by);
    }
    case 'facts':
      return indented(wrappedItems(node.facts.map(style.span), style.marks.between, style.columns - 2));
    case 'alert': {
      const [first = '', ...more] = sentenceLines(node.text, style).flatMap((line) =>
        wrapped(line, style.columns - 4),
      );
      const mark = style.paint[node.tone](style.marks.tone[node.tone]);
      const isCut = !isWhole && more.length >= MAX_ALERT_LINES;
      const rest = isCut
        ? [
            ...more.slice(0, MAX_ALERT_LINES - 2),
            style.paint.muted(style.text('… (--details: the whole text)')),
          ]
        : more;
      return [`  ${mark} ${first}`, ...indented(rest, 4)];
    }
    case 'table': {
      const by = node.by === undefined ? 2 : 4;
      return indented(table(node.columns, style.columns - by, style), by);
    }
    case 'code':
      return codeLines(node.text, style);
  }
}

/** The text of an error may have several lines. */
function sentenceLines(sentence: Sentence, style: TerminalStyle): string[] {
  const lines = [''];
  for (const span of sentence) {
    const [first = '', ...more] = typeof span === 'string' ? style.lines(span) : [style.span(span)];
    lines.push(`${lines.pop()}${first}`, ...more);
  }
  return lines;
}

function headingLines({ text, facts }: Extract<Node, { type: 'heading' }>, style: TerminalStyle): string[] {
  const name = style.paint.title(cutMiddle(style.sentence(text), style.columns, style));
  const items = facts.map((fact) => style.paint.muted(style.span(fact)));
  const line = [name, ...items].join(style.marks.between);
  if (textWidth(line) <= style.columns) return [line];
  return [name, ...indented(wrappedItems(items, style.marks.between, style.columns - 2))];
}

/** A line each for the two sides; longer code is not wrapped: it is copied. */
function codeLines(code: string, style: TerminalStyle): string[] {
  const sides = [...code.matchAll(/^\/\/ (sender|receiver)\n(.+)$/gm)];
  const length = code
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '').length;
  const labelled = sides.map(([, side = '', line = '']) => {
    return `${style.paint.muted(side.padEnd(8))}  ${style.paint.code(style.text(line))}`;
  });
  if (length === 2 * sides.length && labelled.every((line) => textWidth(line) <= style.columns - 2))
    return indented(labelled, 2);
  const lines = style.lines(code.trimEnd());
  if (lines.every((line) => textWidth(line) <= style.columns))
    return lines.map((line) => (line === '' ? '' : style.paint.code(line)));
  const told = style.text(`The code is wider than ${style.columns} columns: -f markdown prints it.`);
  return indented(wrapped(told, style.columns - 2));
}

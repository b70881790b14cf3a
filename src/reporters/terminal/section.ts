import type { Distribution } from '../section/model/columns.ts';
import { type Figure, figureTitle, type PathText, type Statement, undrawn } from '../section/model/model.ts';
import { sparkline } from '../text/histogram.ts';
import {
  bodyWidth,
  hanging,
  indented,
  labelled,
  padded,
  textWidth,
  wrapped,
  wrappedItems,
} from './layout.ts';
import type { TerminalStyle } from './style.ts';
import { table } from './table.ts';

export const statementLines = (statements: readonly Statement[], style: TerminalStyle): string[] =>
  statements.flatMap(({ label, tone, places = [], sentences = [], explanations = [] }) => {
    const width = bodyWidth(style);
    const lines = sentences.flatMap((sentence) => wrapped(style.sentence(sentence), width));
    const more = explanations.flatMap(({ text }) => wrapped(style.text(text), width));
    const body = [
      ...placeLines(places, width, style),
      ...(tone === undefined ? lines : lines.map(style.paint[tone])),
      ...more.map(style.paint.muted),
    ];
    return labelled(label, body, style);
  });

/** With fewer cells beside the path, the text goes below it. */
const MIN_TEXT = 24;

/** Path and text side by side; one below the other where a path is long or the terminal narrow. */
function placeLines(places: readonly PathText[], width: number, style: TerminalStyle): string[] {
  const drawn = places.map(({ path, text }) => ({
    path: style.paint.code(style.text(path)),
    text: style.text(text),
  }));
  const short = drawn.map(({ path }) => textWidth(path)).filter((cells) => cells + 2 + MIN_TEXT <= width);
  const column = Math.max(0, ...short) + 2;
  return drawn.flatMap(({ path, text }) =>
    textWidth(path) < column
      ? wrapped(text, width - column).map((line, index) => padded(index === 0 ? path : '', column) + line)
      : [...hanging(path, width), ...indented(wrapped(text, width - 2))],
  );
}

const HISTOGRAM_CELLS = 24;
/** Cells beside the histogram: its label and both ends. */
const HISTOGRAM_EDGES = 30;

/** The heads of a table name its content; a title is only needed where the section has several runtimes. */
export function figureLines(figure: Figure, style: TerminalStyle): string[] {
  const width = style.columns - 2;
  const title = figure.runtime === null ? [] : wrapped(style.text(figureTitle(figure)), width);
  const lines = figure.parts.map(undrawn).flatMap((part) => {
    if (part.type === 'table') return table(part.columns, width, style);
    if (part.type === 'facts') return wrappedItems(part.facts.map(style.span), style.marks.between, width);
    if (part.type === 'list') return part.items.flatMap((item) => hanging(style.sentence(item), width));
    return [distributionLine(part.distribution, style)];
  });
  return indented([...title.map(style.paint.title), ...lines]);
}

function distributionLine({ histogram, from, to }: Distribution, style: TerminalStyle): string {
  const cells = Math.min(HISTOGRAM_CELLS, style.columns - HISTOGRAM_EDGES);
  const [label, low, high] = ['spread', style.text(from), style.text(to)].map(style.paint.muted);
  return `${label}  ${low} ${sparkline(histogram, cells, style.unicode)} ${high}`;
}

import type { PathText, Statement } from '../section/model/model.ts';
import { bodyWidth, hanging, indented, labelled, padded, widthOf, wrapped } from './layout.ts';
import type { TerminalStyle } from './style.ts';

/** A label with its places and sentences. */
export function statementLines(statement: Statement, style: TerminalStyle): string[] {
  const { label, tone, places = [], sentences = [], explanations = [] } = statement;
  const width = bodyWidth(style);
  const paint = tone === undefined ? (line: string) => line : style.paint[tone];
  const lines = [
    ...placeLines(places, width, style),
    ...sentences.flatMap((sentence) => wrapped(style.sentence(sentence), width).map(paint)),
    ...explanations.flatMap(({ text }) => wrapped(style.text(text), width).map(style.paint.muted)),
  ];
  return labelled(label, lines, style);
}

/** With fewer cells beside the path, the text goes below it. */
const MIN_TEXT = 24;

/** Path and text side by side; one below the other where a path is long or the terminal narrow. */
function placeLines(places: readonly PathText[], width: number, style: TerminalStyle): string[] {
  const drawn = places.map(({ path, text }) => ({
    path: style.paint.code(style.text(path)),
    text: style.text(text),
  }));
  const short = drawn.map(({ path }) => widthOf(path)).filter((cells) => cells + 2 + MIN_TEXT <= width);
  const column = Math.max(0, ...short) + 2;
  return drawn.flatMap(({ path, text }) =>
    widthOf(path) < column
      ? wrapped(text, width - column).map((line, index) => padded(index === 0 ? path : '', column) + line)
      : [...hanging(path, width), ...indented(wrapped(text, width - 2))],
  );
}

import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { TerminalStyle } from './pen.ts';

/** Cells on screen: wide characters count two, colours none. */
export const widthOf = (text: string): number => stringWidth(text);

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Words on as many lines as needed; a longer word is broken. */
export function wrapped(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: true }).split('\n');
}

/** At most `width` cells; a long path loses its middle, for its two ends say most. */
export function cutMiddle(text: string, width: number, pen: TerminalStyle): string {
  // A cut between an emoji and its modifier can make both wider than they were together: then less is kept.
  for (let room = width; room > 0; room--) {
    const cut = cliTruncate(text, room, { position: 'middle', truncationCharacter: pen.marks.cut });
    if (widthOf(cut) <= width) return cut;
  }
  return '';
}

/** Where the text of a labelled block begins; on a narrow screen the label has a line of its own. */
const LABEL_COLUMN = 11;
const NARROW = 60;

const gutterOf = (pen: TerminalStyle): number => (pen.columns < NARROW ? 4 : LABEL_COLUMN);

/** Cells that a labelled block leaves for its text. */
export const bodyWidth = (pen: TerminalStyle): number => pen.columns - gutterOf(pen);

/** Lines that already fit `bodyWidth`, beside their label. */
export function labelled(label: string, lines: readonly string[], pen: TerminalStyle): string[] {
  const gutter = ' '.repeat(gutterOf(pen));
  const indented = lines.map((line) => (line === '' ? '' : gutter + line));
  if (label === '' || lines.length === 0) return indented;
  if (pen.columns < NARROW) return [`  ${pen.paint.quiet(label)}`, ...indented];
  const first = `  ${pen.paint.quiet(label)}${' '.repeat(LABEL_COLUMN - 2 - label.length)}${lines[0]}`;
  return [first, ...indented.slice(1)];
}

/** Paragraphs wrapped into a labelled block. */
export function paragraphs(label: string, texts: readonly string[], pen: TerminalStyle): string[] {
  return labelled(
    label,
    texts.flatMap((text) => wrapped(text, bodyWidth(pen))),
    pen,
  );
}

export const indented = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { TerminalStyle } from './style.ts';

/** Cells on screen: wide characters count two, colours none. */
export const widthOf = (text: string): number => stringWidth(text);

export function padded(text: string, width: number, align?: 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** Words on as many lines as needed; a longer word is broken. */
export function wrapped(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: true }).split('\n');
}

/** Items with signs between them; a line ends between two items where that is possible. */
export function wrappedItems(items: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.length === 0 ? item : `${lines.at(-1)}${between}${item}`;
    if (lines.length > 0 && widthOf(line) <= width) lines[lines.length - 1] = line;
    else lines.push(item);
  }
  return lines.flatMap((line) => wrapped(line, width));
}

/** Wrapped; all lines but the first are indented. */
export function hanging(text: string, width: number): string[] {
  return wrapped(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}

/** At most `width` cells; a longer text loses its middle: both ends of a path tell most. */
export function cutMiddle(text: string, width: number, style: TerminalStyle): string {
  // A cut between an emoji and its modifier can make both wider than they were together, so less is kept then.
  for (let room = width; room > 0; room--) {
    const cut = cliTruncate(text, room, { position: 'middle', truncationCharacter: style.marks.cut });
    if (widthOf(cut) <= width) return cut;
  }
  return '';
}

/** Where the text of a labelled block begins; in a narrow terminal the label has a line of its own. */
const LABEL_COLUMN = 11;
const NARROW = 60;

const gutterOf = ({ columns }: TerminalStyle): number => (columns < NARROW ? 4 : LABEL_COLUMN);

/** Cells that a labelled block leaves for its text. */
export const bodyWidth = (style: TerminalStyle): number => style.columns - gutterOf(style);

/** Lines that already fit `bodyWidth`, beside their label. */
export function labelled(label: string, lines: readonly string[], style: TerminalStyle): string[] {
  const body = indented(lines, gutterOf(style));
  const head = `  ${style.paint.muted(label)}`;
  if (style.columns < NARROW) return [head, ...body];
  return body.map((line, index) =>
    index === 0 ? padded(head, LABEL_COLUMN) + line.slice(LABEL_COLUMN) : line,
  );
}

export const indented = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { TerminalStyle } from './style.ts';

const ESCAPE = '\u001b';
/** Letters of Latin, Greek and Cyrillic, signs, boxes and arrows: one cell each in every table of widths. */
const OTHERS = '\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0382\u0400-\u0482\u2010-\u2027\u2190-\u2318\u2500-\u25fc';
const USUAL = new RegExp(`^(?:[ -~${OTHERS}]|${ESCAPE}\\[[\\d;]*m)*$`);
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/** True if every character is one cell wide or part of a colour code. */
export const isUsual = (text: string): boolean => USUAL.test(text);

/** Width on screen in cells: wide characters count two, colour codes none. */
export const textWidth = (text: string): number =>
  isUsual(text) ? text.replace(COLOURS, '').length : stringWidth(text);

export function padded(text: string, width: number, align?: 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

export function wrapped(text: string, width: number): string[] {
  const most = Math.max(1, width);
  // A word may begin with a character that widens the previous one (a variation selector): then lines get less room.
  for (let room = most; ; room--) {
    const lines = wrapAnsi(text, room, { hard: true, trim: true }).split('\n');
    if (room === 1 || lines.every((line) => textWidth(line) <= most)) return lines;
  }
}

/** Joins items with a sign between them. Lines break between items if possible. */
export function wrappedItems(items: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.length === 0 ? item : `${lines.at(-1)}${between}${item}`;
    if (lines.length > 0 && textWidth(line) <= width) lines[lines.length - 1] = line;
    else lines.push(item);
  }
  return lines.flatMap((line) => wrapped(line, width));
}

export const hanging = (text: string, width: number): string[] =>
  wrapped(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));

/** Cuts a text to `width` cells by removing its middle: both ends of a path matter most. */
export function cutMiddle(text: string, width: number, { marks }: TerminalStyle): string {
  // A cut between an emoji and its modifier can make both wider than they were together, so the room shrinks.
  for (let room = width; room > 0; room--) {
    const cut = cliTruncate(text, room, { position: 'middle', truncationCharacter: marks.cut });
    if (textWidth(cut) <= width) return cut;
  }
  return '';
}

/**
 * Cuts names to `width` cells. If long names share steps of a path, these are cut first, so that different names stay
 * different. If cut names would become equal, all names stay whole.
 */
export function cutNames(names: readonly string[], width: number, style: TerminalStyle): string[] {
  const isLong = (name: string) => textWidth(name) > width;
  const [from, to] = commonSteps([...new Set(names.filter(isLong))]);
  const cut = names.map((name) => {
    if (!isLong(name)) return name;
    const shorter = from < to ? name.slice(0, from) + style.marks.cut + name.slice(to) : name;
    return cutMiddle(shorter, width, style);
  });
  return new Set(cut).size < new Set(names).size ? [...names] : cut;
}

/** Start and end of the common steps: behind the "$", and before a "." or "[". */
function commonSteps([first = '', ...others]: readonly string[]): [from: number, to: number] {
  const from = first.indexOf('$') + 1;
  if (others.length === 0 || from === 0) return [0, 0];
  let same = 0;
  while (same < first.length && others.every((other) => other[same] === first[same])) same += 1;
  const common = first.slice(0, same);
  return [from, Math.max(common.lastIndexOf('.'), common.lastIndexOf('['))];
}

/** Column of the text in a labelled block. On a narrow terminal the label has a separate line. */
const LABEL_COLUMN = 11;
const NARROW = 60;

const gutterWidth = ({ columns }: TerminalStyle): number => (columns < NARROW ? 4 : LABEL_COLUMN);

export const bodyWidth = (style: TerminalStyle): number => style.columns - gutterWidth(style);

/** Puts a label next to lines that already fit `bodyWidth`. */
export function labelled(label: string, lines: readonly string[], style: TerminalStyle): string[] {
  const body = indented(lines, gutterWidth(style));
  const head = `  ${style.paint.muted(label)}`;
  if (style.columns < NARROW) return [head, ...body];
  return body.map((line, index) =>
    index === 0 ? padded(head, LABEL_COLUMN) + line.slice(LABEL_COLUMN) : line,
  );
}

export const indented = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

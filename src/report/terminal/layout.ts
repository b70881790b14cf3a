/** Output style for a terminal (escaping, colours, signs), and texts in lines of limited width. */
import { Chalk } from 'chalk';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { markOf, type Sentence, SIGNS, type Sign, type Span, type Tone } from '../words.ts';

type Marks = Record<'between' | 'cut', string> & { tone: Record<Tone, string>; sign: Record<Sign, string> };

const UNICODE: Marks = {
  tone: { good: '●', fair: '▲', poor: '▲', bad: '✖', muted: '·' },
  sign: SIGNS,
  ...{ between: ' · ', cut: '…' },
};

const ASCII: Marks = {
  tone: { good: '+', fair: '!', poor: '!', bad: 'x', muted: '-' },
  sign: { faster: '+', slower: 'x', same: '=', unsure: '?' },
  ...{ between: ', ', cut: '...' },
};

/** ASCII forms of the signs in the reporters' texts; any other sign becomes a visible escape. */
const PLAIN: Record<string, string> = {
  ...{ µ: 'u', '×': 'x', '–': '-', '—': '-', '’': "'", '‘': "'" },
  ...{ '“': '"', '”': '"', '…': '...', '→': '->', '·': ',', ' ·': ',' },
};

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

export type TerminalStyle = ReturnType<typeof terminalStyle>;

export function terminalStyle(options: RenderOptions) {
  const { color, unicode } = options;
  const plain = (text: string) =>
    unicode ? text : text.replace(/ ·(?= )|[µ×–—’‘“”…→·]/g, (sign) => PLAIN[sign] ?? sign);
  const text = (text: string) => visible(plain(text), !unicode);
  const [paint, marks] = [choosePalette(color), unicode ? UNICODE : ASCII];
  const span = (span: Span) => {
    if (typeof span === 'string') return text(span);
    const mark = markOf(span, marks.tone, marks.sign);
    const shown = mark === undefined ? text(span.text) : `${mark} ${text(span.text)}`;
    if (span.code) return paint.code(shown);
    if (span.strong) return paint.title(shown);
    return span.tone ? paint[span.tone](shown) : shown;
  };
  return {
    ...{ ...options, paint, marks, text, span },
    lines: (text: string) => visibleLines(plain(text), !unicode),
    sentence: (sentence: Sentence) => sentence.map(span).join(''),
  };
}

const ESCAPE = '\u001b';
/** Letters of Latin, Greek and Cyrillic, signs, boxes and arrows: one cell wide each in every table of widths. */
const OTHERS = '\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0382\u0400-\u0482\u2010-\u2027\u2190-\u2318\u2500-\u25fc';
const USUAL = new RegExp(`^(?:[ -~${OTHERS}]|${ESCAPE}\\[[\\d;]*m)*$`);
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

export const isUsual = (text: string): boolean => USUAL.test(text);

/** Width on screen in cells: wide characters count two, colour codes none. */
export const textWidth = (text: string): number =>
  isUsual(text) ? text.replace(COLOURS, '').length : stringWidth(text);

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - textWidth(text)));

export function wrapped(text: string, width: number): string[] {
  const most = Math.max(1, width);
  // A word may begin with a character that widens the previous one (a variation selector): then lines get less room.
  for (let room = most; ; room--) {
    const lines = wrapAnsi(text, room, { hard: true, trim: true }).split('\n');
    if (room === 1 || lines.every((line) => textWidth(line) <= most)) return lines;
  }
}

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

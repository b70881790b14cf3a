import type { Cell, Column } from '../columns.ts';
import { reference, visible, visibleLines } from '../text/escape.ts';
import { flat, type Parts, type Sentence, SIGNS, type Span, type StyledText, type Tone } from '../words.ts';

/** Markup that is put into the page unchanged. `html` alone makes it, so every text in it was escaped. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Leaf = Markup | string | number;
export type Piece = Parts<Leaf>;

const leafText = (leaf: Leaf): string =>
  leaf instanceof Markup ? leaf.source : visible(String(leaf)).replace(/[&<>"']/g, reference);

const markupText = (piece: Piece): string => flat<Leaf>(piece).map(leafText).join('');

/** Escapes all values except other markup. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup =>
  new Markup(strings.reduce((text, string, index) => text + markupText(pieces[index - 1]) + string));

/**
 * JSON for a script element of type application/json. It lacks the characters that HTML and XML look for, so a key like
 * "</script>" does not end the element. JSON.parse gives the same value.
 */
export const dataBlock = (json: string): Markup =>
  new Markup(json.replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));

export const lineMarkup = (text: string): Markup[] =>
  visibleLines(text).map((line, index) => (index === 0 ? html`${line}` : html`\n${line}`));

/** Signs of tones: colour must not be the only carrier of a meaning. */
const TONE_SIGNS: Record<Tone, string> = { good: '●', fair: '▲', poor: '▼', bad: '✖', muted: '·' };

export function toneSign({ marked, tone = 'muted' }: StyledText): string {
  if (marked === undefined) return '';
  return marked === true ? TONE_SIGNS[tone] : SIGNS[marked];
}

export function spanMarkup(span: Span): Markup {
  if (typeof span === 'string') return html`${span}`;
  const { tone } = span;
  const text = [toneSign(span), span.text].filter((part) => part !== '').join(' ');
  const plain = span.code ? html`<code>${breakable(text)}</code>` : html`${text}`;
  const shown = span.strong ? html`<strong>${plain}</strong>` : plain;
  return tone === undefined ? shown : html`<span class="${tone}">${shown}</span>`;
}

/** Maximum length of an unbroken text: a longer text would make a column too wide for a phone. */
const MAX_UNBROKEN = 24;
const IN_PATH = /(?=[.[{(…])|(?<=[\])}])/;
const IN_NAME = /(?<=[/\\#])/;

/** Allows line breaks at the steps of a path or name: before `.` and `[` of a path, after `/` and `#` of a name. */
export function breakable(text: string): Piece {
  const shown = visible(text);
  const steps = shown.split(shown.startsWith('$') ? IN_PATH : IN_NAME);
  const parts = steps.flatMap((step) => (/^[ -~]*$/.test(step) ? (step.match(LONG) ?? []) : step));
  return parts.map((part, index) => (index === 0 ? part : html`<wbr/>${part}`));
}

const LONG = new RegExp(`.{1,${MAX_UNBROKEN}}`, 'g');

export const sentenceMarkup = (sentence: Sentence): Piece => sentence.map(spanMarkup);

const isDrawing = (cell: Cell): cell is Exclude<Cell, Span> => typeof cell === 'object' && !('text' in cell);

interface TableStyle {
  /** Targets of the links on the names of the rows. */
  anchors?: readonly string[];
  /** For rows of few facts: a phone shows them in lines, with their names. The caption is for screen readers alone. */
  inLines?: true;
}

/** Table whose first column names the rows. Bars and distributions are left to charts: numbers next to them say the same. */
export function table(
  caption: string,
  all: readonly Column[],
  { anchors = [], inLines }: TableStyle = {},
): Markup {
  const columns = all.filter(({ cells }) => !cells.some(isDrawing));
  const [names, ...others] = columns;
  const cell = ({ head, cells }: Column, row: number) => {
    const content = cellMarkup(cells[row] ?? '');
    // The blank separates facts that are shown in lines.
    return inLines ? html` <td data-head="${head}">${content}</td>` : html`<td>${content}</td>`;
  };
  const rows = (names?.cells ?? []).map(
    (name, row) =>
      html`<tr><th scope="row">${linked(cellMarkup(name), anchors[row])}</th>${others.map((column) => cell(column, row))}</tr>`,
  );
  const right = columns.flatMap(({ align }, index) => (align === 'right' ? `r${index + 1}` : []));
  const classes = [...(inLines ? ['in-lines'] : []), ...right];
  const hasHeads = columns.some(({ head }) => head !== '');
  const heads = hasHeads && html`<thead><tr>${columns.map(headMarkup)}</tr></thead>`;
  const named = classes.length > 0 && html` class="${classes.join(' ')}"`;
  // Wider than a phone, it scrolls sideways, also by keyboard.
  return html`<div class="scroll" tabindex="0"><table${named}><caption>${caption}</caption>${heads}<tbody>${rows}</tbody></table></div>
`;
}

const linked = (content: Markup, anchor: string | undefined): Markup =>
  anchor === undefined ? content : html`<a href="#${anchor}">${content}</a>`;

const headMarkup = ({ head }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`;

const cellMarkup = (cell: Cell): Markup => (isDrawing(cell) ? html`` : spanMarkup(cell));

import type { Sentence, Sign, Span, StyledText, Tone } from '../../section/model/sentence.ts';
import { reference, visible, visibleLines } from '../../text/escape.ts';

/** Markup that is put into the page unchanged: only `html` makes it, so every text in it was escaped. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type Piece = Markup | string | number | null | readonly Piece[];

function markupText(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Markup) return piece.source;
  if (Array.isArray(piece)) return piece.map(markupText).join('');
  return visible(String(piece)).replace(/[&<>"']/g, reference);
}

/** Escapes all values but other markup. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(
    strings.reduce((text, string, index) => text + markupText(pieces[index - 1] ?? null) + string),
  );
}

/**
 * JSON for a script element of type application/json. It holds no character that HTML or XML looks for, so a key like
 * "</script>" does not end the element; JSON.parse gives the same value.
 */
export function dataBlock(json: string): Markup {
  return new Markup(
    json.replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Text of several lines, for `pre`. */
export const lines = (text: string): Markup[] =>
  visibleLines(text.trimEnd()).map((line, index) => html`${index === 0 ? '' : LINE_END}${line}`);

const LINE_END = new Markup('\n');

/** No meaning rests on a colour alone. */
const TONE_SIGNS: Record<Tone, string> = { good: '●', fair: '▲', poor: '▼', bad: '✖', muted: '·' };
const SIGNS: Record<Sign, string> = { faster: '✓', slower: '✗', same: '=', unsure: '?' };

/** "" where the text has no sign. */
export function signOf({ marked, tone = 'muted' }: StyledText): string {
  if (marked === undefined) return '';
  return marked === true ? TONE_SIGNS[tone] : SIGNS[marked];
}

export function spanMarkup(span: Span): Markup {
  if (typeof span === 'string') return html`${span}`;
  const { tone } = span;
  const text = [signOf(span), span.text].filter((part) => part !== '').join(' ');
  const shown = span.code ? html`<code>${text}</code>` : html`${text}`;
  return tone === undefined ? shown : html`<span class="${tone}">${shown}</span>`;
}

export const sentenceMarkup = (sentence: Sentence): Piece => sentence.map(spanMarkup);

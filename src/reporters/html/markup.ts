import { visible, visibleLines } from '../escape.ts';

/** Markup that may stand in the page as it is: made by `html` only, so every text in it was escaped. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type Piece = Markup | string | number | null | readonly Piece[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function sourceOf(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Markup) return piece.source;
  if (Array.isArray(piece)) return piece.map(sourceOf).join('');
  return visible(String(piece)).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Escapes all that is put in, other markup excepted. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(
    strings.reduce((text, string, index) => text + sourceOf(pieces[index - 1] ?? null) + string),
  );
}

/**
 * JSON for a script element of type application/json. No sign that HTML or XML looks for is left in it, so that a key
 * like "</script>" ends nothing; JSON.parse gives the same value.
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

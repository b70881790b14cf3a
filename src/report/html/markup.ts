/** Writes texts, tables and the nodes of a printed document as HTML. */

import { fileNameOf } from '../../model/report/recipe.ts';
import { type Chart, type Column, drawn, type Format, type Node, type Table } from '../doc.ts';
import { reference, visible, visibleLines } from '../text/escape.ts';
import { neighbours } from '../text/groups.ts';
import { flat, markOf, type Parts, plainText, type Sentence, type Span, type Tone } from '../words.ts';

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

/** The same JSON without the characters that HTML and XML look for, so a key like "</script>" does not end its element. */
export const dataBlock = (json: string): Markup =>
  new Markup(json.replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));

const lineMarkup = (text: string): Markup[] =>
  visibleLines(text).map((line, index) => (index === 0 ? html`${line}` : html`\n${line}`));

/** Signs of tones: colour must not be the only carrier of a meaning. */
export const TONE_SIGNS: Record<Tone, string> = { good: '●', fair: '▲', poor: '▼', bad: '✖', muted: '·' };

function spanMarkup(span: Span): Markup {
  if (typeof span === 'string') return html`${span}`;
  const { tone } = span;
  const text = [markOf(span, TONE_SIGNS), span.text].filter(Boolean).join(' ');
  const plain = span.code ? html`<code>${text}</code>` : html`${text}`;
  const shown = span.strong ? html`<strong>${plain}</strong>` : plain;
  return tone === undefined ? shown : html`<span class="${tone}">${shown}</span>`;
}

export const sentenceMarkup = (sentence: Sentence): Piece => sentence.map(spanMarkup);

/**
 * The first column names the rows. A phone shows the others in lines, with their names. The caption is for screen
 * readers alone.
 */
export function tableMarkup({ title, columns: all, anchors = [] }: Omit<Table, 'type'>): Markup {
  const columns = all.filter(({ isDrawn }) => !isDrawn);
  const [names, ...others] = columns;
  // The blank separates facts that are shown in lines.
  const cell = ({ head, cells }: Column, row: number) =>
    html` <td data-head="${head}">${spanMarkup(cells[row] ?? '')}</td>`;
  const rows = (names?.cells ?? []).map(
    (name, row) =>
      html`<tr><th scope="row">${linked(spanMarkup(name), anchors[row])}</th>${others.map((column) => cell(column, row))}</tr>`,
  );
  const right = columns.flatMap(({ align }, index) => (align === 'right' ? `r${index + 1}` : []));
  const hasHeads = columns.some(({ head }) => head !== '');
  const heads = hasHeads && html`<thead><tr>${columns.map(headMarkup)}</tr></thead>`;
  const named = right.length > 0 && html` class="${right.join(' ')}"`;
  // Wider than a phone, it scrolls sideways, also by keyboard.
  return html`<div class="scroll" tabindex="0"><table${named}><caption>${title}</caption>${heads}<tbody>${rows}</tbody></table></div>
`;
}

const linked = (content: Piece, anchor: string | undefined): Piece =>
  anchor === undefined ? content : html`<a href="#${anchor}">${content}</a>`;

const headMarkup = ({ head }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`;

interface Drawing {
  /** Subject of the nodes, for the names of buttons and charts. */
  of: string;
  /** Draws a chart, or its table. @param of prefix for the titles of its folds */
  draw: (chart: Chart, of: string) => Markup;
}

/** Adjacent charts are put side by side, and adjacent items into one list. */
export function nodesMarkup(nodes: readonly Node[], drawing: Drawing): Piece {
  const isJoined = (a: Node, b: Node) => a.type === b.type && (a.type === 'chart' || a.type === 'item');
  return neighbours(nodes, isJoined).map((group) => {
    const pieces = group.map((node) => drawn(HTML, node, drawing));
    if (group[0].type === 'item')
      return html`<dl class="prose">${pieces}</dl>
`;
    return group.length > 1 ? html`<div class="charts">${pieces}</div>` : pieces;
  });
}

const HTML: Format<Drawing, Piece> = {
  section: ({ anchor, body }, drawing) => html`<section class="payload"${anchor && html` id="${anchor}"`}>
${nodesMarkup(body, { ...drawing, of: subjectOf(body) ?? drawing.of })}</section>
`,
  block: ({ body }, drawing) => html`<div class="block">${nodesMarkup(body, drawing)}</div>
`,
  fold: ({ of, title, body, isAsked }, drawing) => {
    const name = [of !== null && `${of}: `, sentenceMarkup(title)];
    return html`<details${isAsked && html` open=""`}><summary>${name}</summary>${nodesMarkup(body, { ...drawing, of: of ?? drawing.of })}</details>
`;
  },
  heading: ({ level, text, facts }) => {
    const below = facts.length > 0 && html`<p class="muted">${factsMarkup(facts)}</p>\n`;
    const title = sentenceMarkup(text);
    return level === 2 ? html`<h2>${title}</h2>\n${below}` : html`<h3>${title}</h3>\n${below}`;
  },
  text: ({ text, tone }) => html`<p${tone && html` class="${tone}"`}>${sentenceMarkup(text)}</p>`,
  facts: ({ facts }) => html`<p>${factsMarkup(facts)}</p>`,
  list: ({
    items,
  }) => html`<ul class="prose">${items.map((one) => html`<li>${sentenceMarkup(one)}</li>`)}</ul>
`,
  alert: ({ text, tone }) => {
    const lines = text.map((span) => (typeof span === 'string' ? lineMarkup(span) : spanMarkup(span)));
    return html`<p class="alert"><strong class="${tone}">${TONE_SIGNS[tone]}</strong> ${lines}</p>`;
  },
  item: ({ label, tone, sentences }) => {
    const shown = tone && html` class="${tone === 'muted' ? '' : 'strong '}${tone}"`;
    return html`<dt>${label}</dt><dd${shown}>${sentences.map((one) => html`<p>${sentenceMarkup(one)}</p>`)}</dd>`;
  },
  table: tableMarkup,
  code: ({ text, language }, { of }) =>
    html`<pre class="copied" data-file="${fileNameOf(of)}.${language === 'ts' ? 'codec.ts' : language}"><code>${lineMarkup(text.trimEnd())}</code></pre>
`,
  chart: ({ chart }, { of, draw }) => draw(chart, of),
};

/** Subject of a section: its folds and its heading name it. */
function subjectOf(body: readonly Node[]): string | null {
  const folded = body.find(({ type }) => type === 'fold');
  if (folded?.type === 'fold' && folded.of !== null) return folded.of;
  const head = body.find(({ type }) => type === 'heading');
  if (head?.type !== 'heading') return null;
  return plainText(head.text);
}

const factsMarkup = (facts: Sentence): Piece => facts.map((fact, at) => [at > 0 && ' · ', spanMarkup(fact)]);

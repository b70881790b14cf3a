/** Writes the nodes of a printed document as HTML. */
import { fileNameOf } from '../../model/report/file-name.ts';
import type { Chart } from '../charts.ts';
import { drawn, type Format, type Item, type Node, type NodeOf, type Table } from '../doc.ts';
import { plainText, type Sentence } from '../words.ts';
import {
  breakable,
  html,
  lineMarkup,
  type Markup,
  type Piece,
  sentenceMarkup,
  spanMarkup,
  table,
  toneSign,
} from './markup.ts';

export interface Drawing {
  /** Subject of the nodes, for the names of buttons and charts. */
  of: string;
  /** Draws a chart, or its table. @param of prefix for the titles of its folds */
  draw: (chart: Chart, of: string) => Markup;
}

/** Adjacent charts are put side by side, and adjacent items into one list. */
export function nodesMarkup(nodes: readonly Node[], drawing: Drawing): Piece {
  const groups: Node[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    const isGrouped = node.type === 'chart' || node.type === 'item';
    if (isGrouped && last?.[0]?.type === node.type) last.push(node);
    else groups.push([node]);
  }
  return groups.map((group) => {
    const pieces = group.map((node) => drawn(HTML, node, drawing));
    if (group[0]?.type === 'item')
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
  fold: foldMarkup,
  // The page's script sorts it.
  contents: ({ table: own }) => html`<nav aria-label="Payloads" id="index">${tableMarkup(own)}</nav>
`,
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
    return html`<p class="alert"><strong class="${tone}">${toneSign({ text: '', tone, marked: true })}</strong> ${lines}</p>`;
  },
  item: itemMarkup,
  table: (node) => tableMarkup(node),
  // The page's script adds a button to copy the code, and a button to download it.
  code: ({ text, language }, { of }) =>
    html`<pre class="copied" data-file="${fileNameOf(of)}.${language === 'ts' ? 'codec.ts' : language}"><code>${lineMarkup(text.trimEnd())}</code></pre>
`,
  chart: ({ chart }, { of, draw }) => draw(chart, of),
};

const tableMarkup = ({ title, columns, anchors = [] }: Table): Markup =>
  table(title, columns, { inLines: true, anchors });

/** Subject of a section: its folds and its heading name it. */
function subjectOf(body: readonly Node[]): string | null {
  const folded = body.find(({ type }) => type === 'fold');
  if (folded?.type === 'fold' && folded.of !== null) return folded.of;
  const head = body.find(({ type }) => type === 'heading');
  if (head?.type !== 'heading') return null;
  return plainText(head.text);
}

const factsMarkup = (facts: Sentence): Piece => facts.map((fact, at) => [at > 0 && ' · ', spanMarkup(fact)]);

function foldMarkup({ of, title, body, isAsked }: NodeOf<'fold'>, drawing: Drawing): Markup {
  const name = [of !== null && `${of}: `, sentenceMarkup(title)];
  return html`<details${isAsked && html` open=""`}><summary>${name}</summary>${nodesMarkup(body, { ...drawing, of: of ?? drawing.of })}</details>
`;
}

function itemMarkup(item: Item): Markup {
  const { label, tone, sentences = [], explanations = [] } = item;
  const places = (item.places ?? []).map(
    ({ path, text }) => html`<li><code>${breakable(path)}</code> ${text}</li>`,
  );
  const content: Piece = [
    places.length > 0 && html`<ul>${places}</ul>`,
    sentences.map((sentence, index) => [index > 0 && ' ', sentenceMarkup(sentence)]),
    explanations.map(
      ({ rule, text, source }) => html`<p class="muted">${text} <small>Rule ${rule}: ${source}</small></p>`,
    ),
  ];
  return html`<dt>${label}</dt><dd${tone && html` class="${tone === 'muted' ? '' : 'strong '}${tone}"`}>${content}</dd>`;
}

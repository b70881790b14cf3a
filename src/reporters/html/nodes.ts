/** Writes the nodes of a printed document as HTML. */
import { fileNameOf } from '../../model/report/file-name.ts';
import type { Item, Node, Table } from '../doc.ts';
import type { Chart } from '../section/model/charts.ts';
import type { Span } from '../section/model/sentence.ts';
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
} from './markup/markup.ts';

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
  return groups.map((group) => groupMarkup(group, drawing));
}

function groupMarkup(group: readonly Node[], { of, draw }: Drawing): Piece {
  const items = group.flatMap((node) => (node.type === 'item' ? [itemMarkup(node)] : []));
  if (items.length > 0)
    return html`<dl class="prose">${items}</dl>
`;
  const charts = group.flatMap((node) => (node.type === 'chart' ? draw(node.chart, of) : []));
  const [only, ...others] = charts;
  if (only === undefined) return group.map((node) => nodeMarkup(node, { of, draw }));
  return others.length === 0 ? only : html`<div class="charts">${charts}</div>`;
}

type Single = Exclude<Node, { type: 'item' | 'chart' }>;

function nodeMarkup(node: Node, drawing: Drawing): Piece {
  switch (node.type) {
    case 'item':
    case 'chart':
      return groupMarkup([node], drawing);
    case 'section':
      return html`<section class="payload"${node.anchor === undefined ? null : html` id="${node.anchor}"`}>
${nodesMarkup(node.body, { ...drawing, of: subjectOf(node.body) ?? drawing.of })}</section>
`;
    case 'block':
      return html`<div class="block">${nodesMarkup(node.body, drawing)}</div>
`;
    case 'fold':
      return foldMarkup(node, drawing);
    case 'contents':
      // The page's script sorts it.
      return html`<nav aria-label="Payloads" id="index">${tableMarkup(node.table)}</nav>
`;
    default:
      return leafMarkup(node, drawing.of);
  }
}

type Leaf = Exclude<Single, { type: 'section' | 'block' | 'fold' | 'contents' }>;

function leafMarkup(node: Leaf, of: string): Piece {
  switch (node.type) {
    case 'heading': {
      const below = node.facts.length === 0 ? null : html`<p class="muted">${factsMarkup(node.facts)}</p>\n`;
      const title = sentenceMarkup(node.text);
      return node.level === 2 ? html`<h2>${title}</h2>\n${below}` : html`<h3>${title}</h3>\n${below}`;
    }
    case 'text':
      return html`<p${node.tone === undefined ? null : html` class="${node.tone}"`}>${sentenceMarkup(node.text)}</p>`;
    case 'facts':
      return html`<p>${factsMarkup(node.facts)}</p>`;
    case 'list':
      return html`<ul class="prose">${node.items.map((one) => html`<li>${sentenceMarkup(one)}</li>`)}</ul>
`;
    case 'alert': {
      const text = node.text.map((span) => (typeof span === 'string' ? lineMarkup(span) : spanMarkup(span)));
      return html`<p class="alert"><strong class="${node.tone}">${toneSign({ text: '', tone: node.tone, marked: true })}</strong> ${text}</p>`;
    }
    case 'table':
      return tableMarkup(node);
    case 'code':
      return codeBlock(node.text, of, node.language);
  }
}

const tableMarkup = ({ title, columns, anchors = [] }: Table): Markup =>
  table(title, columns, { inLines: true, anchors });

/** Subject of a section: its folds and its heading name it. */
function subjectOf(body: readonly Node[]): string | null {
  const folded = body.find(({ type }) => type === 'fold');
  if (folded?.type === 'fold' && folded.of !== null) return folded.of;
  const head = body.find(({ type }) => type === 'heading');
  if (head?.type !== 'heading') return null;
  return head.text.map((span) => (typeof span === 'string' ? span : span.text)).join('');
}

const factsMarkup = (facts: readonly Span[]): Piece =>
  facts.map((fact, at) => [at === 0 ? '' : ' · ', spanMarkup(fact)]);

function foldMarkup({ of, title, body, isAsked }: Extract<Node, { type: 'fold' }>, drawing: Drawing): Markup {
  const name = [of === null ? null : html`${of}: `, sentenceMarkup(title)];
  return html`<details${isAsked ? html` open=""` : null}><summary>${name}</summary>${nodesMarkup(body, { ...drawing, of: of ?? drawing.of })}</details>
`;
}

function itemMarkup(item: Item): Markup {
  const { label, tone, sentences = [], explanations = [] } = item;
  const places = (item.places ?? []).map(
    ({ path, text }) => html`<li><code>${breakable(path)}</code> ${text}</li>`,
  );
  const content: Piece = [
    places.length === 0 ? null : html`<ul>${places}</ul>`,
    sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceMarkup(sentence)]),
    explanations.map(
      ({ rule, text, source }) => html`<p class="muted">${text} <small>Rule ${rule}: ${source}</small></p>`,
    ),
  ];
  return html`<dt>${label}</dt><dd${tone === undefined ? null : html` class="${tone === 'muted' ? '' : 'strong '}${tone}"`}>${content}</dd>`;
}

/** Code block. The page's script adds a button to copy the code, and a button to download it. */
export const codeBlock = (text: string, of: string, language: 'js' | 'sh' | 'ts'): Markup =>
  html`<pre class="copied" data-file="${fileNameOf(of)}.${language === 'ts' ? 'codec.ts' : language}"><code>${lineMarkup(text.trimEnd())}</code></pre>
`;

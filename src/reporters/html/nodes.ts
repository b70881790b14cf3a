/** Nodes of a document in a page. */
import type { Node } from '../doc.ts';
import {
  html,
  lineMarkup,
  type Markup,
  type Piece,
  sentenceMarkup,
  spanMarkup,
  table,
  toneSign,
} from './markup/markup.ts';

/** @param of subject of the nodes, for the names of buttons */
export const nodesMarkup = (nodes: readonly Node[], of: string): Piece =>
  nodes.map((node) => nodeMarkup(node, of));

function nodeMarkup(node: Node, of: string): Markup {
  switch (node.type) {
    case 'heading': {
      const facts = node.facts.map((fact, at) => [at === 0 ? '' : ' · ', spanMarkup(fact)]);
      const below = facts.length === 0 ? null : html`<p class="muted">${facts}</p>\n`;
      const title = sentenceMarkup(node.text);
      return node.level === 2 ? html`<h2>${title}</h2>\n${below}` : html`<h3>${title}</h3>\n${below}`;
    }
    case 'block':
      return html`<div class="block">${nodesMarkup(node.body, of)}</div>
`;
    case 'text':
      return html`<p${node.tone === undefined ? null : html` class="${node.tone}"`}>${sentenceMarkup(node.text)}</p>`;
    case 'facts':
      return html`<p>${node.facts.map((fact, at) => [at === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
    case 'alert': {
      const text = node.text.map((span) => (typeof span === 'string' ? lineMarkup(span) : spanMarkup(span)));
      return html`<p class="alert"><strong class="${node.tone}">${toneSign({ text: '', tone: node.tone, marked: true })}</strong> ${text}</p>`;
    }
    case 'table':
      return table(node.title, node.columns, { inLines: true });
    case 'code':
      return codeBlock(node.text, of, node.language);
  }
}

/** The script of a page puts buttons there: one that copies, one that downloads. */
export const codeBlock = (text: string, of: string, extension: string): Markup =>
  html`<pre class="copied" data-file="${fileName(of)}.${extension}"><code>${lineMarkup(text.trimEnd())}</code></pre>
`;

const fileName = (of: string): string => of.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-$/g, '') || 'code';

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

export const nodesMarkup = (nodes: readonly Node[]): Piece => nodes.map(nodeMarkup);

function nodeMarkup(node: Node): Markup {
  switch (node.type) {
    case 'heading': {
      const facts = node.facts.map((fact) => html` <span class="muted">· ${spanMarkup(fact)}</span>`);
      const title = html`${sentenceMarkup(node.text)}<small>${facts}</small>`;
      return node.level === 2 ? html`<h2>${title}</h2>\n` : html`<h3>${title}</h3>\n`;
    }
    case 'block':
      return html`<div class="block">${nodesMarkup(node.body)}</div>
`;
    case 'text':
      return html`<p class="${node.tone ?? 'text'}">${sentenceMarkup(node.text)}</p>`;
    case 'facts':
      return html`<p>${node.facts.map((fact, at) => [at === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
    case 'alert':
      return html`<p class="${node.tone}">${toneSign({ text: '', tone: node.tone, marked: true })} ${sentenceMarkup(node.text)}</p>`;
    case 'table':
      return table(node.title, node.columns);
    case 'code':
      return html`<pre class="copied"><code>${lineMarkup(node.text)}</code></pre>
`;
  }
}

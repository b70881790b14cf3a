import { type Figure, type FigurePart, figureTitle } from '../section/model.ts';
import { chartMarkup } from './charts/charts.ts';
import { distributionDrawing } from './drawings.ts';
import { html, type Piece, sentenceMarkup, spanMarkup } from './markup.ts';
import { table } from './table.ts';

/** The title is the caption of the table; without a table it is a heading. */
export function figureMarkup(figure: Figure): Piece {
  const title = figureTitle(figure);
  const hasTable = figure.parts.some(({ type }) => type === 'table');
  return [hasTable ? null : html`<h4>${title}</h4>`, figure.parts.map((part) => partMarkup(part, title))];
}

function partMarkup(part: FigurePart, title: string): Piece {
  switch (part.type) {
    case 'table':
      return table(title, part.columns);
    case 'distribution':
      return html`<figure>${distributionDrawing(part.distribution)}</figure>`;
    case 'chart':
      return chartMarkup(part.chart);
    case 'facts':
      return html`<p>${part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
    case 'list':
      return html`<ul class="prose">${part.items.map((item) => html`<li>${sentenceMarkup(item)}</li>`)}</ul>`;
  }
}

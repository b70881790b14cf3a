import type { Chart } from '../section/model/charts.ts';
import { type Figure, type FigurePart, figureTitle } from '../section/model/model.ts';
import { chartMarkup } from './charts.ts';
import { html, type Markup, type Piece, sentenceMarkup, spanMarkup } from './markup/markup.ts';
import { table } from './markup/table.ts';

/** What a reader looks at first, last; all others follow in their order. */
const FIRST: readonly Chart['kind'][] = ['forest', 'icicle'];

/** All charts of these figures, which are shown at once. */
export function chartsMarkup(figures: readonly Figure[]): Piece {
  const charts = figures
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'chart' ? part.chart : []))
    .sort((a, b) => FIRST.indexOf(b.kind) - FIRST.indexOf(a.kind));
  return charts.length === 0
    ? null
    : html`<div class="charts">${charts.map(chartMarkup)}</div>
`;
}

/** All else of a figure, folded; null where there is nothing else. */
export function foldedFigure(figure: Figure): Markup | null {
  const title = figureTitle(figure);
  const parts = figure.parts.map((part) => partMarkup(part, title)).filter((part) => part !== null);
  return parts.length === 0
    ? null
    : html`<details><summary>${title}</summary>${parts}</details>
`;
}

function partMarkup(part: FigurePart, title: string): Markup | null {
  switch (part.type) {
    case 'table':
      return table(title, part.columns);
    case 'facts':
      return html`<p>${part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
    case 'list':
      return html`<ul class="prose">${part.items.map((item) => html`<li>${sentenceMarkup(item)}</li>`)}</ul>`;
    // Charts are shown before; one of them is the distribution.
    case 'chart':
    case 'distribution':
      return null;
  }
}

/** The list of contents of a page, with the next step for each payload. Gains and times stand in the sections. */
import type { Overview } from '../section/model/overview.ts';
import { breakable, html, type Markup, scrolling, spanMarkup } from './markup/markup.ts';

type Row = Overview['rows'][number];

export function contentsMarkup({ runtimes, rows }: Overview): Markup {
  const caption = `${rows.length} payloads on ${runtimes.length} ${runtimes.length === 1 ? 'runtime' : 'runtimes'}`;
  const heads = runtimes.map((name) => html`<th scope="col" class="runtime">${name}</th>`);
  return html`<nav aria-label="Payloads" id="index">${scrolling(
    html`<table class="contents"><caption>${caption}</caption><thead><tr><th scope="col" data-sort="name">payload</th><th scope="col" class="right" data-sort="cost" aria-sort="descending">a message, slowest</th>${heads}</tr></thead><tbody>${rows.map((row) => rowMarkup(row, runtimes))}</tbody></table>`,
  )}</nav>
`;
}

const rowMarkup = ({ name, anchor, cost, costText, cells }: Row, runtimes: readonly string[]): Markup =>
  html`<tr data-cost="${cost ?? -1}"><th scope="row"><a href="#${anchor}">${breakable(name)}</a></th><td class="right">${costText}</td>${cells.map((cell, at) => (cell === null ? html`<td class="none">–</td>` : html`<td data-on="${runtimes[at] ?? ''}">${spanMarkup(cell)}</td>`))}</tr>`;

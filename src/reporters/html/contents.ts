/** The list of contents of a page, with the next step for each payload. Gains and times stand in the sections. */
import type { AnswerRow, Overview } from '../section/model/answer-row.ts';
import { breakable, html, type Markup, scrolling, toneSign } from './markup/markup.ts';

export function contentsMarkup({ runtimes, rows }: Overview): Markup {
  const caption = `${rows.length} payloads on ${runtimes.length} ${runtimes.length === 1 ? 'runtime' : 'runtimes'}`;
  const heads = runtimes.map((name) => html`<th scope="col" class="runtime">${name}</th>`);
  return html`<nav aria-label="Payloads" id="index">${scrolling(
    html`<table class="contents"><caption>${caption}</caption><thead><tr><th scope="col" data-sort="name">payload</th><th scope="col" class="right" data-sort="cost" aria-sort="descending">a message, slowest</th>${heads}</tr></thead><tbody>${rows.map(rowMarkup)}</tbody></table>`,
  )}</nav>
`;
}

const rowMarkup = ({ name, anchor, cost, costText, cells }: Overview['rows'][number]): Markup =>
  html`<tr data-cost="${cost ?? -1}"><th scope="row"><a href="#${anchor}">${breakable(name)}</a></th><td class="right">${costText}</td>${cells.map(cellMarkup)}</tr>`;

/** Colours mark failures and gains only. */
function cellMarkup(answer: AnswerRow | null): Markup {
  if (answer === null) return html`<td class="none">–</td>`;
  const { status, runtime, certainty, isRewrite, advice } = answer;
  const on = runtime ?? '';
  if (status.tone === 'bad') {
    return html`<td data-on="${on}"><span class="bad">${toneSign(status)} ${status.text}</span> ${advice}</td>`;
  }
  if (certainty === 'unsure') return html`<td data-on="${on}">? ${advice}</td>`;
  return isRewrite
    ? html`<td data-on="${on}"><span class="good">✓ ${advice}</span></td>`
    : html`<td data-on="${on}">${advice || status.text}</td>`;
}

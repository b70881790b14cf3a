/** The index of a page: a heat table of payloads and runtimes. */
import { type AnswerRow, adviceWithGain } from '../section/advice/answers.ts';
import type { Overview, OverviewRow } from '../section/overview.ts';
import { html, type Markup, signOf } from './markup/markup.ts';
import { scrolling } from './markup/table.ts';

/** Where the section of a payload is, by its place in the report. */
export const anchorOf = (place: number): string => `payload-${place + 1}`;

export function overviewMarkup({ runtimes, rows, isRecorded }: Overview): Markup {
  const caption = `${rows.length} payloads on ${runtimes.length} ${runtimes.length === 1 ? 'runtime' : 'runtimes'}`;
  const heads = runtimes.map((name) => html`<th scope="col">${name}</th>`);
  return html`<nav aria-label="Payloads" id="index">${scrolling(
    html`<table class="heat${runtimes.length > 2 ? '' : ' few'}"><caption>${caption}</caption><thead><tr><th scope="col" data-sort="name">payload</th><th scope="col" class="right" data-sort="cost" aria-sort="descending">${isRecorded ? 'cost' : 'round trip'}</th>${heads}</tr></thead><tbody>${rows.map(rowMarkup)}</tbody></table>`,
  )}</nav>
`;
}

const rowMarkup = ({ id, place, cost, costText, cells }: OverviewRow): Markup =>
  html`<tr data-cost="${cost ?? -1}"><th scope="row"><a href="#${anchorOf(place)}">${id}</a></th><td class="right">${costText}</td>${cells.map(cellMarkup)}</tr>`;

function cellMarkup(answer: AnswerRow | null): Markup {
  if (answer === null) return html`<td class="none">–</td>`;
  const { status } = answer;
  return html`<td class="heat ${status.tone ?? 'muted'}"><b>${signOf(status)} ${status.text}</b> <span>${todoSign(answer)}${adviceWithGain(answer)}</span></td>`;
}

/** The sign says what to expect. */
function todoSign({ certainty, isRewrite, now }: AnswerRow): string {
  if (certainty === 'unsure') return '? ';
  if (isRewrite) return '✓ ';
  return now === null ? '' : '= ';
}

import type { Cell, Column } from '../../section/model/columns.ts';
import { barDrawing } from './drawings.ts';
import { html, type Markup, spanMarkup } from './markup.ts';

/** Wider than a phone: what it holds scrolls sideways, by keyboard too. */
export const scrolling = (content: Markup): Markup =>
  html`<div class="scroll" tabindex="0">${content}</div>
`;

/** The first column names the rows. Distributions are drawn as charts. */
export function table(caption: string, all: readonly Column[]): Markup {
  const columns = all.filter(({ cells }) => !cells.some(isDistribution));
  const [names, ...others] = columns;
  const rows = (names?.cells ?? []).map(
    (name, row) =>
      html`<tr><th scope="row">${cellMarkup(name)}</th>${others.map(({ cells }) => html`<td>${cellMarkup(cells[row] ?? '')}</td>`)}</tr>`,
  );
  const right = columns.flatMap(({ align }, index) => (align === 'right' ? `r${index + 1}` : []));
  return scrolling(
    html`<table${right.length === 0 ? null : html` class="${right.join(' ')}"`}><caption>${caption}</caption><thead><tr>${columns.map(headMarkup)}</tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** Numbers only: a chart shows the rest. */
export const numberTable = (caption: string, columns: readonly Column[]): Markup =>
  table(
    caption,
    columns.filter(({ cells }) => !cells.some((cell) => typeof cell === 'object' && 'bar' in cell)),
  );

const headMarkup = ({ head }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`;

const isDistribution = (cell: Cell): boolean => typeof cell === 'object' && 'histogram' in cell;

function cellMarkup(cell: Cell): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('histogram' in cell) return html`${cell.label}`;
  return 'bar' in cell ? barDrawing(cell) : spanMarkup(cell);
}

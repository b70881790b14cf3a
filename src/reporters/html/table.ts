import type { Cell, Column } from '../section/columns.ts';
import { barDrawing } from './drawings.ts';
import { html, type Markup, spanMarkup } from './markup.ts';

/** Wider than a phone: what it holds scrolls sideways, by keyboard too, and says so. */
export const scrolling = (name: string, content: Markup): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">${content}</div>
`;

/** The first column names the rows. Distributions are drawn as charts. */
export function table(caption: string, columns: readonly Column[]): Markup {
  const [names, ...others] = columns.filter(({ cells }) => !cells.some(isDistribution));
  const rows = (names?.cells ?? []).map(
    (name, row) =>
      html`<tr><th scope="row"${names?.align === 'right' ? RIGHT : null}>${cellMarkup(name)}</th>${others.map(({ cells, align }) => html`<td${align === 'right' ? RIGHT : null}>${cellMarkup(cells[row] ?? '')}</td>`)}</tr>`,
  );
  const heads = [...(names ? [names] : []), ...others].map(headMarkup);
  return scrolling(
    caption,
    html`<table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** Numbers only: a chart shows the rest. */
export const numberTable = (caption: string, columns: readonly Column[]): Markup =>
  table(
    caption,
    columns.filter(({ cells }) => !cells.some((cell) => typeof cell === 'object' && 'bar' in cell)),
  );

const RIGHT = html` class="right"`;

const headMarkup = ({ head, align }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col"${align === 'right' ? RIGHT : null}>${head}</th>`;

const isDistribution = (cell: Cell): boolean => typeof cell === 'object' && 'histogram' in cell;

function cellMarkup(cell: Cell): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('histogram' in cell) return html`${cell.label}`;
  return 'bar' in cell ? barDrawing(cell) : spanMarkup(cell);
}

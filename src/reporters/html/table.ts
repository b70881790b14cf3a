import type { Cell, Column } from '../section/columns.ts';
import { barDrawing, distributionDrawing } from './drawings.ts';
import { html, type Markup, spanMarkup } from './markup.ts';

/** The first column names the rows. */
export function table(caption: string, columns: readonly Column[]): Markup {
  const [names, ...others] = columns;
  const rows = (names?.cells ?? []).map(
    (name, row) =>
      html`<tr><th scope="row">${cellMarkup(name)}</th>${others.map(({ cells, align }) => html`<td class="${align ?? 'left'}">${cellMarkup(cells[row] ?? '')}</td>`)}</tr>`,
  );
  return html`<div class="scroll"><table><caption>${caption}</caption><thead><tr>${columns.map(headMarkup)}</tr></thead><tbody>${rows}</tbody></table></div>
`;
}

const headMarkup = ({ head, align }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col" class="${align ?? 'left'}">${head}</th>`;

function cellMarkup(cell: Cell): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('bar' in cell) return barDrawing(cell);
  return 'histogram' in cell ? distributionDrawing(cell) : spanMarkup(cell);
}

import type { Column } from '../grid.ts';
import { html, type Markup, type Piece } from './markup.ts';

/** How a column draws its cells otherwise than as text, by its key. */
export type Drawn = Record<string, (text: string, row: number) => Piece>;

/** The first column names the rows. */
export function table(caption: string, columns: readonly Column[], drawn: Drawn = {}): Markup {
  const height = Math.max(0, ...columns.map(({ cells }) => cells.length));
  const rows = Array.from(
    { length: height },
    (_, row) => html`<tr>${columns.map((column, index) => cellOf(column, row, index === 0, drawn))}</tr>`,
  );
  return html`<div class="scroll"><table><caption>${caption}</caption><thead><tr>${columns.map(headOf)}</tr></thead><tbody>${rows}</tbody></table></div>
`;
}

const headOf = ({ head, align }: Column): Markup =>
  head === '' ? html`<td></td>` : html`<th scope="col" class="${align ?? 'left'}">${head}</th>`;

function cellOf({ key, cells, align }: Column, row: number, names: boolean, drawn: Drawn): Markup {
  const text = cells[row] ?? '';
  const content = drawn[key]?.(text, row) ?? text;
  if (names) return html`<th scope="row">${content}</th>`;
  return html`<td class="${align ?? 'left'}">${content}</td>`;
}

/** Common frame of all charts: title, description, drawing, and the table behind it. */

import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import type { Column } from '../../columns.ts';
import type { Chart } from '../../doc.ts';
import { atMost } from '../../text/groups.ts';
import type { Span } from '../../words.ts';
import { html, type Markup, type Piece, tableMarkup } from '../markup.ts';

interface Drawing {
  /** Height in px. `width`: for a drawing that scales with its container; default: the container's width. */
  height: number;
  width?: number;
  content: Piece;
  legend?: Piece;
  /** True if its parts are named and focusable. */
  hasParts?: true;
}

export function chartFigure({ kind, title, of, columns }: Chart, drawing: Drawing): Markup {
  const { height, width, content, legend = null, hasParts } = drawing;
  // Screen readers ignore the names of parts inside an image.
  const role = hasParts ? 'group' : 'img';
  const size =
    width === undefined ? html`width="100%" height="${height}"` : html`viewBox="0 0 ${width} ${height}"`;
  return html`<figure class="chart ${kind}"><figcaption>${title}</figcaption><svg role="${role}" ${size}><title>${title}</title><desc>${description(columns)}</desc>${content}</svg>${legend}<details><summary>${of === undefined ? '' : `${of}: `}${title}, as a table</summary>${tableMarkup({ title, columns })}</details></figure>
`;
}

/** Maximum rows in the description of a drawing. Its table has all. */
const MAX_DESCRIBED = 12;

/** Rows of the table in words, for readers who cannot see the drawing. */
function description([names, ...others]: readonly Column[]): string {
  const textOf = (cell: Span = '') => (typeof cell === 'string' ? cell : cell.text);
  const rows = (names?.cells ?? []).map((name, row) => {
    const facts = others.flatMap(({ head, cells, isDrawn }) => {
      const text = textOf(cells[row]);
      return text === '' || isDrawn ? [] : `${head} ${text}`.trimStart();
    });
    return `${textOf(name)}: ${facts.join(', ')}`;
  });
  return `${atMost(MAX_DESCRIBED, rows, (more) => `and ${more} more`).join('; ')}.`;
}

/** Places content of a fixed size at a share of the width, which becomes its origin. */
export const placed = (at: number, y: number, content: Piece): Markup =>
  html`<svg class="at" x="${at}%" y="${y}">${content}</svg>`;

export const legendMarkup = (entries: readonly { name: string; mark: Piece }[]): Markup =>
  html`<ul class="legend">${entries.map(
    ({ name, mark }) => html`<li><svg aria-hidden="true" width="16" height="12">${mark}</svg> ${name}</li>`,
  )}</ul>`;

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolWye];

/** SVG path of the mark of a series, around the origin. @param series number of the series @param size area, px² */
export const markPath = (series: number, size: number): string =>
  symbol(SHAPES[series % SHAPES.length], size).digits(1)() ?? '';

/** Area of a mark, px². */
const MARK = 90;

export const markAt = (at: number, y: number, series: number): Markup =>
  placed(at, y, html`<path d="${markPath(series, MARK)}"/>`);

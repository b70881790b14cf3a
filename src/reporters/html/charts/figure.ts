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
import type { Chart } from '../../charts.ts';
import type { Tone } from '../../words.ts';
import { html, type Markup, type Piece, table } from '../markup.ts';
import { AXIS_HEIGHT, type Axis, axisMarkup } from './axes.ts';

interface Drawing {
  /** Height in px. `width`: for a drawing that scales with its container; default: the container's width. */
  height: number;
  width?: number;
  content: Piece;
  legend?: Piece;
  /** True if its parts are named and focusable. */
  hasParts?: true;
}

export function chartFigure({ kind, title, of, about, columns }: Chart, drawing: Drawing): Markup {
  const { height, width, content, legend = null, hasParts } = drawing;
  // Screen readers ignore the names of parts inside an image.
  const role = hasParts ? 'group' : 'img';
  const size =
    width === undefined ? html`width="100%" height="${height}"` : html`viewBox="0 0 ${width} ${height}"`;
  return html`<figure class="chart ${kind}"><figcaption>${title}</figcaption><svg role="${role}" ${size}><title>${title}</title><desc>${about}</desc>${content}</svg>${legend}<details><summary>${of === undefined ? '' : `${of}: `}${title}, as a table</summary>${table(title, columns)}</details></figure>
`;
}

interface Rows<Row> {
  axis: Axis | null;
  rowHeight: (row: Row) => number;
  draw: (row: Row, top: number) => Markup;
  legend?: Piece;
  around?: (axes: Piece, height: number) => Piece;
}

/** Draws rows one below the other on a common axis. */
export function rowsFigure<Row>(chart: Chart & { rows: readonly Row[] }, rows: Rows<Row>): Markup {
  const { axis, rowHeight, draw, legend = null, around = (axes) => axes } = rows;
  let height = 0;
  const drawn = chart.rows.map((row) => {
    height += rowHeight(row);
    return draw(row, height - rowHeight(row));
  });
  const axes = axis && axisMarkup(axis, height);
  const whole = height + (axis ? AXIS_HEIGHT : 0);
  return chartFigure(chart, { height: whole, content: [around(axes, height), drawn], legend });
}

/** Places content of a fixed size at a share of the width, which becomes its origin. */
export const placed = (at: number, y: number, content: Piece): Markup =>
  html`<svg class="at" x="${at}%" y="${y}">${content}</svg>`;

/** Stretches paths to the width of the chart. Coordinates are percentages of `height`, and shares of `width` across. */
export const stretched = (y: number, height: number, content: Piece, width = 100): Markup =>
  html`<svg y="${y}" width="100%" height="${height}" viewBox="0 0 ${width} 100" preserveAspectRatio="none">${content}</svg>`;

export const rowText = (y: number, name: Piece, value: Piece, tone: Tone = 'muted'): Markup =>
  html`<text y="${y}">${name}</text><text class="value ${tone}" x="100%" y="${y}">${value}</text>`;

/** A name as the text of a drawing. If it is cut, its tooltip has the whole name. */
export function namePiece(name: string, longest?: number): Piece {
  const cut = shortenName(name, longest);
  return cut === name ? name : html`<title>${name}</title>${cut}`;
}

const MAX_NAME_LENGTH = 34;

/** Cuts a name in the middle, because paths differ at their end. */
export function shortenName(name: string, longest: number = MAX_NAME_LENGTH): string {
  if (name.length <= longest) return name;
  const head = Math.floor((longest - 1) / 3);
  return `${name.slice(0, head)}…${name.slice(name.length - (longest - 1 - head))}`;
}

/** An entry with a drawn mark, or with the class that makes the style sheet draw its sign. */
type LegendEntry = { name: string } & ({ mark: Piece } | { sign: string });

export const legendMarkup = (entries: readonly LegendEntry[]): Markup =>
  html`<ul class="legend">${entries.map((entry) =>
    'sign' in entry
      ? html`<li class="${entry.sign}">${entry.name}</li>`
      : html`<li><svg aria-hidden="true" width="16" height="12">${entry.mark}</svg> ${entry.name}</li>`,
  )}</ul>`;

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolWye];

/** SVG path of the mark of a series, around the origin. @param series number of the series @param size area, px² */
export const markPath = (series: number, size = 60): string =>
  symbol(SHAPES[series % SHAPES.length], size).digits(1)() ?? '';

export const mark = (series: number, size?: number): Markup => html`<path d="${markPath(series, size)}"/>`;

export const markAt = (at: number, y: number, series: number, size = 60): Markup =>
  SHAPES[series % SHAPES.length] === symbolCircle
    ? html`<circle cx="${at}%" cy="${y}" r="${Math.sqrt(size / Math.PI).toFixed(1)}"/>`
    : placed(at, y, mark(series, size));

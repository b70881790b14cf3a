/** What all charts have: title, description, drawing, and the table behind it. */
import type { Chart } from '../../section/model/charts.ts';
import type { Tone } from '../../section/model/sentence.ts';
import { html, type Markup, type Piece } from '../markup/markup.ts';
import { numberTable } from '../markup/table.ts';

export interface Drawing {
  /** px; the width is that of the place, unless the drawing has one and grows with its place. */
  height: number;
  width?: number;
  content: Piece;
  /** What the marks mean. */
  legend?: Piece;
  /** Parts of it have names of their own and take the focus. */
  hasParts?: true;
}

export function chartFigure(
  chart: Chart,
  { height, width, content, legend = null, hasParts }: Drawing,
): Markup {
  const { kind, title, about, columns } = chart;
  // The parts of an image have no names for screen readers.
  const role = hasParts ? 'group' : 'img';
  const size =
    width === undefined ? html`width="100%" height="${height}"` : html`viewBox="0 0 ${width} ${height}"`;
  return html`<figure class="chart ${kind}"><figcaption>${title}</figcaption><svg role="${role}" ${size}><title>${title}</title><desc>${about}</desc>${content}</svg>${legend}<details><summary>Table</summary>${numberTable(title, columns)}</details></figure>
`;
}

/** Something of a fixed size at a share of the width: the origin of `content` is there. */
export const placed = (at: number, y: number, content: Piece): Markup =>
  html`<svg class="at" x="${at}%" y="${y}">${content}</svg>`;

/** A path that is as wide as the chart; its coordinates are percent of `height`, and shares of `width` across. */
export const stretched = (y: number, height: number, content: Piece, width = 100): Markup =>
  html`<svg y="${y}" width="100%" height="${height}" viewBox="0 0 ${width} 100" preserveAspectRatio="none">${content}</svg>`;

/** A name and its value above a track. */
export const rowText = (y: number, name: Piece, value: Piece, tone: Tone = 'muted'): Markup =>
  html`<text y="${y}">${name}</text><text class="value ${tone}" x="100%" y="${y}">${value}</text>`;

/** A name as the text of a drawing; whole in its tooltip where it was cut. */
export function namePiece(name: string, longest?: number): Piece {
  const cut = cutName(name, longest);
  return cut === name ? name : html`<title>${name}</title>${cut}`;
}

const MAX_NAME_LENGTH = 34;

/** Cut in the middle: paths differ at their end. */
export function cutName(name: string, longest: number = MAX_NAME_LENGTH): string {
  if (name.length <= longest) return name;
  const head = Math.floor((longest - 1) / 3);
  return `${name.slice(0, head)}…${name.slice(name.length - (longest - 1 - head))}`;
}

/** A sign drawn for it, or the class by which the style sheet draws one. */
export type LegendEntry = { name: string } & ({ mark: Piece } | { sign: string });

/** What tells the series apart, beside their colour. */
export const legendMarkup = (entries: readonly LegendEntry[]): Markup =>
  html`<ul class="legend">${entries.map((entry) =>
    'sign' in entry
      ? html`<li class="${entry.sign}">${entry.name}</li>`
      : html`<li><svg aria-hidden="true" width="16" height="12">${entry.mark}</svg> ${entry.name}</li>`,
  )}</ul>`;

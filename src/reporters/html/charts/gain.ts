/** A round trip now and with the advised rewrite: the first thing to look at. */

import type { GainChart, GainRow } from '../../section/model/charts.ts';
import { html, type Markup, type Piece } from '../markup/markup.ts';
import { type Axis, logAxis } from './axes.ts';
import { legendMarkup, markAt, placed, rowsFigure, rowText, shortenName } from './figure.ts';

const ROW = 50;
const TEXT = 13;
const TRACK = 34;

export function gainFigure(chart: GainChart): Markup {
  const { rows } = chart;
  const ends = rows.flatMap(({ now, best, floor }) => [now?.ci ?? [], best?.ci ?? [], floor ?? 0].flat());
  const axis = logAxis(ends, 'time');
  const isTimed = rows.some(({ now }) => now !== null);
  const isFaster = rows.some(({ best }) => best !== null);
  return rowsFigure(chart, {
    axis: isTimed ? axis : null,
    rowHeight: () => ROW,
    draw: (row, top) => rowMarkup(row, top, axis),
    legend: isTimed ? legendMarkup(LEGEND.filter(({ sign }) => isFaster || sign !== 'is-best')) : null,
  });
}

const FLOOR = html`<path class="floor" d="M0,-7V7M-3,-7H3M-3,7H3"/>`;

const LEGEND = [
  { name: 'now', sign: 'is-now' },
  { name: 'with the rewrite', sign: 'is-best' },
  { name: 'floor: an empty message', sign: 'is-floor' },
];

const MAX_ADVICE_LENGTH = 30;

function rowMarkup(row: GainRow, top: number, axis: Axis): Markup {
  const { name, status, now, best, floor, advice, isSure } = row;
  const y = top + TRACK;
  const tone = status.tone ?? 'muted';
  const sign = advice === '' || now === null ? '' : isSure ? (best ? '✓ ' : '= ') : '? ';
  const head = html`<tspan class="name">${shortenName(name, 24)}</tspan> <tspan class="${tone}">${status.text}</tspan>`;
  return html`<g class="row">${rowText(top + TEXT, head, [sign, shortenName(advice, MAX_ADVICE_LENGTH)], isSure ? (best ? 'good' : 'muted') : 'fair')}${
    floor === null || now === null ? null : placed(axis.at(floor), y, FLOOR)
  }${now && best ? html`<line class="saved" x1="${axis.at(best.median)}%" x2="${axis.at(now.median)}%" y1="${y}" y2="${y}"/>` : null}${estimateMarkup(row, 'now', y, axis)}${estimateMarkup(row, 'best', y, axis)}</g>`;
}

const SERIES = { now: 0, best: 3 } as const;

/** An interval with an end line on both sides, and its median. */
function estimateMarkup(row: GainRow, name: keyof typeof SERIES, y: number, axis: Axis): Piece {
  const estimate = row[name];
  if (estimate === null) return null;
  const [from, to] = [axis.at(estimate.ci[0]), axis.at(estimate.ci[1])];
  const whisker = html`<line x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/><line x1="${from}%" x2="${from}%" y1="${y - 6}" y2="${y + 6}"/><line x1="${to}%" x2="${to}%" y1="${y - 6}" y2="${y + 6}"/>`;
  return html`<g class="${name}">${whisker}${markAt(axis.at(estimate.median), y, SERIES[name], 90)}</g>`;
}

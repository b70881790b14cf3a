/** A round trip now and with the advised rewrite: the first thing to look at. */

import type { GainChart, GainRow } from '../../section/model/charts.ts';
import { html, type Markup, type Piece } from '../markup/markup.ts';
import { AXIS_HEIGHT, type Axis, axisMarkup, logAxis } from './axes.ts';
import { chartFigure, cutName, legendMarkup, placed, rowText } from './figure.ts';
import { markAt, whisker } from './marks.ts';

const ROW = 50;
const TEXT = 13;
const TRACK = 34;

export function gainFigure(chart: GainChart): Markup {
  const { rows } = chart;
  const values = rows.flatMap(({ now, best, floor }) => [
    ...(now?.ci ?? []),
    ...(best?.ci ?? []),
    floor ?? 0,
  ]);
  const axis = logAxis(values, 'time');
  const height = rows.length * ROW;
  const isTimed = rows.some(({ now }) => now !== null);
  const isFaster = rows.some(({ best }) => best !== null);
  return chartFigure(chart, {
    height: height + (isTimed ? AXIS_HEIGHT : 0),
    content: [
      isTimed ? axisMarkup(axis, 0, height) : null,
      rows.map((row, index) => rowMarkup(row, index * ROW, axis)),
    ],
    legend: isTimed ? legendMarkup(LEGEND.filter(({ sign }) => isFaster || sign !== BEST_SIGN)) : null,
  });
}

const NOW = 0;
const BEST = 3;
const FLOOR = html`<path class="floor" d="M0,-7V7M-3,-7H3M-3,7H3"/>`;

const BEST_SIGN = 'is-best';

const LEGEND = [
  { name: 'now', sign: 'is-now' },
  { name: 'with the rewrite', sign: BEST_SIGN },
  { name: 'floor: an empty message', sign: 'is-floor' },
];

const MAX_ADVICE_LENGTH = 30;

function rowMarkup(
  { name, status, now, best, floor, advice, isSure }: GainRow,
  top: number,
  axis: Axis,
): Markup {
  const y = top + TRACK;
  const tone = status.tone ?? 'muted';
  const sign = advice === '' || now === null ? '' : isSure ? (best ? '✓ ' : '= ') : '? ';
  const head = html`<tspan class="name">${cutName(name, 24)}</tspan> <tspan class="${tone}">${status.text}</tspan>`;
  return html`<g class="row">${rowText(top + TEXT, head, [sign, cutName(advice, MAX_ADVICE_LENGTH)], isSure ? (best ? 'good' : 'muted') : 'fair')}${
    floor === null || now === null ? null : placed(axis.at(floor), y, FLOOR)
  }${now && best ? html`<line class="saved" x1="${axis.at(best.median)}%" x2="${axis.at(now.median)}%" y1="${y}" y2="${y}"/>` : null}${estimateMarkup(now, 'now', NOW, y, axis)}${estimateMarkup(best, 'best', BEST, y, axis)}</g>`;
}

const estimateMarkup = (
  estimate: GainRow['now'],
  name: string,
  series: number,
  y: number,
  axis: Axis,
): Piece =>
  estimate === null
    ? null
    : html`<g class="${name}">${whisker(axis.at(estimate.ci[0]), axis.at(estimate.ci[1]), y, 6)}${markAt(axis.at(estimate.median), y, series, 90)}</g>`;

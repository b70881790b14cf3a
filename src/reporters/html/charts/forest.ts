/** Ratios with their intervals, on a logarithmic axis around 1. */
import type { Interval } from '../../../model/documents/measurement.ts';
import type { ForestChart, ForestRow } from '../../section/model/charts.ts';
import { html, type Markup } from '../markup/markup.ts';
import { type Axis, logAxis } from './axes.ts';
import { markAt, namePiece, rowsFigure, rowText } from './figure.ts';

const TEXT = 13;
const LANE = 13;
const GAP = 9;

/** A narrower axis would show noise as if it were large. */
const MIN_DOMAIN: Interval = [0.8, 1.25];

/** The word stands at the outermost ticks. */
const shortened = (axis: Axis): Axis => ({
  ...axis,
  ticks: axis.ticks.map((tick, index, { length }) =>
    index === 0 || index === length - 1 ? tick : { ...tick, text: tick.text.replace(/ \w+$/, '') },
  ),
});

export function forestFigure(chart: ForestChart): Markup {
  const { rows, band } = chart;
  const axis = shortened(logAxis([...MIN_DOMAIN, ...rows.flatMap(({ point }) => point?.ci ?? [])], 'ratio'));
  const [from, to, one] = [axis.at(band[0]), axis.at(band[1]), axis.at(1)];
  return rowsFigure(chart, {
    axis,
    rowHeight: () => TEXT + 4 + LANE + GAP,
    draw: (row, top) => rowMarkup(row, top, axis),
    around: (axes, height) => [
      html`<rect class="band" x="${from}%" y="0" width="${(to - from).toFixed(1)}%" height="${height}"/>`,
      axes,
      html`<line class="one" x1="${one}%" x2="${one}%" y1="0" y2="${height}"/>`,
    ],
  });
}

function rowMarkup({ name, point, outcome }: ForestRow, top: number, axis: Axis): Markup {
  const drawn = point === null ? null : pointMarkup(point, top + TEXT + 10, axis);
  return html`<g class="row">${rowText(top + TEXT, namePiece(name), outcome.text, outcome.tone)}${drawn}</g>`;
}

const pointMarkup = ({ ratio, ci, tone }: NonNullable<ForestRow['point']>, y: number, axis: Axis): Markup =>
  html`<g class="point ${tone}"><line x1="${axis.at(ci[0])}%" x2="${axis.at(ci[1])}%" y1="${y}" y2="${y}"/>${markAt(axis.at(ratio), y, 0)}</g>`;

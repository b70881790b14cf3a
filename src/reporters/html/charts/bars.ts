import type { BarChart } from '../../section/charts/model.ts';
import { html, type Markup } from '../markup.ts';
import { AXIS_HEIGHT, axisMarkup, linearAxis } from './axes.ts';
import { chartFigure, namePiece, rowText } from './figure.ts';

const ROW = 36;
const TEXT = 13;
const BAR = 10;

/** Amounts as bars from 0. */
export function barsFigure(chart: BarChart): Markup {
  const { rows, unit } = chart;
  const axis = linearAxis(
    rows.map(({ value }) => value),
    unit,
  );
  const height = rows.length * ROW;
  const bars = rows.map(({ name, value, text, tone = 'muted' }, index) => {
    const top = index * ROW;
    return html`<g class="row ${tone}">${rowText(top + TEXT, namePiece(name), text)}<rect class="bar" x="0" y="${top + TEXT + 6}" width="${axis.at(value)}%" height="${BAR}"/></g>`;
  });
  return chartFigure(chart, { height: height + AXIS_HEIGHT, content: [axisMarkup(axis, 0, height), bars] });
}

import type { BarChart, BarRow } from '../../section/model/charts.ts';
import { html, type Markup } from '../markup/markup.ts';
import { AXIS_HEIGHT, type Axis, axisMarkup, linearAxis } from './axes.ts';
import { chartFigure, cutName, namePiece, rowText } from './figure.ts';

const ROW = 36;
const TEXT = 13;
const BAR = 10;
const NOTE = 16;

const heightOf = ({ note = '' }: BarRow): number => (note === '' ? ROW : ROW + NOTE);

/** Amounts as bars from 0. */
export function barsFigure(chart: BarChart): Markup {
  const { rows, unit } = chart;
  const axis = linearAxis(
    rows.map(({ value }) => value),
    unit,
  );
  let height = 0;
  const bars = rows.map((row) => {
    const top = height;
    height += heightOf(row);
    return rowMarkup(row, top, axis);
  });
  return chartFigure(chart, { height: height + AXIS_HEIGHT, content: [axisMarkup(axis, 0, height), bars] });
}

const MAX_NOTE_LENGTH = 52;

function rowMarkup(
  { name, value, text, rest = value, note = '', tone = 'muted' }: BarRow,
  top: number,
  axis: Axis,
): Markup {
  const at = html`x="0" y="${top + TEXT + 6}" height="${BAR}"`;
  const whole = rest < value ? html`<rect class="bar whole" ${at} width="${axis.at(value)}%"/>` : null;
  const below =
    note === ''
      ? null
      : html`<text class="note" y="${top + TEXT + BAR + NOTE + 4}">${cutName(note, MAX_NOTE_LENGTH)}</text>`;
  return html`<g class="row ${tone}">${rowText(top + TEXT, namePiece(name), text)}${whole}<rect class="bar" ${at} width="${axis.at(rest)}%"/>${below}</g>`;
}

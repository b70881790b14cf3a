import type { StripChart } from '../../section/model/charts.ts';
import { time } from '../../text/numbers.ts';
import { html, type Markup } from '../markup/markup.ts';
import { AXIS_HEIGHT, type Axis, axisMarkup, linearAxis } from './axes.ts';
import { chartFigure, legendMarkup, rowText } from './figure.ts';

const ROW = 40;
const TEXT = 13;
const BAR = 14;

type StripRow = StripChart['rows'][number];

const rowTotal = ({ parts }: StripRow): number => parts.reduce((sum, { value }) => sum + value, 0);

/** Parts of a time as one bar a row. */
export function stripFigure(chart: StripChart): Markup {
  const { rows } = chart;
  const axis = linearAxis(rows.map(rowTotal), 'time');
  const height = rows.length * ROW;
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const strips = rows.map((row, index) => rowMarkup(row, index * ROW, axis, names));
  const legend = legendMarkup(names.map((name, index) => ({ name, sign: `part p${index}` })));
  return chartFigure(chart, {
    height: height + AXIS_HEIGHT,
    content: [axisMarkup(axis, 0, height), strips],
    legend,
  });
}

function rowMarkup(row: StripRow, top: number, axis: Axis, names: readonly string[]): Markup {
  let from = 0;
  const parts = row.parts.map(({ name, value }) => {
    const [left, right] = [axis.at(from), axis.at(from + value)];
    from += value;
    return html`<rect class="part p${names.indexOf(name)}" x="${left}%" y="${top + TEXT + 6}" width="${(right - left).toFixed(1)}%" height="${BAR}"><title>${name} ${time(value)}</title></rect>`;
  });
  return html`<g class="row">${rowText(top + TEXT, row.name, time(rowTotal(row)))}${parts}</g>`;
}

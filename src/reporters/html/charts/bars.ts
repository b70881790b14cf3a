/** Amounts as bars from 0: of one colour, or of several parts. */
import type { BarChart, BarRow, StripChart } from '../../section/model/charts.ts';
import { time } from '../../text/numbers.ts';
import { html, type Markup } from '../markup/markup.ts';
import { type Axis, linearAxis } from './axes.ts';
import { legendMarkup, namePiece, rowsFigure, rowText, shortenName } from './figure.ts';

const ROW = 36;
const TEXT = 13;
const BAR = 10;
const NOTE = 16;
const MAX_NOTE_LENGTH = 52;

export function barsFigure(chart: BarChart): Markup {
  const values = chart.rows.map(({ value }) => value);
  const axis = linearAxis(values, chart.unit);
  const rowHeight = ({ note = '' }: BarRow) => (note === '' ? ROW : ROW + NOTE);
  return rowsFigure(chart, { axis, rowHeight, draw: (row, top) => barMarkup(row, top, axis) });
}

function barMarkup(row: BarRow, top: number, axis: Axis): Markup {
  const { name, value, text, rest = value, note = '' } = row;
  const at = html`x="0" y="${top + TEXT + 6}" height="${BAR}"`;
  const whole = rest < value ? html`<rect class="bar whole" ${at} width="${axis.at(value)}%"/>` : null;
  const below =
    note === ''
      ? null
      : html`<text class="note" y="${top + TEXT + BAR + NOTE + 4}">${shortenName(note, MAX_NOTE_LENGTH)}</text>`;
  return html`<g class="row muted">${rowText(top + TEXT, namePiece(name), text)}${whole}<rect class="bar" ${at} width="${axis.at(rest)}%"/>${below}</g>`;
}

const STRIP_ROW = 40;
const STRIP = 14;

type StripRow = StripChart['rows'][number];

const rowTotal = ({ parts }: StripRow): number => parts.reduce((sum, { value }) => sum + value, 0);

export function stripFigure(chart: StripChart): Markup {
  const axis = linearAxis(chart.rows.map(rowTotal), 'time');
  const names = [...new Set(chart.rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const legend = legendMarkup(names.map((name, index) => ({ name, sign: `part p${index}` })));
  const draw = (row: StripRow, top: number) => stripMarkup(row, top, axis, names);
  return rowsFigure(chart, { axis, rowHeight: () => STRIP_ROW, draw, legend });
}

function stripMarkup(row: StripRow, top: number, axis: Axis, names: readonly string[]): Markup {
  let from = 0;
  const parts = row.parts.map(({ name, value }) => {
    const [left, right] = [axis.at(from), axis.at(from + value)];
    from += value;
    return html`<rect class="part p${names.indexOf(name)}" x="${left}%" y="${top + TEXT + 6}" width="${(right - left).toFixed(1)}%" height="${STRIP}"><title>${name} ${time(value)}</title></rect>`;
  });
  return html`<g class="row">${rowText(top + TEXT, row.name, time(rowTotal(row)))}${parts}</g>`;
}

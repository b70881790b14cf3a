/** Distributions of times, one above the other on a logarithmic axis. */
import { curveMonotoneX, line } from 'd3-shape';
import type { Histogram } from '../../../model/documents/measurement.ts';
import type { DensityChart, DensityRow } from '../../section/model/charts.ts';
import { binEnds } from '../../text/histogram.ts';
import { time } from '../../text/numbers.ts';
import { html, type Markup } from '../markup/markup.ts';
import { type Axis, logAxis } from './axes.ts';
import { legendMarkup, rowsFigure, rowText, shortenName, stretched } from './figure.ts';

const TEXT = 13;
const HILL = 44;
const ROW = TEXT + HILL + 16;

export function densityFigure(chart: DensityChart): Markup {
  const { rows } = chart;
  const values = rows.flatMap(({ histogram, best, marks }) => [
    ...binEnds(histogram),
    ...(best ? binEnds(best) : []),
    ...marks.map(({ at }) => at),
  ]);
  const axis = logAxis(values, 'time');
  const names = [...new Set(rows.flatMap(({ marks }) => marks.map(({ name }) => name)))];
  const legend = legendMarkup(names.map((name) => ({ name, sign: `line ${name}` })));
  const draw = (row: DensityRow, top: number) => rowMarkup(row, top, axis);
  return rowsFigure(chart, { axis, rowHeight: () => ROW, draw, legend });
}

function rowMarkup(row: DensityRow, top: number, axis: Axis): Markup {
  const base = top + TEXT + 6 + HILL;
  const marks = row.marks.map(
    ({ name, at }) =>
      html`<line class="mark ${name}" x1="${axis.at(at)}%" x2="${axis.at(at)}%" y1="${base - HILL}" y2="${base + 3}"><title>${name} ${time(at)}</title></line>`,
  );
  const median = row.marks.find(({ name }) => name === 'median');
  return html`<g class="row">${rowText(top + TEXT, shortenName(row.name), median ? time(median.at) : '')}${stretched(base - HILL, HILL, html`<path class="hill" d="${hillPath(row.histogram, axis)}"/>${row.best && html`<path class="hill best" d="${hillPath(row.best, axis)}"/>`}`, 1000)}${marks}</g>`;
}

/** In tenths of a percent of the width, and percent of the height, which the highest bin fills. */
export function hillPath(histogram: Histogram, axis: Axis): string {
  const { counts } = histogram;
  const [from, to] = binEnds(histogram);
  const highest = Math.max(1, ...counts);
  // Bins have equal widths on a logarithmic axis.
  const step = (to / from) ** (1 / counts.length);
  const middles = counts.map((seen, index): [number, number] => [
    10 * axis.at(from * step ** (index + 0.5)),
    100 - (100 * seen) / highest,
  ]);
  const end = (value: number): [number, number] => [10 * axis.at(value), 100];
  const points = [end(from), ...middles, end(to)];
  return `${line().curve(curveMonotoneX).digits(0)(points) ?? ''}Z`;
}

/** How often something happened over time: one row of columns each, on a common axis of time. */
import type { TimelineChart, TimelineRow } from '../../section/model/charts.ts';
import { html, type Markup } from '../markup/markup.ts';
import { linearAxis } from './axes.ts';
import { rowsFigure, rowText, shortenName, stretched } from './figure.ts';

const TEXT = 12;
const COLUMNS = 24;
const ROW = 46;

/** More cannot be told apart on a phone. */
const MAX_COLUMNS = 80;

/** Ends in percent of the axis, heights as shares of the highest. Neighbours are drawn as one where there are too many. */
export function timelineColumns({ times: { stepMs, counts } }: Pick<TimelineRow, 'times'>, lengthMs: number) {
  const joined = Math.max(1, Math.ceil(counts.length / MAX_COLUMNS));
  const columns = Array.from({ length: Math.ceil(counts.length / joined) }, (_, at) => ({
    from: at * joined,
    to: Math.min(counts.length, (at + 1) * joined),
    count: counts.slice(at * joined, (at + 1) * joined).reduce((sum, one) => sum + one, 0),
  }));
  const most = columns.reduce((highest, { count }) => Math.max(highest, count), 0);
  const percent = lengthMs > 0 ? 100 * (stepMs / lengthMs) : 0;
  const at = (step: number) => Math.min(100, step * percent);
  return columns
    .filter(({ count }) => count > 0)
    .map(({ from, to, count }) => ({ from: at(from), to: at(to), height: count / most }));
}

export function timelineFigure(chart: TimelineChart): Markup {
  const axis = linearAxis([chart.lengthMs * 1e6], 'time');
  const draw = (row: TimelineRow, top: number) => rowMarkup(row, top, chart.lengthMs);
  return rowsFigure(chart, { axis, rowHeight: () => ROW, draw });
}

/** A part of a column stays free, so that neighbours can be told apart. */
const GAP = 0.15;

function rowMarkup(row: TimelineRow, top: number, lengthMs: number): Markup {
  const columns = timelineColumns(row, lengthMs).map(({ from, to, height }) => {
    // One message among thousands is seen, too.
    const high = Math.max(4, 100 * height);
    return html`<rect x="${from.toFixed(2)}" y="${(100 - high).toFixed(1)}" width="${((to - from) * (1 - GAP)).toFixed(2)}" height="${high.toFixed(1)}"/>`;
  });
  return html`<g class="timeline"><title>${row.name}: ${row.text}</title>${rowText(top + TEXT, shortenName(row.name), row.text)}${stretched(top + TEXT + 5, COLUMNS, columns)}</g>`;
}

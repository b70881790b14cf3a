/**
 * Charts of rows on a common axis: times now and with the rewrite, ratios, distributions, amounts, and frequencies over
 * time.
 */
import { curveMonotoneX, line } from 'd3-shape';
import type { Histogram, Interval } from '../../../model/documents/measurement.ts';
import type { ChartOf, GainRow, TimelineRow } from '../../charts.ts';
import { binEnds } from '../../text/histogram.ts';
import { time } from '../../text/numbers.ts';
import { html, type Markup, type Piece } from '../markup.ts';
import { type Axis, linearAxis, logAxis } from './axes.ts';
import {
  legendMarkup,
  markAt,
  namePiece,
  placed,
  rowsFigure,
  rowText,
  shortenName,
  stretched,
} from './figure.ts';

/** Baseline of the first text line of a row, px. */
const TEXT = 13;

// The most important chart: a round trip now and with the advised rewrite.

const GAIN_ROW = 50;
const TRACK = 34;

export function gainFigure(chart: ChartOf<'gain'>): Markup {
  const { rows } = chart;
  const ends = rows.flatMap(({ now, best, floor }) => [now?.ci ?? [], best?.ci ?? [], floor ?? 0].flat());
  const axis = logAxis(ends, 'time');
  const isTimed = rows.some(({ now }) => now !== null);
  const isFaster = rows.some(({ best }) => best !== null);
  return rowsFigure(chart, {
    axis: isTimed ? axis : null,
    rowHeight: () => GAIN_ROW,
    draw: (row, top) => {
      const { name, status, now, best, floor, advice, isSure } = row;
      const y = top + TRACK;
      const tone = status.tone ?? 'muted';
      const sign = advice === '' || now === null ? '' : isSure ? (best ? '✓ ' : '= ') : '? ';
      const head = html`<tspan class="name">${shortenName(name, 24)}</tspan> <tspan class="${tone}">${status.text}</tspan>`;
      return html`<g class="row">${rowText(top + TEXT, head, [sign, shortenName(advice, MAX_ADVICE_LENGTH)], isSure ? (best ? 'good' : 'muted') : 'fair')}${
        floor !== null && now !== null && placed(axis.at(floor), y, FLOOR)
      }${now && best && html`<line class="saved" x1="${axis.at(best.median)}%" x2="${axis.at(now.median)}%" y1="${y}" y2="${y}"/>`}${estimateMarkup(row, 'now', y, axis)}${estimateMarkup(row, 'best', y, axis)}</g>`;
    },
    legend: isTimed && legendMarkup(GAIN_LEGEND.filter(({ sign }) => isFaster || sign !== 'is-best')),
  });
}

const FLOOR = html`<path class="floor" d="M0,-7V7M-3,-7H3M-3,7H3"/>`;

const GAIN_LEGEND = [
  { name: 'now', sign: 'is-now' },
  { name: 'with the rewrite', sign: 'is-best' },
  { name: 'floor: an empty message', sign: 'is-floor' },
];

const MAX_ADVICE_LENGTH = 30;

const SERIES = { now: 0, best: 3 } as const;

/** Draws an interval with end lines, and its median. */
function estimateMarkup(row: GainRow, name: keyof typeof SERIES, y: number, axis: Axis): Piece {
  const estimate = row[name];
  if (estimate === null) return null;
  const [from, to] = [axis.at(estimate.ci[0]), axis.at(estimate.ci[1])];
  const whisker = html`<line x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/><line x1="${from}%" x2="${from}%" y1="${y - 6}" y2="${y + 6}"/><line x1="${to}%" x2="${to}%" y1="${y - 6}" y2="${y + 6}"/>`;
  return html`<g class="${name}">${whisker}${markAt(axis.at(estimate.median), y, SERIES[name], 90)}</g>`;
}

// Ratios with their intervals, on a logarithmic axis around 1.

const LANE = 13;
const LANE_GAP = 9;

/** Minimum range: a narrower axis would magnify noise. */
const MIN_DOMAIN: Interval = [0.8, 1.25];

/** Keeps the word ("faster", "slower") only at the outermost ticks. */
const shortened = (axis: Axis): Axis => ({
  ...axis,
  ticks: axis.ticks.map((tick, index, { length }) =>
    index === 0 || index === length - 1 ? tick : { ...tick, text: tick.text.replace(/ \w+$/, '') },
  ),
});

export function forestFigure(chart: ChartOf<'forest'>): Markup {
  const { rows, band } = chart;
  const axis = shortened(logAxis([...MIN_DOMAIN, ...rows.flatMap(({ point }) => point?.ci ?? [])], 'ratio'));
  const [from, to, one] = [axis.at(band[0]), axis.at(band[1]), axis.at(1)];
  return rowsFigure(chart, {
    axis,
    rowHeight: () => TEXT + 4 + LANE + LANE_GAP,
    draw: ({ name, point, outcome }, top) => {
      const y = top + TEXT + 10;
      const drawn =
        point &&
        html`<g class="point ${point.tone}"><line x1="${axis.at(point.ci[0])}%" x2="${axis.at(point.ci[1])}%" y1="${y}" y2="${y}"/>${markAt(axis.at(point.ratio), y, 0)}</g>`;
      return html`<g class="row">${rowText(top + TEXT, namePiece(name), outcome.text, outcome.tone)}${drawn}</g>`;
    },
    around: (axes, height) => [
      html`<rect class="band" x="${from}%" y="0" width="${(to - from).toFixed(1)}%" height="${height}"/>`,
      axes,
      html`<line class="one" x1="${one}%" x2="${one}%" y1="0" y2="${height}"/>`,
    ],
  });
}

// Distributions of times, stacked on a common logarithmic axis.

const HILL = 44;

export function densityFigure(chart: ChartOf<'density'>): Markup {
  const { rows } = chart;
  const values = rows.flatMap(({ histogram, best, marks }) => [
    ...binEnds(histogram),
    ...(best ? binEnds(best) : []),
    ...marks.map(({ at }) => at),
  ]);
  const axis = logAxis(values, 'time');
  const names = [...new Set(rows.flatMap(({ marks }) => marks.map(({ name }) => name)))];
  const legend = legendMarkup(names.map((name) => ({ name, sign: `line ${name}` })));
  return rowsFigure(chart, {
    axis,
    rowHeight: () => TEXT + HILL + 16,
    draw: ({ name: of, histogram, best, marks }, top) => {
      const base = top + TEXT + 6 + HILL;
      const lines = marks.map(
        ({ name, at }) =>
          html`<line class="mark ${name}" x1="${axis.at(at)}%" x2="${axis.at(at)}%" y1="${base - HILL}" y2="${base + 3}"><title>${name} ${time(at)}</title></line>`,
      );
      const median = marks.find(({ name }) => name === 'median');
      return html`<g class="row">${rowText(top + TEXT, shortenName(of), median ? time(median.at) : '')}${stretched(base - HILL, HILL, html`<path class="hill" d="${hillPath(histogram, axis)}"/>${best && html`<path class="hill best" d="${hillPath(best, axis)}"/>`}`, 1000)}${lines}</g>`;
    },
    legend,
  });
}

/** Outline of a histogram: x in 0.1 % of the width, y in percent of the height, which the highest bin fills. */
export function hillPath(histogram: Histogram, axis: Axis): string {
  const { counts } = histogram;
  const [from, to] = binEnds(histogram);
  const highest = Math.max(1, ...counts);
  // Bins have equal widths on a logarithmic scale.
  const step = (to / from) ** (1 / counts.length);
  const middles = counts.map((seen, index): [number, number] => [
    10 * axis.at(from * step ** (index + 0.5)),
    100 - (100 * seen) / highest,
  ]);
  const end = (value: number): [number, number] => [10 * axis.at(value), 100];
  const points = [end(from), ...middles, end(to)];
  return `${line().curve(curveMonotoneX).digits(0)(points) ?? ''}Z`;
}

// Amounts as bars from 0.

const BAR_ROW = 36;
const BAR = 10;
const NOTE = 16;
const MAX_NOTE_LENGTH = 52;

export function barsFigure(chart: ChartOf<'bars'>): Markup {
  const values = chart.rows.map(({ value }) => value);
  const axis = linearAxis(values, chart.unit);
  return rowsFigure(chart, {
    axis,
    rowHeight: ({ note = '' }) => (note === '' ? BAR_ROW : BAR_ROW + NOTE),
    draw: ({ name, value, text, rest = value, note = '' }, top) => {
      const at = html`x="0" y="${top + TEXT + 6}" height="${BAR}"`;
      const whole = rest < value && html`<rect class="bar whole" ${at} width="${axis.at(value)}%"/>`;
      const below =
        note !== '' &&
        html`<text class="note" y="${top + TEXT + BAR + NOTE + 4}">${shortenName(note, MAX_NOTE_LENGTH)}</text>`;
      return html`<g class="row muted">${rowText(top + TEXT, namePiece(name), text)}${whole}<rect class="bar" ${at} width="${axis.at(rest)}%"/>${below}</g>`;
    },
  });
}

// Frequencies over time: each row has columns, on a common axis of time.

const COLUMNS = 24;
const TIMELINE_ROW = 46;

/** Maximum number of columns: a phone could not show more separately. */
const MAX_COLUMNS = 80;

/** Columns: ends in percent of the axis, heights as shares of the highest. Neighbours are joined if too many. */
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

/** Share of a column's width that stays free, so that neighbours are separate. */
const FREE = 0.15;

export function timelineFigure(chart: ChartOf<'timeline'>): Markup {
  return rowsFigure(chart, {
    axis: linearAxis([chart.lengthMs * 1e6], 'time'),
    rowHeight: () => TIMELINE_ROW,
    draw: (row, top) => {
      const columns = timelineColumns(row, chart.lengthMs).map(({ from, to, height }) => {
        // Minimum height, so that one message among thousands stays visible.
        const high = Math.max(4, 100 * height);
        return html`<rect x="${from.toFixed(2)}" y="${(100 - high).toFixed(1)}" width="${((to - from) * (1 - FREE)).toFixed(2)}" height="${high.toFixed(1)}"/>`;
      });
      return html`<g class="timeline"><title>${row.name}: ${row.text}</title>${rowText(top + TEXT, shortenName(row.name), row.text)}${stretched(top + TEXT + 5, COLUMNS, columns)}</g>`;
    },
  });
}

/**
 * Charts of rows on a common axis: round trips and ratios. They are as wide as their container:
 * positions are percentages of the width, so that text keeps its size on every screen.
 */
import { ticks } from 'd3-array';
import { curveMonotoneX, line } from 'd3-shape';
import type { Histogram, Interval } from '../../../model/documents/measurement.ts';
import type { Chart, ChartOf } from '../../doc.ts';
import { bytes, count, time } from '../../text/numbers.ts';
import { markOf, type StyledText, shortenName } from '../../words.ts';
import { html, type Markup, type Piece, TONE_SIGNS } from '../markup.ts';
import { chartFigure, legendMarkup, markAt, placed } from './figure.ts';

interface Tick {
  at: number;
  text: string;
}

export interface Axis {
  /** Position of a value, 0 to 100. Values outside of the axis are placed at its ends. */
  at: (value: number) => number;
  ticks: readonly Tick[];
}

/** Shortens "1.00 ms" to "1 ms" for a tick. */
const short = (text: string): string => text.replace(/\.0+(?=\D|$)|(\.\d*?)0+(?=\D|$)/, '$1');

function ratioText(value: number): string {
  if (value === 1) return 'same';
  const factor = short((value < 1 ? 1 / value : value).toFixed(2));
  return `${factor}x ${value < 1 ? 'faster' : 'slower'}`;
}

export const TICK_TEXTS = {
  time: (value) => (value === 0 ? '0' : short(time(value))),
  bytes: (value) => short(bytes(value)),
  count,
  ratio: ratioText,
} as const satisfies Record<string, (value: number) => string>;

export type Unit = keyof typeof TICK_TEXTS;

/** Maximum number of ticks that fit on a phone. */
const MAX_TICKS = 5;
/** Minimum distance of ticks, in percent of the width: closer ticks would touch. */
const MIN_GAP = 17;

const round = (at: number): number => Math.round(at * 10) / 10;

export function spaced(values: readonly number[], at: Axis['at'], textOf: (value: number) => string): Tick[] {
  const ticks: Tick[] = [];
  for (const value of values) {
    const [here, last] = [at(value), ticks.at(-1)];
    if (last === undefined || here - last.at >= MIN_GAP) ticks.push({ at: here, text: textOf(value) });
  }
  return ticks;
}

/** Position of a value on an axis between two ends, 0 to 100. @param scale equal steps of its result have equal widths */
export function positionIn([low, high]: Interval, scale: (value: number) => number): Axis['at'] {
  const [from, to] = [scale(low), scale(high)];
  return (value) => Math.min(100, Math.max(0, (100 * (scale(value) - from)) / (to - from)));
}

function logDomain(values: readonly number[]): Interval {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return [1, 10];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  // The margin at both ends is 4 % of the logarithmic range.
  const margin = Math.max((high / low) ** 0.04, 1.02);
  // Numbers of a stored document may be as small or as large as numbers can be.
  return [Math.max(Number.MIN_VALUE, low / margin), Math.min(Number.MAX_VALUE, high * margin)];
}

/** First digits of ticks, and the number of decades in which they do not touch. */
const DIGITS: [decades: number, digits: readonly number[]][] = [
  [1.7, [1, 2, 5]],
  [2.8, [1, 3]],
  [Number.POSITIVE_INFINITY, [1]],
];
const ALL_DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Values in a range that are a power of the base, times a digit. */
function powersIn([low, high]: Interval, base: number, digits: readonly number[]): number[] {
  const powerOf = (value: number) => Math.log(value) / Math.log(base);
  // A power that rounding has made too small or too large is one more, which the range leaves out.
  const [first, last] = [Math.floor(powerOf(low)), Math.ceil(powerOf(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, nth) => base ** (first + nth));
  const values = powers.flatMap((power) => digits.map((digit) => digit * power));
  return values.filter((value) => low <= value && value <= high);
}

/** Round values in a range: powers of two for ratios, else of ten, with values between them in a small range. */
export function logTicks(range: Interval, unit: Unit): number[] {
  const [low, high] = range;
  const isRatio = unit === 'ratio';
  const all = isRatio ? powersIn(range, 2, [1]) : powersIn(range, 10, ALL_DIGITS);
  // A small range, such as 500 to 520, has no round values.
  if (all.length < 3) return ticks(low, high, MAX_TICKS);
  if (isRatio) return all;
  const digits = DIGITS.find(([decades]) => Math.log10(high) - Math.log10(low) < decades)![1];
  const round = powersIn(range, 10, digits);
  return round.length > 1 ? round : all;
}

/** Logarithmic axis of the values, with a margin. Values of 0 and below are at the left end. */
export function logAxis(values: readonly number[], unit: Unit): Axis {
  const domain = logDomain(values);
  const position = positionIn(domain, Math.log);
  const at = (value: number) => (value > 0 ? round(position(value)) : 0);
  return { at, ticks: spaced(logTicks(domain, unit), at, TICK_TEXTS[unit]) };
}

const AXIS_HEIGHT = 20;

/** Text near an end of the axis begins or ends there. */
const anchored = (at: number): Piece =>
  at < 8 ? html` text-anchor="start"` : at > 92 ? html` text-anchor="end"` : null;

const axisMarkup = ({ ticks }: Axis, bottom: number): Markup =>
  html`<g class="axis">${ticks.map(
    ({ at, text }) =>
      html`<line x1="${at}%" x2="${at}%" y2="${bottom}"/><text x="${at}%" y="${bottom + 15}"${anchored(at)}>${text}</text>`,
  )}</g>`;

/** Texts of a row, and the drawing below them, which is `height` px high. */
interface Row {
  name: Piece;
  value: StyledText;
  height: number;
  draw: (top: number) => Piece;
}

interface Rows<Of> {
  axis: Axis;
  toRow: (of: Of) => Row;
  legend?: Piece;
  around?: (axes: Piece, height: number) => Piece;
}

/** Baseline of the texts of a row, and their height, px. */
const TEXT = 13;
const TEXTS = TEXT + 6;

function rowsFigure<Of>(chart: Chart & { rows: readonly Of[] }, rows: Rows<Of>): Markup {
  const { axis, toRow, legend = null, around = (axes) => axes } = rows;
  let height = 0;
  const drawn = chart.rows.map((of) => {
    const { name, value, height: own, draw } = toRow(of);
    const [top, y] = [height + TEXTS, height + TEXT];
    height = top + own;
    const text = [markOf(value, TONE_SIGNS), shortenName(value.text, MAX_NAME_LENGTH)]
      .filter(Boolean)
      .join(' ');
    return html`<g class="row"><text y="${y}">${name}</text><text class="value ${value.tone ?? 'muted'}" x="100%" y="${y}">${text}</text>${draw(top)}</g>`;
  });
  const content = [around(axisMarkup(axis, height), height), drawn];
  return chartFigure(chart, { height: height + AXIS_HEIGHT, content, legend });
}

const MAX_NAME_LENGTH = 34;

function namePiece(name: string): Piece {
  const cut = shortenName(name, MAX_NAME_LENGTH);
  return cut === name ? name : html`<title>${name}</title>${cut}`;
}

/** Stretches paths to the width of the chart. Coordinates are percentages of `height`, and shares of `width` across. */
const stretched = (y: number, height: number, width: number, content: Piece): Markup =>
  html`<svg y="${y}" width="100%" height="${height}" viewBox="0 0 ${width} 100" preserveAspectRatio="none">${content}</svg>`;

function estimateMarkup(at: number, [low, high]: Interval, y: number, axis: Axis, series: number): Piece {
  const [from, to] = [axis.at(low), axis.at(high)];
  const ends = [from, to].map((x) => html`<line x1="${x}%" x2="${x}%" y1="${y - 6}" y2="${y + 6}"/>`);
  return [html`<line x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/>`, ends, markAt(axis.at(at), y, series)];
}

/** Ends of the histogram in ns. */
const binEnds = ({ from, to }: Histogram): Interval => [10 ** from, 10 ** to];

const HILL = 44;
const TRACK = 24;
const FLOOR = html`<path class="floor" d="M0,-7V7M-3,-7H3M-3,7H3"/>`;

export function timesFigure(chart: ChartOf<'times'>): Markup {
  const all = chart.rows.flatMap(({ now, best }) => [now, ...(best ? [best] : [])]);
  const values = all.flatMap(({ ci, histogram }) => [...ci, ...(histogram ? binEnds(histogram) : [])]);
  const axis = logAxis([...values, ...chart.rows.flatMap(({ floor, p95 }) => [floor, p95 ?? floor])], 'time');
  const signs = [
    { name: 'now', mark: html`<g class="now">${markAt(50, 6, 0)}</g>` },
    { name: 'with the rewrite', mark: html`<g class="best">${markAt(50, 6, 3)}</g>` },
    { name: 'floor: an empty message', mark: placed(50, 6, FLOOR) },
    { name: 'p95', mark: html`<line class="p95" x1="50%" x2="50%" y1="0" y2="12"/>` },
  ];
  return rowsFigure(chart, {
    axis,
    toRow: ({ name, now, best, floor, p95 }) => ({
      name: namePiece(name),
      value: { text: [now, best].flatMap((one) => (one ? time(one.median) : [])).join(' → ') },
      height: HILL + TRACK,
      draw: (top) => {
        const [bottom, y] = [top + HILL, top + HILL + 10];
        const series = ({ median, ci, histogram }: typeof now, mark: number) => [
          histogram &&
            stretched(top, HILL, 1000, html`<path class="hill" d="${hillPath(histogram, axis)}"/>`),
          estimateMarkup(median, ci, y, axis, mark),
        ];
        const across = (from: number, to: number) => html`x1="${axis.at(from)}%" x2="${axis.at(to)}%"`;
        return [
          p95 !== null &&
            html`<line class="p95" ${across(p95, p95)} y1="${top}" y2="${bottom + 3}"><title>p95 ${time(p95)}</title></line>`,
          placed(axis.at(floor), y, FLOOR),
          best && html`<line class="saved" ${across(best.median, now.median)} y1="${y}" y2="${y}"/>`,
          html`<g class="now">${series(now, 0)}</g>`,
          best && html`<g class="best">${series(best, 3)}</g>`,
        ];
      },
    }),
    legend: legendMarkup(signs),
  });
}

function hillPath(histogram: Histogram, axis: Axis): string {
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
    toRow: ({ name, point, outcome }) => ({
      ...{ name: namePiece(name), value: outcome, height: 20 },
      draw: (top) =>
        point &&
        html`<g class="point ${point.tone}">${estimateMarkup(point.ratio, point.ci, top + 6, axis, 0)}</g>`,
    }),
    around: (axes, height) => [
      html`<rect class="band" x="${from}%" y="0" width="${(to - from).toFixed(1)}%" height="${height}"/>`,
      axes,
      html`<line class="one" x1="${one}%" x2="${one}%" y1="0" y2="${height}"/>`,
    ],
  });
}

/** Parts of all charts: the frame with title, description and table, axes, marks and legends. */

import { ticks } from 'd3-array';
import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import type { Interval } from '../../../model/documents/measurement.ts';
import type { Chart, Column } from '../../doc.ts';
import { atMost } from '../../text/groups.ts';
import { bytes, count, time } from '../../text/numbers.ts';
import type { Span } from '../../words.ts';
import { html, type Markup, type Piece, tableMarkup } from '../markup.ts';

interface Drawing {
  /** Height in px. `width`: for a drawing that scales with its container; default: the container's width. */
  height: number;
  width?: number;
  content: Piece;
  legend?: Piece;
  /** True if its parts are named and focusable. */
  hasParts?: true;
}

export function chartFigure({ kind, title, of, columns }: Chart, drawing: Drawing): Markup {
  const { height, width, content, legend = null, hasParts } = drawing;
  // Screen readers ignore the names of parts inside an image.
  const role = hasParts ? 'group' : 'img';
  const size =
    width === undefined ? html`width="100%" height="${height}"` : html`viewBox="0 0 ${width} ${height}"`;
  return html`<figure class="chart ${kind}"><figcaption>${title}</figcaption><svg role="${role}" ${size}><title>${title}</title><desc>${description(columns)}</desc>${content}</svg>${legend}<details><summary>${of === undefined ? '' : `${of}: `}${title}, as a table</summary>${tableMarkup({ title, columns })}</details></figure>
`;
}

/** Maximum rows in the description of a drawing. Its table has all. */
const MAX_DESCRIBED = 12;

/** Rows of the table in words, for readers who cannot see the drawing. */
function description([names, ...others]: readonly Column[]): string {
  const textOf = (cell: Span = '') => (typeof cell === 'string' ? cell : cell.text);
  const rows = (names?.cells ?? []).map((name, row) => {
    const facts = others.flatMap(({ head, cells, isDrawn }) => {
      const text = textOf(cells[row]);
      return text === '' || isDrawn ? [] : `${head} ${text}`.trimStart();
    });
    return `${textOf(name)}: ${facts.join(', ')}`;
  });
  return `${atMost(MAX_DESCRIBED, rows, (more) => `and ${more} more`).join('; ')}.`;
}

/** Places content of a fixed size at a share of the width, which becomes its origin. */
export const placed = (at: number, y: number, content: Piece): Markup =>
  html`<svg class="at" x="${at}%" y="${y}">${content}</svg>`;

export const legendMarkup = (entries: readonly { name: string; mark: Piece }[]): Markup =>
  html`<ul class="legend">${entries.map(
    ({ name, mark }) => html`<li><svg aria-hidden="true" width="16" height="12">${mark}</svg> ${name}</li>`,
  )}</ul>`;

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolWye];

/** SVG path of the mark of a series, around the origin. @param series number of the series @param size area, px² */
export const markPath = (series: number, size: number): string =>
  symbol(SHAPES[series % SHAPES.length], size).digits(1)() ?? '';

/** Area of a mark, px². */
const MARK = 90;

export const markAt = (at: number, y: number, series: number): Markup =>
  placed(at, y, html`<path d="${markPath(series, MARK)}"/>`);

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

const TICK_TEXTS = {
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

export const toTenth = (at: number): number => Math.round(at * 10) / 10;

function spaced(values: readonly number[], at: Axis['at'], textOf: (value: number) => string): Tick[] {
  const ticks: Tick[] = [];
  for (const value of values) {
    const [here, last] = [at(value), ticks.at(-1)];
    if (last === undefined || here - last.at >= MIN_GAP) ticks.push({ at: here, text: textOf(value) });
  }
  return ticks;
}

/** Position of a value on an axis between two ends, 0 to 100. @param scale equal steps of its result have equal widths */
function positionIn([low, high]: Interval, scale: (value: number) => number): Axis['at'] {
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
function logTicks(range: Interval, unit: Unit): number[] {
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
  const at = (value: number) => (value > 0 ? toTenth(position(value)) : 0);
  return { at, ticks: spaced(logTicks(domain, unit), at, TICK_TEXTS[unit]) };
}

const formatSize = (value: number, unit: Unit): string => {
  const text = TICK_TEXTS.bytes(value);
  return unit === 'bytes' ? text : text.replace(/ ?B$/, '');
};

/** Axis of sizes from end to end: logarithmic, or log(1 + size) if 0 is among the sizes. */
export function sizeAxis([low, high]: Interval, unit: Unit): Axis {
  if (!(low < high)) return { at: () => 50, ticks: [{ at: 50, text: formatSize(low, unit) }] };
  const position = positionIn([low, high], low > 0 ? Math.log : Math.log1p);
  const at = (value: number) => Math.round(position(value) * 100) / 100;
  const ticks = [...(low > 0 ? [] : [0]), ...logTicks([Math.max(1, low), high], unit)];
  return { at, ticks: spaced(ticks, at, (value) => formatSize(value, unit)) };
}

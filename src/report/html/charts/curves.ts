/** Cost against size: curves with 95 % intervals, their names at the end, and the crossings. */

import { line } from 'd3-shape';
import type { Interval } from '../../../model/documents/measurement.ts';
import type { ChartOf, Curve, CurveCrossing } from '../../doc.ts';
import { visible } from '../../text/escape.ts';
import { shortenName } from '../../words.ts';
import { html, type Markup } from '../markup.ts';
import { chartFigure, legendMarkup, markPath } from './figure.ts';
import { type Axis, logAxis, logTicks, positionIn, spaced, TICK_TEXTS, type Unit } from './rows.ts';

/** Width in units of the view box, which are CSS pixels on a page of phone width. */
const CHART_WIDTH = 420;
const LEFT = 52;
const RIGHT = CHART_WIDTH - 132;
const TOP = 8;
/** Height above the plot: the name of the quantity (HEAD), and a line for each crossing (LANE). */
const HEAD = 14;
const LANE = 18;
const PLOT = 210;
const BOTTOM = 36;
const LABEL_GAP = 14;

type Point = readonly [x: number, y: number];

/** The plot: positions of its ends and of values, px. */
function curvesPlot({ x: sizes, y: times, crossings, unit }: ChartOf<'curves'>) {
  const top = TOP + LANE * crossings.length + HEAD;
  const bottom = top + PLOT;
  const xAxis = sizeAxis(sizes, unit === 'bytes' ? 'bytes' : 'count');
  const yAxis = logAxis(times, 'time');
  const xAt = (percent: number) => LEFT + ((RIGHT - LEFT) * percent) / 100;
  const yAt = (percent: number) => bottom - (PLOT * percent) / 100;
  return {
    ...{ top, bottom },
    x: (value: number) => xAt(xAxis.at(value)),
    y: (value: number) => yAt(yAxis.at(value)),
    xTicks: xAxis.ticks.map(({ at, text }) => ({ at: xAt(at), text })),
    yTicks: yAxis.ticks.map(({ at, text }) => ({ at: yAt(at), text })),
  };
}

type Plot = ReturnType<typeof curvesPlot>;

export function curvesFigure(chart: ChartOf<'curves'>): Markup {
  const { curves, crossings, published } = chart;
  const plot = curvesPlot(chart);
  const { top, bottom, x, y } = plot;
  const lines = curves.map(({ points }) => points.map((point): Point => [x(point.x), y(point.y)]));
  const labels = spread(
    lines.map((line) => line.at(-1)![1]),
    LABEL_GAP,
    [top, bottom],
  );
  const content = [
    axesMarkup(plot, chart),
    curves.map((curve, at) => intervalsMarkup(curve, lines[at]!, plot)),
    crossings.map((crossing, lane) => crossingMarkup(crossing, plot, TOP + LANE * (lane + 0.5))),
    curves.map((curve, at) => curveMarkup(curve, lines[at]!, labels[at]!)),
    published.map(
      (mark) =>
        html`<g class="published"><title>${mark.label}</title>${seriesMark(mark.style, x(mark.x), y(mark.y), true)}</g>`,
    ),
  ];
  const sources = [...new Set(published.map(({ source }) => source))];
  const entries = sources.map((source) => ({
    mark: seriesMark(0, 8, 6, true),
    name: `published: ${source}`,
  }));
  const legend = entries.length > 0 && legendMarkup(entries);
  return chartFigure(chart, { width: CHART_WIDTH, height: bottom + BOTTOM, content, legend });
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

function axesMarkup({ top, bottom, xTicks, yTicks }: Plot, { unit, quantity }: ChartOf<'curves'>): Markup {
  const x = xTicks.map(
    ({ at, text }) =>
      html`<line x1="${px(at)}" x2="${px(at)}" y1="${top}" y2="${bottom}"/><text x="${px(at)}" y="${bottom + 14}" text-anchor="middle">${text}</text>`,
  );
  const y = yTicks.map(
    ({ at, text }) =>
      html`<line x1="${LEFT}" x2="${RIGHT}" y1="${px(at)}" y2="${px(at)}"/><text x="${LEFT - 5}" y="${px(at + 4)}" text-anchor="end">${text}</text>`,
  );
  return html`<g class="axis">${x}${y}<text x="${(LEFT + RIGHT) / 2}" y="${bottom + 30}" text-anchor="middle">${unit}</text><text x="0" y="${top - 7}" text-anchor="start">${quantity}</text></g>`;
}

/** Half the width of the end lines of an interval, px. */
const CAP = 2;

/** Intervals are drawn as lines: areas of several curves would cover each other. */
function intervalsMarkup({ style, points }: Curve, line: readonly Point[], { y }: Plot): Markup {
  const d = points.map(({ ci: [low, high] }, at) => {
    const x = line[at]![0];
    const end = (value: number) => `M${px(x - CAP)},${px(y(value))}H${px(x + CAP)}`;
    return `${end(high)}M${px(x)},${px(y(high))}V${px(y(low))}${end(low)}`;
  });
  return html`<path class="interval ${colourClass(style)}" d="${d.join('')}"/>`;
}

function curveMarkup({ name, style }: Curve, places: readonly Point[], labelY: number): Markup {
  const d = line().digits(1)(places.map(([x, y]): [number, number] => [x, y])) ?? '';
  const label = html`${seriesMark(style, RIGHT + 16, labelY)}<text x="${RIGHT + 24}" y="${px(labelY + 4)}">${shortenName(visible(name), MAX_LABEL_LENGTH)}</text>`;
  return html`<g class="curve ${colourClass(style)}"><title>${name}</title><path class="line" d="${d}" stroke-dasharray="${lineDash(style)}"/>${places.map(([x, y]) => seriesMark(style, x, y))}${label}</g>`;
}

const MAX_LABEL_LENGTH = 17;
/** Approximate width of a character, px. */
const CHARACTER = 6.5;

function crossingMarkup({ style, x: size, ci, label, about }: CurveCrossing, plot: Plot, laneY: number) {
  const [x, from, to] = [size, ...ci].map(plot.x) as [number, ...Interval];
  // The label is on the right if it fits there: the lines of the crossings above do not reach it.
  const fits = to + 6 + CHARACTER * label.length <= CHART_WIDTH;
  const [at, anchor] = !fits ? [from - 6, 'end'] : [to + 6, 'start'];
  const whisker = html`<line class="interval" x1="${px(from)}" x2="${px(to)}" y1="${px(laneY)}" y2="${px(laneY)}"/>`;
  const drop = html`<line class="drop" x1="${px(x)}" x2="${px(x)}" y1="${px(laneY)}" y2="${plot.bottom}"/>`;
  return html`<g class="crossing ${colourClass(style)}"><title>${about}</title>${whisker}${drop}${seriesMark(style, x, laneY)}<text x="${px(at)}" y="${px(laneY + 4)}" text-anchor="${anchor}">${label}</text></g>`;
}

const COLOURS = 7;

/** Five dashes and six marks: 30 styles until a pair repeats. */
const DASHES = ['none', '6 3', '1.5 3', '9 3 2 3', '14 4'];

const colourClass = (style: number): string => `s${style % COLOURS}`;

export const lineDash = (style: number): string => DASHES[style % DASHES.length]!;

/** @param open true for a figure that others published */
export function seriesMark(style: number, x: number, y: number, open = false): Markup {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return html`<path class="mark ${colourClass(style)}${open ? ' open' : ''}" d="${markPath(style, 38)}" transform="${at}"/>`;
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

/** Places near the wanted ones, with `gap` between neighbours, or less if the room is too small. */
export function spread(wanted: readonly number[], gap: number, [low, high]: Interval): number[] {
  const step = Math.min(gap, (high - low) / Math.max(1, wanted.length - 1));
  const order = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = new Array<number>(wanted.length);
  let least = low;
  for (const [nth, index] of order.entries()) {
    const most = high - step * (wanted.length - 1 - nth);
    placed[index] = Math.min(most, Math.max(least, wanted[index]!));
    least = placed[index]! + step;
  }
  return placed;
}

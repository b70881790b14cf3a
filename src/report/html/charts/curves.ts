/** Cost against size: curves with 95 % intervals, and the crossings. */

import { line } from 'd3-shape';
import type { Interval } from '../../../model/documents/measurement.ts';
import type { ChartOf, Curve, CurveCrossing } from '../../doc.ts';
import { html, type Markup } from '../markup.ts';
import { chartFigure, legendMarkup, markPath } from './figure.ts';
import { type Axis, logAxis, logTicks, positionIn, spaced, TICK_TEXTS, type Unit } from './rows.ts';

/** Width in units of the view box, which are CSS pixels on a page of phone width. */
const CHART_WIDTH = 420;
const LEFT = 52;
const RIGHT = CHART_WIDTH - 12;
/** Height above the plot, for the name of the quantity. */
const TOP = 22;
const PLOT = 210;
const BOTTOM = TOP + PLOT;
/** Height below the plot, for the sizes. */
const FOOT = 36;

type Point = readonly [x: number, y: number];

/** The plot: positions of its ends and of values, px. */
function curvesPlot({ x: sizes, y: times, unit }: ChartOf<'curves'>) {
  const xAxis = sizeAxis(sizes, unit === 'bytes' ? 'bytes' : 'count');
  const yAxis = logAxis(times, 'time');
  const xAt = (percent: number) => LEFT + ((RIGHT - LEFT) * percent) / 100;
  const yAt = (percent: number) => BOTTOM - (PLOT * percent) / 100;
  return {
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
  const { x, y } = plot;
  const lines = curves.map(({ points }) => points.map((point): Point => [x(point.x), y(point.y)]));
  const content = [
    axesMarkup(plot, chart),
    curves.map((curve, at) => intervalsMarkup(curve, lines[at]!, plot)),
    crossings.map((crossing) => crossingMarkup(crossing, plot)),
    curves.map((curve, at) => curveMarkup(curve, lines[at]!)),
    published.map(
      (mark) =>
        html`<g class="published"><title>${mark.label}</title>${seriesMark(mark.style, x(mark.x), y(mark.y), true)}</g>`,
    ),
  ];
  const sources = new Set(published.map(({ source }) => source));
  const legend = legendMarkup([
    ...curves.map(({ name, style }) => ({ name, mark: seriesMark(style, 8, 6) })),
    ...[...sources].map((source) => ({ name: `published: ${source}`, mark: seriesMark(0, 8, 6, true) })),
  ]);
  return chartFigure(chart, { width: CHART_WIDTH, height: BOTTOM + FOOT, content, legend });
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

function axesMarkup({ xTicks, yTicks }: Plot, { unit, quantity }: ChartOf<'curves'>): Markup {
  const x = xTicks.map(
    ({ at, text }) =>
      html`<line x1="${px(at)}" x2="${px(at)}" y1="${TOP}" y2="${BOTTOM}"/><text x="${px(at)}" y="${BOTTOM + 14}" text-anchor="middle">${text}</text>`,
  );
  const y = yTicks.map(
    ({ at, text }) =>
      html`<line x1="${LEFT}" x2="${RIGHT}" y1="${px(at)}" y2="${px(at)}"/><text x="${LEFT - 5}" y="${px(at + 4)}" text-anchor="end">${text}</text>`,
  );
  return html`<g class="axis">${x}${y}<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 30}" text-anchor="middle">${unit}</text><text x="0" y="${TOP - 7}" text-anchor="start">${quantity}</text></g>`;
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

function curveMarkup({ name, style }: Curve, places: readonly Point[]): Markup {
  const d = line().digits(1)(places.map(([x, y]): [number, number] => [x, y])) ?? '';
  return html`<g class="curve ${colourClass(style)}"><title>${name}</title><path class="line" d="${d}" stroke-dasharray="${lineDash(style)}"/>${places.map(([x, y]) => seriesMark(style, x, y))}</g>`;
}

function crossingMarkup({ style, x: size, about }: CurveCrossing, { x }: Plot): Markup {
  const at = px(x(size));
  return html`<g class="crossing ${colourClass(style)}"><title>${about}</title><line x1="${at}" x2="${at}" y1="${TOP}" y2="${BOTTOM}"/></g>`;
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

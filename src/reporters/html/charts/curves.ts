/** Cost against size: a curve with its 95 % intervals each, its name at its end, and where curves cross. */
import { line } from 'd3-shape';
import type { CurvesChart } from '../../section/model/charts.ts';
import { visible } from '../../text/escape.ts';
import { html, type Markup } from '../markup/markup.ts';
import { CHART_WIDTH, type CurvesLayout, curvesLayout } from './curves-layout.ts';
import { chartFigure, legendMarkup, markPath, shortenName } from './figure.ts';

export function curvesFigure(chart: CurvesChart): Markup {
  const layout = curvesLayout(chart);
  const content = [
    axesMarkup(layout, chart),
    layout.curves.map(intervalsMarkup),
    layout.crossings.map(crossingMarkup),
    layout.curves.map((one) => curveMarkup(one, layout)),
    layout.published.map(
      ({ mark: { style, label }, place: [x, y] }) =>
        html`<g class="published"><title>${label}</title>${seriesMark(style, x, y, true)}</g>`,
    ),
  ];
  const sources = [...new Set(chart.published.map(({ source }) => source))];
  const entries = sources.map((source) => ({
    mark: seriesMark(0, 8, 6, true),
    name: `published: ${source}`,
  }));
  const legend = entries.length === 0 ? null : legendMarkup(entries);
  return chartFigure(chart, { width: CHART_WIDTH, height: layout.height, content, legend });
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

function axesMarkup(layout: CurvesLayout, { unit, quantity }: CurvesChart): Markup {
  const { left, right, top, bottom, xTicks, yTicks } = layout;
  const x = xTicks.map(
    ({ at, text }) =>
      html`<line x1="${px(at)}" x2="${px(at)}" y1="${top}" y2="${bottom}"/><text x="${px(at)}" y="${bottom + 14}" text-anchor="middle">${text}</text>`,
  );
  const y = yTicks.map(
    ({ at, text }) =>
      html`<line x1="${left}" x2="${right}" y1="${px(at)}" y2="${px(at)}"/><text x="${left - 5}" y="${px(at + 4)}" text-anchor="end">${text}</text>`,
  );
  const middle = (left + right) / 2;
  return html`<g class="axis">${x}${y}<text x="${middle}" y="${bottom + 30}" text-anchor="middle">${unit}</text><text x="0" y="${top - 7}" text-anchor="start">${quantity}</text></g>`;
}

/** Intervals of several curves as areas would cover each other. */
function intervalsMarkup({ curve, band }: CurvesLayout['curves'][number]): Markup {
  const d = band.map(([x, high, low]) => {
    const [left, right] = [px(x - CAP), px(x + CAP)];
    return `M${left},${px(high)}H${right}M${px(x)},${px(high)}V${px(low)}M${left},${px(low)}H${right}`;
  });
  return html`<path class="interval ${colourClass(curve.style)}" d="${d.join('')}"/>`;
}

/** Half of the width of the ends of an interval. */
const CAP = 2;

/** Far enough from the end of its curve, a name is joined to it. */
const NEAR = 4;

function curveMarkup(drawn: CurvesLayout['curves'][number], { right }: CurvesLayout): Markup {
  const { curve, line: places, labelY } = drawn;
  const { name, style } = curve;
  const [endX, endY] = places.at(-1)!;
  const d = line().digits(1)(places.map(([x, y]): [number, number] => [x, y])) ?? '';
  const isFar = Math.abs(labelY - endY) > NEAR || right - endX > NEAR;
  const joint = isFar
    ? html`<line class="joint" x1="${px(endX + 5)}" y1="${px(endY)}" x2="${right + 10}" y2="${px(labelY)}"/>`
    : null;
  const label = html`${seriesMark(style, right + 16, labelY)}<text x="${right + 24}" y="${px(labelY + 4)}">${shortenName(visible(name), MAX_LABEL_LENGTH)}</text>`;
  return html`<g class="curve ${colourClass(style)}"><title>${name}</title><path class="line" d="${d}" stroke-dasharray="${lineDash(style)}"/>${places.map(([x, y]) => seriesMark(style, x, y))}${joint}${label}</g>`;
}

const MAX_LABEL_LENGTH = 17;
/** px of a character, about. */
const CHARACTER = 6.5;

/** Above the plot the interval with its text, in the plot where the curves meet. */
function crossingMarkup({ crossing, x, from, to, laneY, y }: CurvesLayout['crossings'][number]): Markup {
  // To the right, where the lines of the crossings above are not.
  const fits = to + 6 + CHARACTER * crossing.label.length <= CHART_WIDTH;
  const [at, anchor] = !fits ? [from - 6, 'end'] : [to + 6, 'start'];
  const whisker = html`<line class="interval" x1="${px(from)}" x2="${px(to)}" y1="${px(laneY)}" y2="${px(laneY)}"/>`;
  const drop = html`<line class="drop" x1="${px(x)}" x2="${px(x)}" y1="${px(laneY)}" y2="${px(y - 6)}"/>`;
  return html`<g class="crossing ${colourClass(crossing.style)}"><title>${crossing.about}</title>${whisker}${drop}${seriesMark(crossing.style, x, laneY)}<circle cx="${px(x)}" cy="${px(y)}" r="6"/><text x="${px(at)}" y="${px(laneY + 4)}" text-anchor="${anchor}">${crossing.label}</text></g>`;
}

const COLOURS = 7;

/** Five, and the marks are six: 30 styles before a pair comes again. */
const DASHES = ['none', '6 3', '1.5 3', '9 3 2 3', '14 4'];

const colourClass = (style: number): string => `s${style % COLOURS}`;

export const lineDash = (style: number): string => DASHES[style % DASHES.length]!;

/** @param open published by others, not measured here */
export function seriesMark(style: number, x: number, y: number, open = false): Markup {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return html`<path class="mark ${colourClass(style)}${open ? ' open' : ''}" d="${markPath(style, 38)}" transform="${at}"/>`;
}

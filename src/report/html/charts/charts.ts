/**
 * Draws charts of all kinds. Charts of rows and of bytes are as wide as their container: positions are percentages of
 * the width, so that text keeps its size on every screen.
 */

import { curveMonotoneX, line } from 'd3-shape';
import type { Histogram, Interval } from '../../../model/documents/measurement.ts';
import { COST_CLASSES, type CostClass } from '../../../model/names.ts';
import { sumOf } from '../../../model/sums.ts';
import type { Chart, ChartOf, Curve, CurveCrossing, IcicleCell } from '../../doc.ts';
import { groupedBy } from '../../text/groups.ts';
import { bytes, count, percent, time } from '../../text/numbers.ts';
import { listed, markOf, type StyledText, shortenName } from '../../words.ts';
import { html, type Markup, type Piece, TONE_SIGNS } from '../markup.ts';
import {
  type Axis,
  chartFigure,
  legendMarkup,
  logAxis,
  markAt,
  markPath,
  placed,
  sizeAxis,
  toTenth,
} from './figure.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: ChartOf<Kind>) => Markup } = {
  ...{ times: timesFigure, forest: forestFigure },
  ...{ icicle: icicleFigure, curves: curvesFigure },
};

export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });

const TEXTURE_OF: Partial<Record<CostClass, Markup>> = {
  serialized: html`<path d="M2,3H3.5"/>`,
  degraded: html`<path d="M-1,8L8,-1"/>`,
  rejected: html`<path d="M-1,8L8,-1M-1,-1L8,8"/>`,
};

const texture = (name: CostClass): Markup =>
  html`<pattern id="${name}" width="7" height="7" patternUnits="userSpaceOnUse"><rect class="${name}" width="7" height="7"/>${TEXTURE_OF[name]}</pattern>`;

/** Colours and textures of cost classes, which can be distinguished without colour. */
export const TEXTURES = html`<svg class="textures" aria-hidden="true" width="0" height="0"><defs>${COST_CLASSES.map(texture)}</defs></svg>
`;

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

function timesFigure(chart: ChartOf<'times'>): Markup {
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

function forestFigure(chart: ChartOf<'forest'>): Markup {
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

// Cost against size: curves with 95 % intervals, and the crossings.

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

type Point = [x: number, y: number];

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

function curvesFigure(chart: ChartOf<'curves'>): Markup {
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

function axesMarkup({ xTicks, yTicks }: Plot, { unit, quantity }: ChartOf<'curves'>): Markup {
  const x = xTicks.map(
    ({ at, text }) =>
      html`<line x1="${toTenth(at)}" x2="${toTenth(at)}" y1="${TOP}" y2="${BOTTOM}"/><text x="${toTenth(at)}" y="${BOTTOM + 14}" text-anchor="middle">${text}</text>`,
  );
  const y = yTicks.map(
    ({ at, text }) =>
      html`<line x1="${LEFT}" x2="${RIGHT}" y1="${toTenth(at)}" y2="${toTenth(at)}"/><text x="${LEFT - 5}" y="${toTenth(at + 4)}" text-anchor="end">${text}</text>`,
  );
  return html`<g class="axis">${x}${y}<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 30}" text-anchor="middle">${unit}</text><text x="0" y="${TOP - 7}" text-anchor="start">${quantity}</text></g>`;
}

/** Half the width of the end lines of an interval, px. */
const CAP = 2;

/** Intervals are drawn as lines: areas of several curves would cover each other. */
function intervalsMarkup({ style, points }: Curve, line: readonly Point[], { y }: Plot): Markup {
  const d = points.map(({ ci: [low, high] }, at) => {
    const x = line[at]![0];
    const end = (value: number) => `M${toTenth(x - CAP)},${toTenth(y(value))}H${toTenth(x + CAP)}`;
    return `${end(high)}M${toTenth(x)},${toTenth(y(high))}V${toTenth(y(low))}${end(low)}`;
  });
  return html`<path class="interval ${colourClass(style)}" d="${d.join('')}"/>`;
}

function curveMarkup({ name, style }: Curve, places: readonly Point[]): Markup {
  const d = line().digits(1)(places) ?? '';
  return html`<g class="curve ${colourClass(style)}"><title>${name}</title><path class="line" d="${d}" stroke-dasharray="${lineDash(style)}"/>${places.map(([x, y]) => seriesMark(style, x, y))}</g>`;
}

function crossingMarkup({ style, x: size, about }: CurveCrossing, { x }: Plot): Markup {
  const at = toTenth(x(size));
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

// A payload by its bytes: each part is as wide as its share, below the part that contains it.

const ROW = 30;

interface PlacedCell {
  cell: IcicleCell;
  /** In percent of the width, which the root fills. */
  x: number;
  width: number;
  depth: number;
}

/** Bytes of a cell: estimates of its children may exceed its own. */
function weightOf({ bytes: all, children }: IcicleCell): number {
  const own = all - sumOf(children, (child) => child.bytes);
  return Math.max(0, own) + sumOf(children, weightOf);
}

/** All cells, those of one depth after those above. */
export function placedCells(root: IcicleCell): PlacedCell[] {
  const whole = weightOf(root) || 1;
  const placed: PlacedCell[] = [{ cell: root, x: 0, width: 100, depth: 0 }];
  // Each cell appends its children, which the loop comes to later.
  for (const { cell, x, depth } of placed) {
    let left = x;
    for (const child of cell.children) {
      const width = (100 * weightOf(child)) / whole;
      placed.push({ cell: child, x: left, width, depth: depth + 1 });
      left += width;
    }
  }
  return placed;
}

function icicleFigure(chart: ChartOf<'icicle'>): Markup {
  const cells = placedCells(chart.root);
  const rows = 1 + Math.max(...cells.map(({ depth }) => depth));
  const classes = [...new Set(cells.map(({ cell }) => cell.class))];
  const isBlocked = cells.some(({ cell }) => cell.blockers.length > 0);
  const entries = [
    ...classes.map((name) => ({ name, mark: html`<rect fill="url(#${name})" width="16" height="12"/>` })),
    ...(isBlocked ? [BLOCKED] : []),
  ];
  // If there is a single class, the colour does not carry information.
  const legend = entries.length > 1 && legendMarkup(entries);
  // Each class is one group, which sets its colour. Blockers come last, so that their outlines cover their neighbours.
  const isBlocker = ({ cell }: PlacedCell) => cell.blockers.length > 0;
  const content = [cells.filter((one) => !isBlocker(one)), cells.filter(isBlocker)].map((part) =>
    groupedBy(part, ({ cell }) => cell.class).map(
      ([name, own]) => html`<g class="cells" fill="url(#${name})">${own.map(cellMarkup)}</g>`,
    ),
  );
  return chartFigure(chart, { height: rows * ROW, content, legend: [READOUT, legend], hasParts: true });
}

const BLOCKED = {
  name: 'blocks a better path',
  mark: html`<rect class="blocker" x="1" y="1" width="14" height="10"/>`,
};

/** The script of the page writes the name of the focused or pointed part here. */
const READOUT = html`<p class="readout" aria-hidden="true"></p>`;

function cellMarkup({ cell, x, width, depth }: PlacedCell): Markup {
  const isBlocker = cell.blockers.length > 0;
  const focus = (isBlocker || width >= MIN_FOCUS) && html` tabindex="0" role="img"`;
  const shown = isBlocker ? Math.max(width, MIN_BLOCKER) : width;
  return html`<svg x="${x.toFixed(1)}%" y="${depth * ROW}" width="${shown.toFixed(1)}%" height="${ROW - 1}"${focus}><title>${aboutCell(cell, width / 100)}</title>${FILLED}${isBlocker && BLOCKER}${labelMarkup(cell, width)}</svg>`;
}

/** Minimum width of a blocker in percent, so that it stays visible. */
const MIN_BLOCKER = 0.5;

// The style sheet sets width and height, because there are thousands of these.
const FILLED = html`<rect/>`;
const BLOCKER = html`<rect class="blocker"/>`;

/** Minimum width of a tab stop, in percent: stops at smaller parts would be a nuisance. The table has all parts. */
const MIN_FOCUS = 10;

/** Minimum width in percent of a part with a label, which its end cuts. */
const MIN_LABEL = 4;

const labelMarkup = ({ name, blockers }: IcicleCell, width: number): Piece =>
  width >= MIN_LABEL &&
  html`<text${blockers.length > 0 && html` class="blocked"`} x="5" y="19">${name}</text>`;

const MAX_PATH_LENGTH = 60;

function aboutCell(cell: IcicleCell, share: number): string {
  const { name, path, kinds, count: seen, bytes: size, send, blockers } = cell;
  const place = path === null ? name : shortenName(path, MAX_PATH_LENGTH);
  const timed = send === null ? '' : `; ${percent(send)} of send`;
  const amount = `${place}: ${bytes(size)}, ${percent(share)}${timed}`;
  return [amount, `${listed(kinds)} ${count(seen)}×`, ...blockers].join(' · ');
}

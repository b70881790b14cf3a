/** `clone-prof sweep` on a terminal: the conclusions, then a chart and its table for each runtime, then other tables. */
import type { SweepReport } from '../../model/documents/sweep.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { CurvesChart } from '../section/model/charts.ts';
import type { Column } from '../section/model/columns.ts';
import { cutMiddle, hanging, indented, paragraph, textWidth, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { indentedTable } from '../terminal/table.ts';
import { joinBlocks } from '../text/blocks.ts';
import { time } from '../text/numbers.ts';
import { type SweepSection, sweepSection } from './section.ts';
import { amountText } from './texts.ts';

export function terminalSweep(report: SweepReport, options: RenderOptions): string {
  const style = terminalStyle(options);
  const { title, lead, verdict, conclusions, charts, tables, notes } = sweepSection(report);
  const isCompared = report.standings.length > 0;
  return joinBlocks([
    [style.paint.title(style.text(title)), ...paragraph(lead, style)],
    verdict.flatMap((one) => paragraph(one, style)),
    ...conclusions.map((one) => conclusionLines(one, style)),
    ...charts.flatMap((one) => [
      // A single one is named above.
      [...(charts.length > 1 ? [style.paint.title(style.text(one.title))] : []), ...chartLines(one, style)],
      tableLines(isCompared ? LEGEND : one.quantity, one.columns, style),
    ]),
    ...tables.map((one) => tableLines(one.title, one.columns, style)),
    notes.flatMap((note) => paragraph(note, style)),
  ]);
}

const conclusionLines = (
  { about, texts }: SweepSection['conclusions'][number],
  style: TerminalStyle,
): string[] => [
  ...(about === null ? [] : paragraph(about, style).map(style.paint.title)),
  ...indented(texts.flatMap((text) => hanging(style.text(text), style.columns - 2))),
];

const LEGEND = 'round trip; + faster than raw, - slower, = no relevant difference, ? undecided';

const mutedLines = (text: string, style: TerminalStyle): string[] =>
  indented(wrapped(style.text(text), style.columns - 2).map(style.paint.muted));

const tableLines = (title: string, columns: readonly Column[], style: TerminalStyle): string[] => [
  ...mutedLines(title, style),
  ...indentedTable(columns, style),
];

const CHART_LINES = 12;

function chartLines({ curves, quantity, unit }: CurvesChart, style: TerminalStyle): string[] {
  const marks = seriesMarks(curves.map(({ name }) => name));
  const lines = chart(
    curves.map(({ name, points }) => ({ mark: marks.get(name) ?? '?', label: name, points })),
    { width: style.columns - 2, height: CHART_LINES, xLabel: amountText, yLabel: time },
    style,
  );
  if (lines.length === 0) return [];
  return [...indented(lines), ...mutedLines(`${quantity} by ${unit}, both axes logarithmic`, style)];
}

/** The first letter of each name that no other has taken. */
function seriesMarks(names: readonly string[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const name of names) {
    const letters = [...name.toLowerCase().replace(/[^a-z]/g, ''), ...'0123456789'];
    const taken = new Set(marks.values());
    marks.set(name, letters.find((letter) => !taken.has(letter)) ?? '?');
  }
  return marks;
}

interface Curve {
  /** One character, of which the curve is drawn; its points are brighter than what is between them. */
  mark: string;
  label: string;
  /** x >= 0, y > 0; x ascends. */
  points: readonly { x: number; y: number }[];
}

interface Axes {
  /** Cells, labels included. */
  width: number;
  /** Lines of the drawing, without the axis. */
  height: number;
  xLabel: (x: number) => string;
  yLabel: (y: number) => string;
}

interface ChartFrame {
  column: (x: number) => number;
  row: (y: number) => number;
  columns: number;
  rows: number;
}

const GUTTER = 10;
const MIN_COLUMNS = 10;
/** Share of the width for the labels at the ends. */
const MAX_LABEL = 1 / 3;

export function chart(curves: readonly Curve[], axes: Axes, style: TerminalStyle): string[] {
  const points = curves.flatMap((curve) => curve.points);
  if (points.length === 0) return [];
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const ends = endLabels(curves, Math.floor(axes.width * MAX_LABEL), style);
  const columns = Math.max(MIN_COLUMNS, axes.width - GUTTER - 2 - Math.max(...ends.map(textWidth)));
  const frame: ChartFrame = {
    columns,
    rows: axes.height,
    column: scale(Math.log1p(Math.min(...xs)), Math.log1p(Math.max(...xs)), columns, Math.log1p),
    row: scale(Math.log(high), Math.log(low), axes.height, Math.log),
  };
  const labels = new Map([
    [0, axes.yLabel(high)],
    [axes.height >> 1, axes.yLabel(Math.sqrt(low * high))],
    [axes.height - 1, axes.yLabel(low)],
  ]);
  const drawn = drawing(curves, frame, style);
  const rows = endRows(curves, frame);
  const body = drawn.map((cells, row) => {
    const end = ends[rows.indexOf(row)] ?? '';
    return `${gutter(labels.get(row) ?? '', style)}${cells.join('')} ${end}`.trimEnd();
  });
  const axis = style.unicode ? `└${'─'.repeat(columns)}` : `+${'-'.repeat(columns)}`;
  const sizes = [...new Set(xs)].sort((a, b) => a - b);
  const indent = ' '.repeat(GUTTER);
  return [...body, `${indent}${axis}`, `${indent} ${style.text(xLabels(sizes, frame, axes.xLabel))}`];
}

/** From a value to a cell between 0 and `cells` - 1; the middle when all values are the same. */
const scale = (from: number, to: number, cells: number, log: (value: number) => number) => (value: number) =>
  from === to ? (cells - 1) >> 1 : Math.round(((log(value) - from) / (to - from)) * (cells - 1));

const endLabels = (curves: readonly Curve[], width: number, style: TerminalStyle): string[] =>
  curves.map(({ mark, label, points }) =>
    points.length === 0 ? '' : cutMiddle(`${mark} ${style.text(label)}`, width, style),
  );

/** The row of each label: where its curve ends, or the nearest that is free; none (-1) where it has no point. */
function endRows(curves: readonly Curve[], { row, rows }: ChartFrame): number[] {
  const taken: number[] = [];
  for (const { points } of curves) {
    const last = points.at(-1);
    const free = last === undefined ? [] : [...Array(rows).keys()].filter((at) => !taken.includes(at));
    const distance = (at: number) => Math.abs(at - row(last?.y ?? 1));
    taken.push(free.sort((a, b) => distance(a) - distance(b))[0] ?? -1);
  }
  return taken;
}

function gutter(label: string, style: TerminalStyle): string {
  const text = style.text(label);
  return `${' '.repeat(Math.max(0, GUTTER - 1 - textWidth(text)))}${text} ${style.unicode ? '│' : '|'}`;
}

/** Points lie over what is between others; where two meet, the curve that was given first is on top. */
function drawing(curves: readonly Curve[], frame: ChartFrame, style: TerminalStyle): string[][] {
  const cells = Array.from({ length: frame.rows }, () => new Array<string>(frame.columns).fill(' '));
  const put = (row: number, column: number, sign: string) => {
    const line = cells[row];
    if (line && column in line) line[column] = sign;
  };
  const upwards = [...curves].reverse();
  for (const { mark, points } of upwards)
    for (const { row, column } of between(points, frame)) put(row, column, style.paint.muted(mark));
  for (const { mark, points } of upwards)
    for (const { x, y } of points) put(frame.row(y), frame.column(x), mark);
  return cells;
}

function* between(points: Curve['points'], { row, column }: ChartFrame) {
  for (let right = 1; right < points.length; right++) {
    const [a, b] = [points[right - 1]!, points[right]!];
    const [from, to] = [column(a.x), column(b.x)];
    for (let at = from; at < to; at++) {
      const share = (at - from) / (to - from);
      yield { column: at, row: row(Math.exp(Math.log(a.y) + share * Math.log(b.y / a.y))) };
    }
  }
}

/** As many sizes as have room, the first and the last always. */
function xLabels(xs: readonly number[], { column, columns }: ChartFrame, xLabel: Axes['xLabel']): string {
  const labels = xs.map((x) => {
    const text = xLabel(x);
    return { text, start: Math.max(0, Math.min(column(x), columns - text.length)) };
  });
  const last = labels.pop()!;
  let line = '';
  for (const { text, start } of labels) {
    const isFree = (line === '' || start >= line.length + 2) && start + text.length + 2 <= last.start;
    if (isFree) line = line.padEnd(start) + text;
  }
  return line.padEnd(last.start) + last.text;
}

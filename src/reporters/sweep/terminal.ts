/** `clone-prof sweep` on a terminal: tables and a chart for each runtime, then the results in sentences. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { SweepPoint, SweepReport } from '../../model/report/sweep.ts';
import { textOf } from '../blocks.ts';
import { groupedBy } from '../grouped.ts';
import { time } from '../numbers.ts';
import { listed } from '../section/sentence.ts';
import { hanging, indented, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { type Curve, chart } from './chart.ts';
import { changeText, folkloreTexts, winnerColumns } from './folklore.ts';
import { comparisonTexts } from './published.ts';
import { publishedColumns, roundTripColumns, sendColumns, strategiesOf } from './tables.ts';
import { costTexts, memoryTexts, RAW, runtimeSpec, sizeText, sizeWithUnit, strategyText } from './texts.ts';

/** Ends in a line end. */
export function terminalSweep(report: SweepReport, options: RenderOptions): string {
  const style = terminalStyle(options);
  const compares = report.points.some(({ strategy }) => strategy !== RAW);
  const [folklore, ...runtimes] = folkloreTexts(report);
  return textOf([
    heading(report, style),
    ...(compares || report.preset === null
      ? seriesOf(report.points).flatMap((points) => seriesBlocks(points, report, style))
      : [publishedBlock(report, style)]),
    folklore === undefined ? [] : [...paragraph(folklore, style), ...bullets(runtimes, style)],
    ...winnerBlocks(report, style),
    leftOutTexts(report).flatMap((text) => paragraph(text, style)),
    failureTexts(report).flatMap((text) => paragraph(text, style)),
    report.interrupted ? paragraph('Interrupted: this was measured until then.', style) : [],
  ]);
}

const paragraph = (text: string, style: TerminalStyle): string[] => wrapped(style.text(text), style.columns);

const bullets = (texts: readonly string[], style: TerminalStyle): string[] =>
  indented(texts.flatMap((text) => hanging(style.text(text), style.columns - 2)));

function heading({ preset, title, dimension, points }: SweepReport, style: TerminalStyle): string[] {
  if (preset !== null) return [style.paint.title(style.text(preset)), ...paragraph(title, style)];
  const scaled = dimension
    ? `the ${sizeWithUnit(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${sizeText(points[0]?.size ?? 0)} to ${sizeText(points.at(-1)?.size ?? 0)}`
    : 'nothing was scaled';
  return [style.paint.title(style.text(title)), ...paragraph(scaled, style)];
}

type Series = Pick<SweepPoint, 'runtime' | 'channel' | 'payload'>;

const seriesKey = ({ runtime, channel, payload }: Series): string =>
  JSON.stringify([runtimeSpec(runtime), channel, payload]);

/** Points of one runtime, channel and payload. */
const seriesOf = (points: readonly SweepPoint[]): SweepPoint[][] => [
  ...groupedBy(points, seriesKey).values(),
];

const LEGEND = 'round trip; + faster than raw, - slower, = no relevant difference, ? undecided';

function seriesBlocks(points: SweepPoint[], report: SweepReport, style: TerminalStyle): string[][] {
  const [first] = points as [SweepPoint];
  const isHere = (one: Series) => seriesKey(one) === seriesKey(first);
  const results = report.standings.filter(isHere);
  const crossovers = report.crossovers.filter(isHere);
  const texts = results.map((result) =>
    strategyText(
      result,
      crossovers.filter(({ between }) => between.includes(result.strategy)),
    ),
  );
  const hasSends = points.some(({ send }) => send !== null) && first.channel !== 'structured-clone';
  const titled = (label: string, columns: Parameters<typeof table>[0]) =>
    indented([
      ...wrapped(label, style.columns - 2).map(style.paint.muted),
      ...table(columns, style.columns - 2, style),
    ]);
  return [
    [
      style.paint.title(style.text(`${runtimeSpec(first.runtime)}${style.marks.between}${first.channel}`)),
      ...titled(results.length > 0 ? LEGEND : 'round trip', roundTripColumns(points, results)),
    ],
    hasSends ? titled('of it, the time that blocks the sender', sendColumns(points, results)) : [],
    indented(chartLines(points, style)),
    bullets([...texts, ...costTexts(strategiesOf(points)), ...memoryTexts(points)], style),
  ];
}

const CHART_LINES = 12;

function chartLines(points: readonly SweepPoint[], style: TerminalStyle): string[] {
  const marks = marksOf(strategiesOf(points));
  const curves = [...marks].map(([strategy, mark]): Curve => {
    const own = points.filter((point) => point.strategy === strategy && point.roundTrip !== null);
    return {
      mark,
      points: own.map(({ size, roundTrip }) => ({ x: size, y: Math.max(1, roundTrip?.median ?? 1) })),
    };
  });
  const axes = { width: style.columns - 2, height: CHART_LINES, xLabel: sizeText, yLabel: time };
  const lines = chart(curves, axes, style);
  if (lines.length === 0) return [];
  const names = [...marks].map(([strategy, mark]) => `${mark} ${strategy}`).join('  ');
  const key = style.text(`${names}  (${points[0]?.unit}, both axes logarithmic)`);
  return [...lines, ...wrapped(key, style.columns - 4).map(style.paint.muted)];
}

/** The first letter of each name that no other has taken. */
function marksOf(strategies: readonly string[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const strategy of strategies) {
    const letters = [...strategy.toLowerCase().replace(/[^a-z]/g, ''), ...'0123456789'];
    const taken = [...marks.values()];
    marks.set(strategy, letters.find((letter) => !taken.includes(letter)) ?? '?');
  }
  return marks;
}

function publishedBlock({ points }: SweepReport, style: TerminalStyle): string[] {
  const sources = [...new Set(points.flatMap(({ published }) => published?.source ?? []))];
  return [
    ...indented(table(publishedColumns(points), style.columns - 2, style)),
    '',
    ...bullets([...comparisonTexts(points), ...sources.map((source) => `published: ${source}`)], style),
  ];
}

/** What was fastest when the rule was published, and what is now. */
function winnerBlocks(report: SweepReport, style: TerminalStyle): string[][] {
  const columns = winnerColumns(report);
  if (columns === null) return [];
  return [indented(table(columns, style.columns - 2, style)), paragraph(changeText(report), style)];
}

/** Each reason once. */
function leftOutTexts({ leftOut }: SweepReport): string[] {
  const named = leftOut.map(({ runtime, strategy, reason }) => {
    return { strategy, runtime: runtimeSpec(runtime), reason: reason.split('\n')[0] ?? '' };
  });
  const groups = groupedBy(named, ({ runtime, reason }) => JSON.stringify([runtime, reason]));
  return [...groups.values()].map(
    (group) =>
      `Left out on ${group[0]?.runtime}: ${listed(group.map(({ strategy }) => strategy))} (${group[0]?.reason})`,
  );
}

/** Each reason once, with the sizes and strategies that could not be timed. */
function failureTexts({ points }: SweepReport): string[] {
  const failed = points.filter(({ error }) => error !== null);
  const groups = groupedBy(failed, ({ runtime, channel, error }) =>
    JSON.stringify([runtimeSpec(runtime), channel, error?.message]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [SweepPoint];
    const sizes = new Set(group.map(({ size, unit }) => sizeWithUnit(size, unit)));
    const where = `${runtimeSpec(first.runtime)} over ${first.channel} at ${[...sizes].join(', ')}`;
    return `Not measured on ${where}: ${strategiesOf(group).join(', ')} (${first.error?.message})`;
  });
}

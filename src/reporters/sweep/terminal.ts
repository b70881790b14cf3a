/** `clone-prof sweep` on a terminal: tables and a chart for each runtime, then the results in sentences. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { SweepPoint, SweepReport } from '../../model/report/sweep.ts';
import { textOf } from '../blocks.ts';
import { time } from '../numbers.ts';
import { hanging, indented, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { type Curve, chart } from './chart.ts';
import { changeText, folkloreTexts, winnerColumns } from './folklore.ts';
import { comparisonTexts } from './published.ts';
import { type Series, seriesKey, seriesOf } from './series.ts';
import { publishedColumns, roundTripColumns, sendColumns, strategiesOf } from './tables.ts';
import { costTexts, memoryTexts, RAW, runtimeSpec, scaledText, sizeText, strategyText } from './texts.ts';
import { failureTexts, leftOutTexts } from './untimed.ts';

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

function heading({ preset, title, ...report }: SweepReport, style: TerminalStyle): string[] {
  const lead = preset === null ? scaledText(report) : title;
  return [style.paint.title(style.text(preset ?? title)), ...paragraph(lead, style)];
}

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

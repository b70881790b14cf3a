/** `clone-prof sweep` on a terminal: tables and a chart for each runtime, then what it comes to. */
import type { RenderOptions } from '../../model/render-options.ts';
import type { SweepPoint, SweepReport } from '../../model/sweep.ts';
import { time } from '../numbers.ts';
import { comparisonTexts } from '../sweep-published.ts';
import {
  folkloreText,
  listed,
  memoryTexts,
  RAW,
  sized,
  sizeText,
  specOf,
  standingText,
} from '../sweep-words.ts';
import { type Curve, chart } from './chart.ts';
import { indented, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './pen.ts';
import { publishedTable, sendsTable, strategiesOf, tripsTable } from './sweep-tables.ts';

/** Ends in a line end. */
export function terminalSweep(report: SweepReport, look: RenderOptions): string {
  const pen = terminalStyle(look);
  const compared = report.points.some(({ strategy }) => strategy !== RAW);
  const blocks = [
    heading(report, pen),
    ...(compared || report.preset === null
      ? coursesOf(report.points).flatMap((course) => courseBlock(course, report, pen))
      : [publishedBlock(report, pen)]),
    paragraphsOf(folkloreText(report), pen),
    leftOutLines(report, pen),
    failureLines(report, pen),
    report.interrupted ? wrapped('Interrupted: this is what was measured until then.', pen.columns) : [],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading({ preset, title, dimension, points }: SweepReport, pen: TerminalStyle): string[] {
  if (preset !== null) {
    const name = pen.paint.title(pen.text(preset));
    return [name, ...wrapped(pen.text(title), pen.columns)];
  }
  const place = dimension
    ? `the ${sized(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${sizeText(points[0]?.size ?? 0)} to ${sizeText(points.at(-1)?.size ?? 0)}`
    : 'nothing was scaled';
  return [pen.paint.title(pen.text(title)), ...wrapped(pen.text(place), pen.columns)];
}

/** Points of one runtime, channel and payload. */
function coursesOf(points: readonly SweepPoint[]): SweepPoint[][] {
  const courses = new Map<string, SweepPoint[]>();
  for (const point of points) {
    const key = JSON.stringify([specOf(point.runtime), point.channel, point.payload]);
    courses.set(key, [...(courses.get(key) ?? []), point]);
  }
  return [...courses.values()];
}

const CHART_LINES = 12;

function courseBlock(points: SweepPoint[], report: SweepReport, pen: TerminalStyle): string[][] {
  const { runtime, channel, payload } = points[0]!;
  const title = `${specOf(runtime)}${pen.marks.between}${channel}`;
  const isHere = (one: { runtime: SweepPoint['runtime']; channel: string; payload: string }) =>
    specOf(one.runtime) === specOf(runtime) && one.channel === channel && one.payload === payload;
  const standings = report.standings.filter(isHere);
  const crossovers = report.crossovers.filter(isHere);
  const texts = standings.map((standing) =>
    standingText(
      standing,
      crossovers.filter(({ between }) => between.includes(standing.strategy)),
    ),
  );
  const sends = points.some(({ send }) => send !== null) && channel !== 'structured-clone';
  return [
    [
      pen.paint.title(pen.text(title)),
      ...titled(standings.length > 0 ? LEGEND : 'round trip', tripsTable(points, standings, pen), pen),
    ],
    sends ? titled('of it, what blocks the sender', sendsTable(points, standings, pen), pen) : [],
    indented(drawing(points, pen)),
    [...texts, ...memoryTexts(points)].flatMap((text) => bullet(text, pen)),
  ];
}

const LEGEND = 'round trip; + faster than raw, - slower, = no difference that counts';

const titled = (label: string, lines: readonly string[], pen: TerminalStyle): string[] => [
  ...wrapped(label, pen.columns - 2).map((line) => `  ${pen.paint.quiet(line)}`),
  ...indented(lines),
];

function drawing(points: readonly SweepPoint[], pen: TerminalStyle): string[] {
  const [first] = points;
  const marks = marksOf(strategiesOf(points));
  const curves = strategiesOf(points).map((strategy): Curve => {
    const own = points.filter((point) => point.strategy === strategy && point.roundTrip !== null);
    return {
      mark: marks.get(strategy) ?? '?',
      points: own.map(({ size, roundTrip }) => ({ x: size, y: Math.max(1, roundTrip?.median ?? 1) })),
    };
  });
  const axes = { width: pen.columns - 2, height: CHART_LINES, xLabel: sizeText, yLabel: time };
  const lines = chart(curves, axes, pen);
  if (lines.length === 0 || !first) return [];
  const names = [...marks].map(([strategy, mark]) => `${mark} ${strategy}`).join('  ');
  const key = wrapped(pen.text(`${names}  (${first.unit}, both axes logarithmic)`), pen.columns - 4);
  return [...lines, ...key.map((line) => pen.paint.quiet(line))];
}

/** The first letter of each name that no other has taken. */
function marksOf(strategies: readonly string[]): Map<string, string> {
  const marks = new Map<string, string>();
  const taken = new Set<string>();
  for (const strategy of strategies) {
    const letters = [...strategy.toLowerCase().replace(/[^a-z]/g, ''), ...'0123456789'];
    const mark = letters.find((letter) => !taken.has(letter)) ?? '?';
    taken.add(mark);
    marks.set(strategy, mark);
  }
  return marks;
}

function publishedBlock({ points }: SweepReport, pen: TerminalStyle): string[] {
  const sources = [...new Set(points.flatMap(({ published }) => published?.source ?? []))];
  return [
    ...indented(publishedTable(points, pen)),
    '',
    ...comparisonTexts(points).flatMap((text) => bullet(text, pen)),
    ...sources.flatMap((source) => bullet(`published: ${source}`, pen)),
  ];
}

function bullet(text: string, pen: TerminalStyle): string[] {
  return wrapped(pen.text(text), pen.columns - 4).map((line, at) => `${at === 0 ? '  ' : '    '}${line}`);
}

const paragraphsOf = ([head, ...lines]: readonly string[], pen: TerminalStyle): string[] =>
  head === undefined
    ? []
    : [...wrapped(pen.text(head), pen.columns), ...lines.flatMap((line) => bullet(line, pen))];

/** Each reason once. */
function leftOutLines({ leftOut }: SweepReport, pen: TerminalStyle): string[] {
  const reasons = new Map<string, string[]>();
  for (const { runtime, strategy, reason } of leftOut) {
    const [first = ''] = reason.split('\n');
    const key = JSON.stringify([specOf(runtime), first]);
    reasons.set(key, [...(reasons.get(key) ?? []), strategy]);
  }
  return [...reasons].flatMap(([key, strategies]) => {
    const [runtime, reason] = JSON.parse(key) as [string, string];
    return wrapped(pen.text(`Left out on ${runtime}: ${listed(strategies)} (${reason})`), pen.columns);
  });
}

/** Each reason once, with the sizes and strategies that it kept from being timed. */
function failureLines({ points }: SweepReport, pen: TerminalStyle): string[] {
  const reasons = new Map<string, SweepPoint[]>();
  for (const point of points) {
    if (point.error === null) continue;
    const key = JSON.stringify([specOf(point.runtime), point.channel, point.error.message]);
    reasons.set(key, [...(reasons.get(key) ?? []), point]);
  }
  return [...reasons.values()].flatMap((failed) => {
    const [first] = failed;
    const sizes = new Set(failed.map(({ size, unit }) => sized(size, unit)));
    const strategies = new Set(failed.map(({ strategy }) => strategy));
    const where = first ? `${specOf(first.runtime)} over ${first.channel}` : '';
    const text = `Not measured on ${where} at ${[...sizes].join(', ')}: ${[...strategies].join(', ')} (${first?.error?.message})`;
    return wrapped(pen.text(text), pen.columns);
  });
}

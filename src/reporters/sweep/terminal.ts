/** `clone-prof sweep` on a terminal: the conclusions, then a chart and its table for each runtime, then other tables. */

import type { SweepReport } from '../../model/documents/sweep.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Column } from '../section/model/columns.ts';
import type { CurvesChart } from '../section/model/curves.ts';
import { hanging, indented, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { textOf } from '../text/blocks.ts';
import { time } from '../text/numbers.ts';
import { chart } from './chart.ts';
import { type SweepSection, sweepSection } from './section.ts';
import { sizeText } from './texts.ts';

/** Ends in a line end. */
export function terminalSweep(report: SweepReport, options: RenderOptions): string {
  const style = terminalStyle(options);
  const { title, lead, conclusions, charts, tables, notes } = sweepSection(report);
  const isCompared = report.standings.length > 0;
  return textOf([
    [style.paint.title(style.text(title)), ...paragraph(lead, style)],
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

const paragraph = (text: string, style: TerminalStyle): string[] => wrapped(style.text(text), style.columns);

const conclusionLines = (
  { about, texts }: SweepSection['conclusions'][number],
  style: TerminalStyle,
): string[] => [
  ...(about === null ? [] : paragraph(about, style).map(style.paint.title)),
  ...indented(texts.flatMap((text) => hanging(style.text(text), style.columns - 2))),
];

const LEGEND = 'round trip; + faster than raw, - slower, = no relevant difference, ? undecided';

const tableLines = (title: string, columns: readonly Column[], style: TerminalStyle): string[] =>
  indented([
    ...wrapped(style.text(title), style.columns - 2).map(style.paint.muted),
    ...table(columns, style.columns - 2, style),
  ]);

const CHART_LINES = 12;

function chartLines({ curves, quantity, unit }: CurvesChart, style: TerminalStyle): string[] {
  const marks = marksOf(curves.map(({ name }) => name));
  const lines = chart(
    curves.map(({ name, points }) => ({ mark: marks.get(name) ?? '?', label: name, points })),
    { width: style.columns - 2, height: CHART_LINES, xLabel: sizeText, yLabel: time },
    style,
  );
  if (lines.length === 0) return [];
  const axes = style.text(`${quantity} by ${unit}, both axes logarithmic`);
  return indented([...lines, ...wrapped(axes, style.columns - 2).map(style.paint.muted)]);
}

/** The first letter of each name that no other has taken. */
function marksOf(names: readonly string[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const name of names) {
    const letters = [...name.toLowerCase().replace(/[^a-z]/g, ''), ...'0123456789'];
    const taken = [...marks.values()];
    marks.set(name, letters.find((letter) => !taken.includes(letter)) ?? '?');
  }
  return marks;
}

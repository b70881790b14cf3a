import type { Distribution } from '../section/model/columns.ts';
import { type Figure, type FigurePart, figureTitle } from '../section/model/model.ts';
import { sparkline } from '../text/histogram.ts';
import { hanging, indented, wrapped, wrappedItems } from './layout.ts';
import type { TerminalStyle } from './style.ts';
import { table } from './table.ts';

const HISTOGRAM_CELLS = 24;
/** Cells beside the histogram: its label and both ends. */
const HISTOGRAM_EDGES = 30;

/** The heads of a table name its content; a title is only needed where the section has several runtimes. */
export function figureLines(figure: Figure, style: TerminalStyle): string[] {
  const title = figure.runtime === null ? [] : wrapped(style.text(figureTitle(figure)), style.columns - 2);
  const lines = figure.parts.flatMap((part) => partLines(part, style.columns - 2, style));
  return indented([...title.map(style.paint.title), ...lines]);
}

function partLines(part: FigurePart, width: number, style: TerminalStyle): string[] {
  switch (part.type) {
    case 'table':
      return table(part.columns, width, style);
    case 'distribution':
      return [distributionLine(part.distribution, style)];
    case 'chart':
      return part.chart.isDrawnOnly ? [] : table(part.chart.columns, width, style);
    case 'facts':
      return wrappedItems(part.facts.map(style.span), style.marks.between, width);
    case 'list':
      return part.items.flatMap((item) => hanging(style.sentence(item), width));
  }
}

function distributionLine({ histogram, from, to }: Distribution, style: TerminalStyle): string {
  const cells = Math.min(HISTOGRAM_CELLS, style.columns - HISTOGRAM_EDGES);
  const [label, low, high] = ['spread', style.text(from), style.text(to)].map(style.paint.muted);
  return `${label}  ${low} ${sparkline(histogram, cells, style.unicode)} ${high}`;
}

import type { Histogram } from '../../model/documents/measurement.ts';

/** Ends of the histogram in ns. */
export const binEnds = ({ from, to }: Histogram): [number, number] => [10 ** from, 10 ** to];

const UNICODE_LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_LEVELS = ['_', '.', ':', '-', '=', '+', '*', '#'];

const MAX_CELLS = 12;

/** The distribution as one line of text, whose cells are pooled neighbours; a blank stands for no messages. */
export function sparkline({ counts }: Histogram, unicode: boolean): string {
  const levels = unicode ? UNICODE_LEVELS : ASCII_LEVELS;
  const cells = new Array<number>(Math.min(MAX_CELLS, counts.length)).fill(0);
  for (const [index, count] of counts.entries())
    cells[Math.floor((index * cells.length) / counts.length)]! += count;
  const highest = Math.max(1, ...cells);
  return cells
    .map((count) => (count === 0 ? ' ' : levels[Math.ceil((count / highest) * levels.length) - 1]))
    .join('');
}

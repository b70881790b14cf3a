import type { Histogram } from '../../model/documents/measurement.ts';

/** Heights of at most `cells` columns of pooled neighbours, as shares of the highest (0 to 1). */
export function heights({ counts }: Histogram, cells: number): number[] {
  const width = Math.min(cells, counts.length);
  const pooled = new Array<number>(width).fill(0);
  counts.forEach((count, index) => {
    const cell = Math.floor((index * width) / counts.length);
    pooled[cell] = (pooled[cell] ?? 0) + count;
  });
  const highest = Math.max(1, ...pooled);
  return pooled.map((count) => count / highest);
}

/** Ends of the histogram in ns. */
export const binEnds = ({ from, to }: Histogram): [number, number] => [10 ** from, 10 ** to];

const UNICODE_LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_LEVELS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** The distribution as one line of text; a blank stands for no messages. */
export function sparkline(histogram: Histogram, cells: number, unicode: boolean): string {
  const levels = unicode ? UNICODE_LEVELS : ASCII_LEVELS;
  return heights(histogram, cells)
    .map((height) => (height === 0 ? ' ' : levels[Math.ceil(height * levels.length) - 1]))
    .join('');
}

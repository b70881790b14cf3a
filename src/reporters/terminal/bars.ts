import type { RoundTrip } from '../../model/report.ts';
import { heights } from '../histogram.ts';
import type { Pen } from './pen.ts';

const UNICODE_LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_LEVELS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** One character per cell of the distribution; a blank where nothing was seen. */
export function sparkline(histogram: RoundTrip['histogram'], cells: number, pen: Pen): string {
  if (histogram === undefined) return '';
  const levels = pen.unicode ? UNICODE_LEVELS : ASCII_LEVELS;
  return heights(histogram, cells)
    .map((height) => (height === 0 ? ' ' : levels[Math.ceil(height * levels.length) - 1]))
    .join('');
}

/** A ratio as a bar: `cells` long is `full`; a longer one ends in an arrow. */
export function bar(ratio: number, full: number, cells: number, pen: Pen): string {
  const length = Math.max(0, (ratio / full) * cells);
  const stroke = pen.unicode ? '━' : '=';
  if (length > cells) return stroke.repeat(cells - 1) + (pen.unicode ? '▶' : '>');
  const halves = Math.max(1, Math.round(length * 2));
  const half = halves % 2 === 0 ? '' : pen.unicode ? '╸' : '-';
  return stroke.repeat(Math.floor(halves / 2)) + half;
}

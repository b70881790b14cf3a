/** Small drawings in tables: a distribution, a share as a bar. */
import type { Bar, Distribution } from '../reporters/section/model/columns.ts';
import { heights } from '../reporters/text/histogram.ts';
import { drawing, element } from './elements.ts';

const STEP = 8;
const HEIGHT = 40;
const CELLS = 24;

const sized = (width: number, height: number) => ({ viewBox: `0 0 ${width} ${height}`, width, height });

export function distributionDrawing({ histogram, from, to, label }: Distribution): HTMLElement {
  const columns = heights(histogram, CELLS).map((share, index) => {
    const height = share === 0 ? 0 : Math.max(1, Math.round(share * HEIGHT));
    return drawing('rect', { x: index * STEP, y: HEIGHT - height, width: STEP - 1, height });
  });
  const size = sized(columns.length * STEP, HEIGHT);
  const drawn = drawing('svg', { role: 'img', 'aria-label': label, ...size }, columns);
  const ends = element('small', {}, element('span', {}, from), element('span', {}, to));
  return element('span', { class: 'distribution' }, drawn, ends);
}

const BAR_WIDTH = 160;
const BAR_HEIGHT = 14;

/** A bar beyond the end is cut, because the number stands beside it. A dashed line marks the original. */
export function barDrawing({ bar, original, tone = 'muted' }: Bar): SVGElement {
  const width = Math.max(1, Math.min(1, bar) * BAR_WIDTH).toFixed(1);
  const mark = (original ?? 0) * BAR_WIDTH;
  const attributes = { class: `bar ${tone}`, 'aria-hidden': 'true', ...sized(BAR_WIDTH, BAR_HEIGHT) };
  const filled = drawing('rect', { x: 0, y: 2, width, height: BAR_HEIGHT - 4 });
  const line = mark > 0 ? drawing('line', { x1: mark, y1: 0, x2: mark, y2: BAR_HEIGHT }) : null;
  return drawing('svg', attributes, filled, line);
}

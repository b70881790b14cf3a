import { heights } from '../histogram.ts';
import type { Bar, Distribution } from '../section/columns.ts';
import { html, type Markup } from './markup.ts';

const STEP = 8;
const HEIGHT = 40;
const CELLS = 24;

/** A histogram with both ends named. */
export function distributionDrawing({ histogram, from, to, label }: Distribution): Markup {
  const shares = heights(histogram, CELLS);
  const columns = shares.map((share, index) => {
    const height = share === 0 ? 0 : Math.max(1, Math.round(share * HEIGHT));
    return html`<rect x="${index * STEP}" y="${HEIGHT - height}" width="${STEP - 1}" height="${height}"/>`;
  });
  const width = shares.length * STEP;
  return html`<span class="distribution"><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}">${columns}</svg><small><span>${from}</span><span>${to}</span></small></span>`;
}

const BAR_WIDTH = 160;
const BAR_HEIGHT = 14;

/** A bar beyond the end is cut, because the number stands beside it. A dashed line marks the original. */
export function barDrawing({ bar, original, tone = 'muted' }: Bar): Markup {
  const width = Math.max(1, Math.min(1, bar) * BAR_WIDTH).toFixed(1);
  const mark = (original ?? 0) * BAR_WIDTH;
  const line = mark > 0 ? html`<line x1="${mark}" y1="0" x2="${mark}" y2="${BAR_HEIGHT}"/>` : null;
  return html`<svg class="bar ${tone}" aria-hidden="true" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"><rect x="0" y="2" width="${width}" height="${BAR_HEIGHT - 4}"/>${line}</svg>`;
}

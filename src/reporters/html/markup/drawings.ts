import type { Bar } from '../../section/model/columns.ts';
import { html, type Markup } from './markup.ts';

const BAR_WIDTH = 160;
const BAR_HEIGHT = 14;

/** A share; the number stands beside it. A bar beyond the end has an arrow there. */
export function barDrawing({ bar, original, tone = 'muted' }: Bar): Markup {
  const width = Math.max(1, Math.min(1, bar) * BAR_WIDTH).toFixed(1);
  const mark = (original ?? 0) * BAR_WIDTH;
  const line = mark > 0 ? html`<line x1="${mark}" y1="0" x2="${mark}" y2="${BAR_HEIGHT}"/>` : null;
  const arrow = bar > 1 ? html`<path d="M${BAR_WIDTH - 8},1L${BAR_WIDTH},7L${BAR_WIDTH - 8},13"/>` : null;
  return html`<svg class="bar ${tone}" aria-hidden="true" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"><rect x="0" y="2" width="${width}" height="${BAR_HEIGHT - 4}"/>${line}${arrow}</svg>`;
}

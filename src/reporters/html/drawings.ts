import type { RoundTrip } from '../../model/report.ts';
import { ends, heights } from '../histogram.ts';
import { time } from '../numbers.ts';
import type { Grade } from '../words.ts';
import { html, type Markup } from './markup.ts';

const STEP = 8;
const HEIGHT = 40;
const CELLS = 24;

/** The distribution of the round trip, with both ends named. */
export function histogramDrawing({ histogram, median }: RoundTrip): Markup | null {
  if (histogram === undefined) return null;
  const shares = heights(histogram, CELLS);
  if (shares.length === 0) return null;
  const [from, to] = ends(histogram);
  const label = `Distribution of the round trip, ${time(from)} to ${time(to)}, median ${time(median)}`;
  const columns = shares.map((share, index) => {
    const height = share === 0 ? 0 : Math.max(1, Math.round(share * HEIGHT));
    return html`<rect x="${index * STEP}" y="${HEIGHT - height}" width="${STEP - 1}" height="${height}"/>`;
  });
  return html`<figure class="spread"><svg role="img" aria-label="${label}" viewBox="0 0 ${shares.length * STEP} ${HEIGHT}" width="${shares.length * STEP}" height="${HEIGHT}">${columns}</svg><figcaption><span>${time(from)}</span><span>${time(to)}</span></figcaption></figure>`;
}

const BAR_WIDTH = 160;
const BAR_HEIGHT = 10;
/** A trial twice as slow fills the bar. */
const LONGEST = 2;

/** A ratio beside the mark of the original; what is beyond the end is cut, the number says it. */
export function barDrawing(ratio: number, grade: Grade | null): Markup {
  const width = Math.max(1, Math.min(1, ratio / LONGEST) * BAR_WIDTH).toFixed(1);
  const mark = BAR_WIDTH / LONGEST;
  return html`<svg class="bar ${grade ?? 'plain'}" aria-hidden="true" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT + 4}" width="${BAR_WIDTH}" height="${BAR_HEIGHT + 4}"><rect x="0" y="2" width="${width}" height="${BAR_HEIGHT}"/><line x1="${mark}" y1="0" x2="${mark}" y2="${BAR_HEIGHT + 4}"/></svg>`;
}

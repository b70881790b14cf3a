/** How series are told apart, in black and white too: a mark and a dash, beside the colour. */
import { html, type Markup } from '../../markup/markup.ts';
import { markPath } from '../marks.ts';

const COLOURS = 7;

/** Five, and the marks are six: 30 styles before a pair comes again. */
const DASHES = ['none', '6 3', '1.5 3', '9 3 2 3', '14 4'];

/** px² of a mark. */
const AREA = 38;

/** The class that has the colour: "s3". */
export const colourClass = (style: number): string => `s${style % COLOURS}`;

export const dashOf = (style: number): string => DASHES[style % DASHES.length]!;

/** @param open published by others, not measured here */
export function seriesMark(style: number, x: number, y: number, open = false): Markup {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return html`<path class="mark ${colourClass(style)}${open ? ' open' : ''}" d="${markPath(style, AREA)}" transform="${at}"/>`;
}

const ESCAPE = '\u001b';
/** Letters of Latin, Greek and Cyrillic, signs, boxes and arrows: one cell each in every table of widths. */
const OTHERS = '\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0382\u0400-\u0482\u2010-\u2027\u2190-\u2318\u2500-\u25fc';
const USUAL = new RegExp(`^(?:[ -~${OTHERS}]|${ESCAPE}\\[[\\d;]*m)*$`);

/** True if every character is one cell wide or part of a colour code. */
export const isUsual = (text: string): boolean => USUAL.test(text);

/** Width of a usual text, in cells. */
export const usualWidth = (text: string): number =>
  text.includes(ESCAPE) ? text.replace(COLOURS, '').length : text.length;

const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

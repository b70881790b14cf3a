const ESCAPE = '\u001b';
/** Letters of Latin, Greek and Cyrillic, signs, boxes and arrows: one cell each in every table of widths. */
const OTHERS = '\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0382\u0400-\u0482\u2010-\u2027\u2190-\u2318\u2500-\u25fc';
const USUAL = new RegExp(`^(?:[ -~${OTHERS}]|${ESCAPE}\\[[\\d;]*m)*$`);
const OTHER = new RegExp(`[${OTHERS}]`, 'g');

/** True if every character is one cell wide or part of a colour code. */
export const isUsual = (text: string): boolean => USUAL.test(text);

/** Letters that can stand in for other characters, unless the text contains them. */
const LETTERS = [...'abcdefghijklnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * Calls `use` for a text of usual characters without measuring each character. Characters beyond ASCII are replaced by
 * unused letters, which packages measure fast, and put back into the lines that `use` returns.
 */
export function withLetters(text: string, use: (letters: string) => string[]): string[] {
  const others = isUsual(text) ? [...new Set(text.match(OTHER))] : [];
  const free = others.length === 0 ? [] : LETTERS.filter((letter) => !text.includes(letter));
  if (others.length === 0 || others.length > free.length) return use(text);
  const there = new Map(others.map((other, i) => [other, free[i]!]));
  const back = new Map(others.map((other, i) => [free[i]!, other]));
  const replaced = (line: string, by: ReadonlyMap<string, string>) =>
    Array.from(line, (character) => by.get(character) ?? character).join('');
  return use(replaced(text, there)).map((line) => replaced(line, back));
}

/** Width of a usual text, in cells. */
export const usualWidth = (text: string): number =>
  text.includes(ESCAPE) ? text.replace(COLOURS, '').length : text.length;

const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

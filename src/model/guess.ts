/** Guesses the known name that a mistyped word stands for. */

const MIN_PREFIX_CHARS = 3;
/** One typing error is allowed per this many characters of the word. */
const CHARS_PER_ERROR = 3;

/** " Did you mean node?" for 'nodejs', how to write several for 'node,bun'; "" if the word does not resemble a known name. */
export function guessText(word: string, names: readonly string[]): string {
  const parts = word.split(',');
  if (parts.length > 1 && parts.every((part) => names.includes(part)))
    return ` Separate by spaces: ${parts.join(' ')}.`;
  const typed = word.toLowerCase();
  const ranked = names
    .map((name) => ({ name, errors: errorsBetween(typed, name.toLowerCase()) }))
    .filter(
      ({ name, errors }) => isPrefix(typed, name.toLowerCase()) || errors <= typed.length / CHARS_PER_ERROR,
    )
    .sort((a, b) => a.errors - b.errors);
  return ranked[0] === undefined ? '' : ` Did you mean ${ranked[0].name}?`;
}

const isPrefix = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= MIN_PREFIX_CHARS && (a.startsWith(b) || b.startsWith(a));

/** Levenshtein distance: characters that were added, left out or replaced. */
function errorsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, char] of [...a].entries()) {
    const line = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (char === b[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[b.length]!;
}

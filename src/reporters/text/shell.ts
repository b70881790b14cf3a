/** Writes commands that a reader can copy into a shell. */
const PLAIN_WORD = /^[\w./@%+=:,-]+$/;

const shellWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** "npx clone-prof analyze 'a b.json'" */
export const shellCommand = (words: readonly string[]): string => words.map(shellWord).join(' ');

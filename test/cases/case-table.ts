/** A table in a file of cases, of which each row is a test: files, commands, and lines of the answer of the last one. */

export interface Row {
  title: string;
  /** In the order of their columns: files as an item of a list has them, and commands without the program's name. */
  steps: ({ files: string } | { commands: string[] })[];
  /** Lines in their order, as in a console; others may stand before, between and after them. */
  answer: string[];
}

const FILES = 'files';
const COMMANDS = '$ clone-prof';
const ANSWER = 'answer';
const RULER = /^\|(?: -+ \|)+$/;
/** Pipes in a cell are escaped, in code as well. */
const BORDER = /(?<!\\)\|/;
/** Code with as many backticks around it as its content needs. */
const CODE = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/y;
/** A line of an answer with an exit code other than 0, or of a file that is not there. */
const FAILURE = /^(?:!\d|\? -?[1-9]|! No such file$)/;
/** Any words, with the space before them. */
const LEFT_OUT = / ?…/;

function cellsOf(line: string): string[] {
  const [before, ...cells] = line.split(BORDER).map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (before !== '' || cells.pop() !== '') throw new Error('this row does not begin and end with a pipe');
  return cells;
}

/** Code of a cell, with spaces between. */
function codesOf(cell = ''): string[] {
  const codes: string[] = [];
  for (let at = 0; at < cell.length; at = CODE.lastIndex + 1) {
    CODE.lastIndex = at;
    const [, , code] = CODE.exec(cell) ?? [];
    if (code === undefined || ![' ', undefined].includes(cell[CODE.lastIndex]))
      throw new Error('this cell is not code with spaces between');
    codes.push(code.trim());
  }
  return codes;
}

/** @throws Error if the table does not begin with a title, known columns, and the line below them */
export function headsOf(line: string, ruler = ''): string[] {
  const [title = '', ...heads] = cellsOf(line);
  const isKnown = heads.slice(0, -1).every((head) => head === FILES || head === COMMANDS);
  if (!isKnown || heads.at(-1) !== ANSWER)
    throw new Error(`the columns are a title, "${FILES}" and "${COMMANDS}", and "${ANSWER}"`);
  if (!RULER.test(ruler) || cellsOf(ruler).length !== heads.length + 1)
    throw new Error('no line of the same columns below');
  return [title, ...heads];
}

/** @throws Error if a cell is missing, or is not written as its column is */
export function rowOf(line: string, heads: readonly string[]): Row {
  const [title = '', ...cells] = cellsOf(line);
  if (cells.length !== heads.length - 1) throw new Error('this row has other columns');
  const answer = codesOf(cells.pop());
  if (title === '' || answer.length === 0) throw new Error('this row has no title or no answer');
  const steps = cells.map((cell, at) =>
    heads[at + 1] === FILES ? { files: cell } : { commands: codesOf(cell) },
  );
  return { title, steps, answer };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A line without its indentation. */
const patternOf = (line: string): RegExp =>
  new RegExp(`^\\s*${line.split(LEFT_OUT).map(escaped).join('.*')}$`);

/** True if an answer has the lines of a row in their order, and no failure that is not one of them. */
export function hasLines(answer: readonly string[], lines: readonly string[]): boolean {
  const patterns = lines.map(patternOf);
  for (const line of answer)
    if (patterns[0]?.test(line)) patterns.shift();
    else if (FAILURE.test(line)) return false;
  return patterns.length === 0;
}

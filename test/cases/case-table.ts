/** A table in a file of cases, of which each row is a test: files, commands, and lines of the answer of the last one. */

/** Cells of a row, by the heads of their columns. The first column has the title. */
export interface Row {
  title: string;
  /** As an item of a list has them; empty: none. */
  files: string;
  /** Without the name of the program. */
  commands: string[];
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
/** A line of an answer with an exit code other than 0. */
const FAILURE = /^(?:!\d|\? -?[1-9])/;
const LEFT_OUT = '…';

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
  const isKnown = heads.every((head) => [FILES, COMMANDS, ANSWER].includes(head));
  if (!isKnown || !heads.includes(ANSWER) || new Set(heads).size < heads.length)
    throw new Error(`the columns are a title, and "${FILES}", "${COMMANDS}", "${ANSWER}"`);
  if (!RULER.test(ruler) || cellsOf(ruler).length !== heads.length + 1)
    throw new Error('no line of the same columns below');
  return [title, ...heads];
}

/** @throws Error if a cell is missing, or is not written as its column is */
export function rowOf(line: string, heads: readonly string[]): Row {
  const cells = cellsOf(line);
  if (cells.length !== heads.length) throw new Error('this row has other columns');
  const cell = (head: string) => cells[heads.indexOf(head, 1)];
  const row = { title: cells[0]!, files: cell(FILES) ?? '', commands: codesOf(cell(COMMANDS)) };
  const answer = codesOf(cell(ANSWER));
  if (row.title === '' || answer.length === 0) throw new Error('this row has no title or no answer');
  return { ...row, answer };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A line without its indentation; "…" stands for any words. */
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

import { widthOf, wrapped } from './layout.ts';

const INDENT = 4;

/** Words after which a line end would end the statement (ECMA-262, automatic semicolon insertion), and `new`. */
const RESTRICTED = /(^|[^\w$])(return|throw|break|continue|yield|async|new)$/;

/** Strings, comments and templates in one piece each; then the other words and the blanks between them. */
const TOKENS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*$|\s+|[^\s'"`/]+|./gu;

/**
 * One line of JavaScript on as many lines as needed, broken at blanks outside of strings, so that it still runs when
 * pasted. Only what is longer than a whole line without such a blank is broken anywhere.
 */
export function brokenCode(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const margin = Math.min(/^ */.exec(line)?.[0].length ?? 0, Math.floor(width / 3));
  return filled(pieces(line.trim()), width - margin).map(
    (part, index) => ' '.repeat(index === 0 ? margin : margin + INDENT) + part,
  );
}

/** What a line end must not part: strings, statements that it would end, and an arrow from its parameters. */
function pieces(code: string): string[] {
  const found = [''];
  for (const [token] of code.matchAll(TOKENS)) {
    const last = found.length - 1;
    const before = found[last] ?? '';
    if (token.trim() === '' && !RESTRICTED.test(before)) found.push('');
    else if (before === '' && token.startsWith('=>') && last > 0)
      found.splice(last - 1, 2, `${found[last - 1]} ${token}`);
    else found[last] = before + token;
  }
  return found.filter((piece) => piece !== '');
}

/** The first line has `room`, those below it less, for they are indented. */
function filled(parts: readonly string[], room: number): string[] {
  const lines: string[] = [];
  const roomAt = (index: number) => (index === 0 ? room : room - INDENT);
  for (const part of parts) {
    const last = lines.length - 1;
    const joined = `${lines[last]} ${part}`;
    if (last >= 0 && widthOf(joined) <= roomAt(last)) lines[last] = joined;
    else if (widthOf(part) <= roomAt(lines.length)) lines.push(part);
    else lines.push(...wrapped(part, room - INDENT));
  }
  return lines;
}

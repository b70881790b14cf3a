/** Puts the recorder in front of a worker's script, on the same line, so that all lines keep their numbers. */

const BOM = /^(?:\ufeff|\xef\xbb\xbf)/;
const HASHBANG = /^#![^\n]*\n/;
/** One at a time, and not too long: an expression that goes on over megabytes overflows its stack. */
const TRIVIA = /\s{1,1000}|\/\/[^\n]*|\/\*[\s\S]*?\*\/|/y;
const TEXT = /(?:"(?:[^"\\\n]|\\[\s\S]){0,1000}"|'(?:[^'\\\n]|\\[\s\S]){0,1000}')[ \t]{0,1000}/y;

/** It begins with "use strict", which holds no more when anything stands before it. */
export function isStrict(code: string): boolean {
  let at = BOM.exec(code)?.[0].length ?? 0;
  const next = (expression: RegExp): string => {
    expression.lastIndex = at;
    const [found = ''] = expression.exec(code) ?? [];
    at += found.length;
    return found;
  };
  for (;;) {
    while (next(TRIVIA) !== '');
    const text = next(TEXT).trim();
    if (text === '') return false;
    if (text.slice(1, -1) === 'use strict') return true;
    next(/;?/y);
  }
}

const STATEMENT =
  /(?:^|[\n;}])\s*(?:import\s*(?:["'{*]|[\w$]+\s*(?:,|from\b))|export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/;

/** What cannot be parsed as a classic script is a module. Others may be either. */
export const looksLikeModule = (code: string): boolean =>
  STATEMENT.test(code) || /\bimport\.meta\b/.test(code);

/** What stands in front of the script. Where the recorder cannot be loaded, a classic script runs without it. */
export const startOf = (address: string, isModule: boolean, strict: boolean): string => {
  const quoted = JSON.stringify(address);
  return isModule
    ? `import ${quoted};`
    : `${strict ? '"use strict";' : ''}try{importScripts(${quoted})}catch{}`;
};

/** @returns with the code, how far the first line of the script was moved */
export function workerScriptWith(
  code: string,
  address: string,
  isModule: boolean,
): { code: string; moved: number } {
  const mark = BOM.exec(code)?.[0] ?? '';
  const first = HASHBANG.exec(code.slice(mark.length))?.[0] ?? '';
  const start = startOf(address, isModule, isStrict(code.slice(mark.length + first.length)));
  const before = mark + first;
  return { code: before + start + code.slice(before.length), moved: first === '' ? start.length : 0 };
}

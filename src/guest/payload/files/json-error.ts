/// <reference path="./jsonc-parser.d.ts" />

import { visit } from 'jsonc-parser/lib/esm/impl/parser.js';
import type { ParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

export interface JsonError {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units, as editors count. */
  column: number;
  /** "a value expected" */
  detail: string;
}

// ParseErrorCode is a const enum of declarations: its names do not exist at run time.
const DETAILS: Record<ParseErrorCode, string> = {
  1: 'unexpected token',
  2: 'not a number',
  3: 'a property name in double quotes expected',
  4: 'a value expected',
  5: "':' expected",
  6: "',' or a closing bracket expected",
  7: "the text ends where '}' was expected",
  8: "the text ends where ']' was expected",
  9: 'more text after the end of the value',
  10: 'comments are not allowed',
  11: 'a comment has no end',
  12: 'a string has no end',
  13: 'a number has no end',
  14: 'unknown unicode escape in a string',
  15: 'unknown escape in a string',
  16: 'a control character in a string must be escaped',
};

class StopParsing extends Error {}

/**
 * Where a text stops being JSON (RFC 8259), for texts that `JSON.parse` refused: the error of V8 gives the position in
 * words that differ by version, that of JavaScriptCore gives none.
 *
 * @returns null when no error is found: the text is JSON, or is nested too deeply for this parser
 */
export function findJsonError(text: string): JsonError | null {
  let first: JsonError | null = null;
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
    first = { line: line + 1, column: column + 1, detail: DETAILS[code] };
    throw new StopParsing();
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof StopParsing || error instanceof RangeError)) throw error;
  }
  return first;
}

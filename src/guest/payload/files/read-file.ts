/// <reference path="./jsonc-parser.d.ts" />

import { visit } from 'jsonc-parser/lib/esm/impl/parser.js';
import type { ParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { ToolError } from '../../../model/errors.ts';
import { orElse, throws } from '../../../model/or-else.ts';
import { currentPlatform, type PayloadFile } from '../../platform/common/platform.ts';
import { thrownMessage } from '../../user-code/user-code.ts';

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
 * Finds the end of the JSON in a text (RFC 8259) that `JSON.parse` refused: V8 gives the position in words that differ
 * by version, JavaScriptCore gives none. Both from 1, columns in UTF-16 units as editors count. Null if no error is
 * found: the text is JSON, or is nested too deeply for this parser.
 */
export function findJsonError(text: string): { line: number; column: number; detail: string } | null {
  let first: ReturnType<typeof findJsonError> = null;
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

const NOT_UTF8 = 'it is not UTF-8; save it as UTF-8';
/** Decoding puts this where bytes are not UTF-8; a text may also contain it. */
const REPLACEMENT = '\ufffd';
const unmarked = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 text of a line of a file. @throws ToolError 'file-unreadable' for bytes that are not UTF-8 */
export function decodeLine(bytes: Uint8Array, name: string, line: number): string {
  const text = orElse(() => decoder.decode(bytes), null);
  if (text === null) throw new ToolError('file-unreadable', { file: name, line, detail: NOT_UTF8 });
  return text;
}

/** Without a byte order mark. @throws ToolError 'file-missing', 'file-unreadable' (not UTF-8), 'value-too-large' */
export async function readText(file: PayloadFile): Promise<string> {
  const { sources } = currentPlatform();
  const text = await sources.text(file);
  const bytes = text.includes(REPLACEMENT) ? await sources.bytes(file) : null;
  if (bytes !== null && throws(() => decoder.decode(bytes)))
    throw new ToolError('file-unreadable', { file: file.name, detail: NOT_UTF8 });
  return unmarked(text);
}

interface Start {
  file: string;
  line?: number;
}

function malformed(text: string, start: Start, error: unknown): ToolError {
  // Valid JSON, nested too deeply or too large for this engine.
  if (!(error instanceof SyntaxError))
    return new ToolError('value-too-large', { ...start, detail: thrownMessage(error) });
  const found = findJsonError(text);
  if (!found) return new ToolError('json-malformed', { ...start, detail: thrownMessage(error) });
  const { line, column, detail } = found;
  return new ToolError('json-malformed', {
    file: start.file,
    line: line + (start.line ?? 1) - 1,
    column,
    detail,
  });
}

/** Parses, never executes. @throws ToolError 'file-empty', 'json-malformed' with line and column, 'value-too-large' */
export function parseJsonFile(text: string, start: Start): unknown {
  const json = unmarked(text);
  try {
    return JSON.parse(json);
  } catch (error) {
    if (json.trim() === '') throw new ToolError('file-empty', { file: start.file });
    throw malformed(json, start, error);
  }
}

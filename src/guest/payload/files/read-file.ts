import { printParseErrorCode, visit } from 'jsonc-parser/lib/esm/main.js';
import { ToolError } from '../../../model/errors.ts';
import { readError } from '../../platform/common/reading.ts';
import { thrownMessage } from '../../user-code/user-code.ts';

class StopParsing extends Error {}

/**
 * Finds the end of the JSON in a text (RFC 8259) that `JSON.parse` refused: V8 gives the position in words that differ
 * by version, JavaScriptCore gives none. Both from 1, columns in UTF-16 units as editors count. Null if no error is
 * found: the text is JSON, or is nested too deeply for this parser.
 */
export function findJsonError(text: string): { line: number; column: number; detail: string } | null {
  let first: ReturnType<typeof findJsonError> = null;
  const onError = (code: number, _offset: number, _length: number, line: number, column: number) => {
    // "PropertyNameExpected" becomes "property name expected".
    const detail = printParseErrorCode(code)
      .replace(/\B[A-Z]/g, ' $&')
      .toLowerCase();
    first = { line: line + 1, column: column + 1, detail };
    throw new StopParsing();
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof StopParsing || error instanceof RangeError)) throw error;
  }
  return first;
}

interface Start {
  file: string;
  line?: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Text of a file, or of a line of it, without a byte order mark. @throws ToolError 'file-unreadable', 'value-too-large' */
export function decoded(bytes: Uint8Array, start: Start): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw readError(error, start.file);
    throw new ToolError('file-unreadable', { ...start, detail: 'it is not UTF-8; save it as UTF-8' });
  }
}

function malformed(text: string, start: Start, error: unknown): ToolError {
  // Valid JSON, nested too deeply or too large for this engine.
  if (!(error instanceof SyntaxError))
    return new ToolError('value-too-large', { ...start, detail: thrownMessage(error) });
  const found = findJsonError(text);
  if (!found) return new ToolError('json-malformed', { ...start, detail: thrownMessage(error) });
  const line = found.line + (start.line ?? 1) - 1;
  return new ToolError('json-malformed', { ...start, ...found, line });
}

/** Parses, never executes. @throws ToolError 'file-empty', 'json-malformed' with line and column, 'value-too-large' */
export function parseJsonFile(text: string, start: Start): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw new ToolError('file-empty', { file: start.file });
    throw malformed(text, start, error);
  }
}

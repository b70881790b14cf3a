import { ToolError } from '../../../model/errors.ts';
import type { PayloadFile } from '../../platform/common/source-reader.ts';
import { currentPlatform } from '../../platform/current.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { findJsonError } from './json-error.ts';

const NOT_UTF8 = 'it is not UTF-8; save it as UTF-8';
/** Decoding puts this where bytes are not UTF-8; a text may also contain it. */
const REPLACEMENT = '\ufffd';
const BYTE_ORDER_MARK = '\ufeff';

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * UTF-8 text of a file, without a byte order mark.
 * @throws ToolError 'file-missing', 'file-unreadable' (also for bytes that are not UTF-8), 'value-too-large'
 */
export async function readText(file: PayloadFile): Promise<string> {
  const { sources } = currentPlatform();
  const text = await sources.text(file);
  if (text.includes(REPLACEMENT) && !isUtf8(await sources.bytes(file)))
    throw new ToolError('file-unreadable', { file: file.name, detail: NOT_UTF8 });
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Why `JSON.parse` refused a text, and where. `firstLine` is the line of the file on which the text starts. */
function malformed(text: string, name: string, firstLine: number, error: unknown): ToolError {
  // A byte order mark of UTF-16, decoded as UTF-8.
  if (text.startsWith(REPLACEMENT + REPLACEMENT)) {
    return new ToolError('json-malformed', { file: name, detail: NOT_UTF8 });
  }
  // Valid JSON, nested too deeply or too large for this engine.
  if (!(error instanceof SyntaxError))
    return new ToolError('value-too-large', { file: name, detail: messageOf(error) });
  const found = findJsonError(text);
  if (!found) return new ToolError('json-malformed', { file: name, detail: messageOf(error) });
  const { line, column, detail } = found;
  return new ToolError('json-malformed', { file: name, line: line + firstLine - 1, column, detail });
}

/**
 * The value of a JSON text: parsed, never executed.
 * @throws ToolError 'file-empty', 'json-malformed' with line and column, 'value-too-large'
 */
export function parseJson(text: string, name: string, firstLine = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw new ToolError('file-empty', { file: name });
    throw malformed(text, name, firstLine, error);
  }
}

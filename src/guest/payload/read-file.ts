import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { ToolError } from '../../model/errors.ts';
import { codeOf, messageOf } from '../user-code/user-code.ts';
import { findJsonError } from './json-error.ts';

/** `name` is what the user called the file: it stands in the errors. */
export interface NamedFile {
  file: string;
  name: string;
}

export function unreadable(error: unknown, name: string): ToolError {
  const code = codeOf(error);
  if (code === 'ENOENT') return new ToolError('file-missing', { file: name });
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE' || error instanceof RangeError) {
    return new ToolError('value-too-large', { file: name, detail: messageOf(error) });
  }
  return new ToolError('file-unreadable', { file: name, detail: messageOf(error) });
}

/** Decoding puts this where bytes are no UTF-8; a text may hold one of its own. */
const REPLACED = '\ufffd';

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * UTF-8 text of a file. A byte order mark is a signature, not text, and left out.
 * @throws ToolError 'file-missing', 'file-unreadable' (also for bytes that are no UTF-8), 'value-too-large'
 */
export function readText({ file, name }: NamedFile): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes(REPLACED) && !isUtf8(readFileSync(file)))
      throw new ToolError('file-unreadable', { file: name, detail: 'it is not UTF-8; save it as UTF-8' });
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  } catch (error) {
    throw error instanceof ToolError ? error : unreadable(error, name);
  }
}

/** All bytes of a file, in a buffer of exactly their size: what is cloned is what the file holds. */
export function readBytes({ file, name }: NamedFile): Uint8Array {
  try {
    const data = readFileSync(file);
    if (data.byteLength === data.buffer.byteLength) return new Uint8Array(data.buffer);
    return Uint8Array.from(data);
  } catch (error) {
    throw unreadable(error, name);
  }
}

/** UTF-8 text of `length` bytes from `offset`. */
export function readRange({ file, name }: NamedFile, offset: number, length: number): string {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.allocUnsafeSlow(length);
      let done = 0;
      while (done < length) {
        const got = readSync(fd, bytes, done, length - done, offset + done);
        if (got === 0) break;
        done += got;
      }
      return bytes.toString('utf8', 0, done);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw unreadable(error, name);
  }
}

/** Why `JSON.parse` refused a text, and where. `firstLine` is the line of the file on which the text starts. */
function malformed(text: string, name: string, firstLine: number, error: unknown): ToolError {
  if (text.startsWith('\ufffd\ufffd')) {
    return new ToolError('json-malformed', { file: name, detail: 'it is not UTF-8; save it as UTF-8' });
  }
  // Valid, yet refused: nested too deeply for this engine's parser, or too large for it.
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

import { currentPlatform } from '../../platform/current.ts';

/** A line of a file. */
export interface Line {
  /** From 1. */
  line: number;
  /** Bytes from the start of the file. */
  offset: number;
  /** Bytes, without the line end. */
  length: number;
}

const NEWLINE = 10;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

type OnLine = (text: string, line: Line) => void;

/** Calls `onLine` for each line of a file that is not blank. Holds one line at a time. */
export async function readLines(file: string, name: string, onLine: OnLine): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let [number, offset] = [1, 0];
  const endLine = () => {
    const bytes = joined(parts);
    parts = [];
    const isMarked = number === 1 && UTF8_MARK.every((byte, at) => bytes[at] === byte);
    const mark = isMarked ? UTF8_MARK.length : 0;
    const text = decoder.decode(bytes.subarray(mark));
    const line = { line: number++, offset: offset + mark, length: bytes.length - mark };
    if (text.trim() !== '') onLine(text, line);
    offset += bytes.length + 1;
  };
  for await (const chunk of currentPlatform().sources.chunks({ file, name })) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      endLine();
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  // The file may end without a newline.
  if (parts.length > 0) endLine();
}

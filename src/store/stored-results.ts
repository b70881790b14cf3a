/** What `clone-prof report` draws: a report, a sweep or a comparison, as JSON or inside a page that was written from one. */
import { createReadStream } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { ToolError } from '../model/errors.ts';
import { ANY, parseDocument } from './document.ts';
import { COMPARISON, REPORT, SWEEP } from './documents.ts';
import { isTooDeep } from './json-depth.ts';

/** Reports of a hundred payloads have some MB. */
const MAX_BYTES = 64e6;

type Chunks = AsyncIterable<Uint8Array | string>;

/**
 * @param from a path, or what comes on stdin
 * @param file what the user calls it
 * @throws ToolError 'file-missing', 'file-unreadable', 'not-a-file', 'document-bad'
 */
export async function readResult(
  from: string | Chunks,
  file: string,
): Promise<Report | SweepReport | ReportComparison> {
  const text = await bounded(typeof from === 'string' ? createReadStream(from) : from, file);
  const json = jsonIn(text, file);
  if (isTooDeep(json)) throw bad(file, 'its values are nested too deeply for one');
  return parseDocument<Report | SweepReport | ReportComparison>(json, file, REPORT, SWEEP, COMPARISON);
}

const bad = (file: string, detail: string, hint = REPORT.hint) =>
  new ToolError('document-bad', { file, value: ANY, detail: `${detail}. ${hint}` });

async function bounded(chunks: Chunks, file: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      const part = Buffer.from(chunk as string);
      size += part.length;
      if (size > MAX_BYTES)
        throw bad(file, `larger than ${MAX_BYTES / 1e6} MB`, 'Analyze fewer payloads at once');
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw new ToolError('not-a-file', { file });
    throw new ToolError(code === 'ENOENT' ? 'file-missing' : 'file-unreadable', { file, detail: message });
  }
  return Buffer.concat(parts).toString('utf8');
}

const BLOCK = '<script type="application/json" id="report">';

/** The data of a page: JSON without any `<` (reporters/html/markup/markup.ts), so the next one ends it. */
function jsonIn(text: string, file: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  const from = text.indexOf(BLOCK);
  if (from < 0) throw bad(file, 'a page without the data of a report, or cut off before them');
  const to = text.indexOf('<', from + BLOCK.length);
  if (to < 0) throw bad(file, 'the page is cut off in the middle of its data');
  return inflated(text.slice(from + BLOCK.length, to), file);
}

/** Long data are a JSON string: the base64 text of their raw deflate (reporters/text/embedded.ts). */
function inflated(json: string, file: string): string {
  const [, base64] = /^\s*"([A-Za-z0-9+/=]*)"\s*$/.exec(json) ?? [];
  if (base64 === undefined) return json;
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    throw bad(file, `the data of the page cannot be read, or are larger than ${MAX_BYTES / 1e6} MB`);
  }
}

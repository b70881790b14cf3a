import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { type Stored, type StoredResult, together } from '../app/report/together.ts';
import type { Chunks } from '../machine/given-file.ts';
import { cutName, cutText } from '../model/cut.ts';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { ToolError, usage } from '../model/errors.ts';
import { ANY, isTooDeep, parseDocument, readBounded } from '../store/document.ts';
import { COMPARISON, REPORT, SWEEP } from '../store/documents.ts';

/** Maximum size in bytes: reports of a hundred payloads have some MB. */
const MAX_BYTES = 64e6;

type StoredDocument = Report | SweepReport | ReportComparison;

/**
 * @param from path, or chunks from stdin
 * @param file name that the user gave
 * @throws ToolError 'file-missing', 'file-unreadable', 'not-a-file', 'document-bad'
 */
export async function readResult(from: string | Chunks, file: string): Promise<StoredDocument> {
  const text = await readBounded(from, file, MAX_BYTES, () =>
    bad(file, `larger than ${MAX_BYTES / 1e6} MB`, 'Analyze fewer payloads at once'),
  ).catch((error: ToolError) => {
    const isFolder = error.facts.detail?.startsWith('EISDIR') === true;
    throw isFolder ? new ToolError('not-a-file', { file }) : error;
  });
  const json = jsonIn(text, file);
  if (isTooDeep(json)) throw bad(file, 'its values are nested too deeply for one');
  return withShortTexts(parseDocument<StoredDocument>(json, file, REPORT, SWEEP, COMPARISON));
}

/** Maximum text length. No file path is longer, so `analyze` never writes a longer name or text. */
const LONGEST = 5000;
/** Fields that identify things: two different names must still differ after they are cut. */
const NAMES: ReadonlySet<string> = new Set(['id', 'payload', 'name', 'path', 'pattern', 'file', 'export']);

/** Fields with code, which is useless if cut. Lines of generated code are short. */
const CODE: ReadonlySet<string> = new Set(['code', 'module']);
const MAX_CODE_CHARS = 1e6;

const isCode = (key: string, text: string): boolean =>
  CODE.has(key) && text.length <= MAX_CODE_CHARS && text.split('\n').every((line) => line.length <= LONGEST);

/** Cuts long texts of the document in place: the layout of a name with a million characters takes minutes. */
function withShortTexts<T extends object>(document: T): T {
  const left: object[] = [document];
  for (let parent = left.pop(); parent !== undefined; parent = left.pop()) {
    const values = parent as Record<string, unknown>;
    for (const [key, value] of Object.entries(values)) {
      if (typeof value === 'object' && value !== null) left.push(value);
      if (typeof value !== 'string' || value.length <= LONGEST || isCode(key, value)) continue;
      values[key] = NAMES.has(key) ? cutName(value) : cutText(value);
    }
  }
  return document;
}

const bad = (file: string, detail: string, hint = REPORT.hint) =>
  new ToolError('document-bad', { file, value: ANY, detail: `${detail}. ${hint}` });

const BLOCK = '<script type="application/json" id="report">';

/** Data of a page: JSON without any `<` (reporters/html/markup/markup.ts), so the next `<` ends it. */
function jsonIn(text: string, file: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  const from = text.indexOf(BLOCK);
  if (from < 0) throw bad(file, 'a page without the data of a report, or cut off before them');
  const to = text.indexOf('<', from + BLOCK.length);
  if (to < 0) throw bad(file, 'the page is cut off in the middle of its data');
  return inflated(text.slice(from + BLOCK.length, to), file);
}

/** Decodes long data, a JSON string with the base64 text of their raw deflate (reporters/text/embedded.ts). */
function inflated(json: string, file: string): string {
  const [, base64] = /^\s*"([A-Za-z0-9+/=]*)"\s*$/.exec(json) ?? [];
  if (base64 === undefined) return json;
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    throw bad(file, `the data of the page cannot be read, or are larger than ${MAX_BYTES / 1e6} MB`);
  }
}

/** "-" is stdin. */
interface Place {
  cwd: string;
  stdin: () => Chunks;
}

/**
 * Reads stored results and combines them into one document, joined or compared.
 *
 * @throws ToolError 'usage' if they do not share anything; the error of an unreadable file
 */
export async function storedReports(
  [first, ...others]: readonly [string, ...string[]],
  join: boolean,
  place: Place,
): Promise<StoredResult> {
  refuseTwice([first, ...others], place.cwd);
  const read = async (file: string): Promise<Stored> => {
    const from = file === '-' ? place.stdin() : resolve(place.cwd, file);
    return { file, report: await readResult(from, file) };
  };
  const stored: [Stored, ...Stored[]] = [await read(first)];
  for (const file of others) stored.push(await read(file));
  return together(stored, join);
}

/** @throws ToolError 'usage' */
function refuseTwice(files: readonly string[], cwd: string): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const given = resolve(cwd, file);
    // A missing file is reported when it is read.
    const path = existsSync(given) ? realpathSync(given) : given;
    const other = seen.get(path);
    if (other !== undefined) {
      const detail = other === file ? `${file} is named twice` : `${other} and ${file} are the same file`;
      throw usage(`report: ${detail}. Name each once`);
    }
    seen.set(path, file);
  }
}

/** Reads stored results, and combines several into one document: joined or compared, depending on their data. */
import { resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { ANY, isTooDeep, parseDocument, REPORT, RESULTS, readBounded } from '../../app/store/documents.ts';
import type { Chunks } from '../../machine/given-file.ts';
import { cutName, cutText } from '../../model/cut.ts';
import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { Report } from '../../model/documents/report.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { REPORT_SCHEMA, SWEEP_SCHEMA } from '../../model/names.ts';
import { groupedBy } from '../../model/sums.ts';
import { compareReports, compareSweeps, type NamedReport, sharedPart } from '../compare/compare.ts';

/** Maximum size in bytes: reports of a hundred payloads have some MB. */
const MAX_BYTES = 64e6;

export type StoredResult = Report | SweepReport | ReportComparison;

export type Stored = NamedReport<StoredResult>;

/** @param file as the user named it @throws ToolError 'file-missing', 'file-unreadable', 'not-a-file', 'document-bad' */
export async function readResult(from: string | Chunks, file: string): Promise<StoredResult> {
  const text = await readBounded(from, file, MAX_BYTES, () =>
    bad(file, `larger than ${MAX_BYTES / 1e6} MB`, 'Analyze fewer payloads at once'),
  ).catch((error: ToolError) => {
    const isFolder = error.facts.detail?.startsWith('EISDIR') === true;
    throw isFolder ? new ToolError('not-a-file', { file }) : error;
  });
  const json = jsonIn(text, file);
  const [, kind] = /^\s*\{\s*"schema":\s*"clone-prof\/(recording|check)@/.exec(json) ?? [];
  if (kind === 'recording') throw bad(file, 'a recording', `Analyze it first: clone-prof analyze ${file}`);
  if (kind === 'check')
    throw bad(file, 'the result of a check', `Draw it again: clone-prof check --merge ${file}`);
  if (isTooDeep(json)) throw bad(file, 'its values are nested too deeply for one');
  return withShortTexts(parseDocument<StoredResult>(json, file, ...RESULTS));
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

/** Data of a page: JSON without any `<` (report/html/markup.ts), so the next `<` ends it. */
function jsonIn(text: string, file: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  const from = text.indexOf(BLOCK);
  const to = text.indexOf('<', from + BLOCK.length);
  if (from < 0 || to < 0) throw bad(file, 'a page without the data of a report, or cut off before their end');
  return inflated(text.slice(from + BLOCK.length, to), file);
}

/** Decodes long data, a JSON string with the base64 text of their raw deflate (report/html/page.ts). */
function inflated(json: string, file: string): string {
  const [, base64] = /^\s*"([A-Za-z0-9+/=]*)"\s*$/.exec(json) ?? [];
  if (base64 === undefined) return json;
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    throw bad(file, `the data of the page cannot be read, or are larger than ${MAX_BYTES / 1e6} MB`);
  }
}

/**
 * @param files "-" is stdin
 * @throws ToolError 'usage' if they do not share anything; the error of an unreadable file
 */
export async function storedReports(
  files: readonly string[],
  join: boolean,
  { cwd, stdin }: { cwd: string; stdin: () => Chunks },
): Promise<StoredResult> {
  refuseTwice(files, cwd);
  const read = async (file: string): Promise<Stored> => {
    const from = file === '-' ? stdin() : resolve(cwd, file);
    return { file, report: await readResult(from, file) };
  };
  const stored: Stored[] = [];
  for (const file of files) stored.push(await read(file));
  return together(stored, join);
}

/** @throws ToolError 'usage' */
function refuseTwice(files: readonly string[], cwd: string): void {
  const paths = files.map((file) => resolve(cwd, file));
  const twice = files.find((_, at) => paths.indexOf(paths[at]!) !== at);
  if (twice !== undefined) throw usage(`report: ${twice} is named twice. Name each once`);
}

/** Joins reports into one: the runs of the same payload are merged. The date is kept if all reports agree on it. */
export function joinReports(all: readonly Report[]): Report {
  const { date, recordings: _, ...one } = all[0]!;
  // Several reports may analyze the same recording.
  const inputs = all.flatMap((report) => report.recordings ?? []);
  const recordings = [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
  const groups = groupedBy(
    all.flatMap(({ payloads }) => payloads),
    ({ id, source }) => JSON.stringify([id, source]),
  );
  return {
    ...one,
    ...(date !== undefined && all.every((other) => other.date === date) ? { date } : {}),
    ...(recordings.length > 0 ? { recordings } : {}),
    payloads: [...groups.values()].map((own) => ({
      ...own[0]!,
      error: own.every(({ error }) => error) ? own[0]!.error : null,
      runs: own.flatMap(({ runs }) => runs),
    })),
  };
}

export const joinSweeps = (all: readonly SweepReport[]): SweepReport => ({
  ...all[0]!,
  points: all.flatMap(({ points }) => points),
  crossovers: all.flatMap(({ crossovers }) => crossovers),
  standings: all.flatMap(({ standings }) => standings),
  leftOut: all.flatMap(({ leftOut }) => leftOut),
  interrupted: all.some(({ interrupted }) => interrupted),
});

const unfit = (detail: string) => usage(`report: ${detail}`);

const kindOf = ({ schema }: StoredResult): string => `a ${schema.split(/[/@]/)[1]}`;

/** Ways to combine results of one kind. `facts`: all that a joined result states once. */
interface Combining<T> {
  facts: readonly (keyof T)[];
  compare: (stored: readonly NamedReport<T>[]) => ReportComparison;
  join: (reports: readonly T[]) => T;
}

const REPORTS: Combining<Report> = {
  ...{ facts: ['machine', 'tool', 'seed'], compare: compareReports, join: joinReports },
};

const SWEEPS: Combining<SweepReport> = {
  facts: ['machine', 'tool', 'seed', 'preset', 'title', 'dimension', 'folklore'],
  ...{ compare: compareSweeps, join: joinSweeps },
};

/**
 * @param join true: reports of one payload on several versions of a runtime are put side by side, not compared
 * @throws ToolError 'usage' if they are neither parts of one run nor share anything
 */
export function together(stored: readonly Stored[], join: boolean): StoredResult {
  const [{ report, file }, ...others] = stored as [Stored, ...Stored[]];
  if (others.length === 0) return report;
  const other = others.find((one) => one.report.schema !== report.schema);
  if (other !== undefined) {
    const kinds = `${file} is ${kindOf(report)} and ${other.file} ${kindOf(other.report)}`;
    throw unfit(`${kinds}. Name files of one kind`);
  }
  if (report.schema === REPORT_SCHEMA) return combined(stored as readonly NamedReport[], join, REPORTS);
  if (report.schema === SWEEP_SCHEMA)
    return combined(stored as readonly NamedReport<SweepReport>[], join, SWEEPS);
  throw unfit(`${file} is a comparison already. Name the reports that it compares`);
}

function combined<T extends Report | SweepReport>(
  stored: readonly NamedReport<T>[],
  join: boolean,
  way: Combining<T>,
): T | ReportComparison {
  const [first, ...others] = stored as [NamedReport<T>, ...NamedReport<T>[]];
  const apart = join
    ? others
    : others.filter(({ report }) => sharedPart(first.report, report, true) === null);
  if (apart.length === 0) return way.compare(stored);
  if (apart.length < others.length) {
    const detail = `${apart[0]!.file} has no payload on a runtime of ${first.file}, which it would be compared with`;
    throw unfit(`${detail}. Name only reports to compare, or only ones to join`);
  }
  for (const [at, one] of stored.entries()) {
    for (const other of stored.slice(at + 1)) {
      const why = whyApart(one.report, other.report, way.facts);
      if (why !== null) throw unfit(`${one.file} and ${other.file} cannot be joined: ${why}`);
    }
  }
  return way.join(stored.map(({ report }) => report));
}

function whyApart<T extends Report | SweepReport>(a: T, b: T, facts: readonly (keyof T)[]): string | null {
  const both = sharedPart(a, b, false);
  if (both !== null) return `both have ${both} on the same runtime. Without --join they are compared`;
  const agree = facts.every((fact) => JSON.stringify(a[fact]) === JSON.stringify(b[fact]));
  return agree ? null : 'they differ in payload, machine, version of clone-prof or seed';
}

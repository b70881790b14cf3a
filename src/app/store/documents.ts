/** Documents that the tool wrote and reads again, and their published JSON Schemas. Each is checked: it comes from disk. */
import { config, toJSONSchema } from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { boundedText, type Chunks, mib, streamOf, type Waiting } from '../../machine/given-file.ts';
import { type Baseline, baselineSchema } from '../../model/documents/baseline.ts';
import { type CheckReport, checkSchema } from '../../model/documents/check.ts';
import { comparisonSchema, type ReportComparison } from '../../model/documents/comparison.ts';
import { configSchema } from '../../model/documents/config.ts';
import { type CodecSchema, codecSchemaSchema } from '../../model/documents/payload-schema.ts';
import { recordedMessagesSchema, recordingHeaderSchema } from '../../model/documents/recorded/recording.ts';
import { type Report, reportSchema } from '../../model/documents/report.ts';
import { type SweepReport, sweepSchema } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import {
  BASELINE_SCHEMA,
  CHECK_SCHEMA,
  COMPARISON_SCHEMA,
  REPORT_SCHEMA,
  SWEEP_SCHEMA,
} from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { described, type Issue, parse, pathText, type Schema, safeParse, union } from '../../model/schema.ts';

// Issues of documents are in English. The schemas of guests and of the config bring their texts themselves.
config(en());

export interface DocumentKind<T> {
  /** Value of the document's "schema" field: "clone-prof/report@1". */
  id: string;
  schema: Schema<T>;
  /** Advice that errors end with: "Write one with clone-prof check -f json". */
  hint: string;
}

/** JSON with or without a byte order mark. @throws SyntaxError */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''));

/**
 * Checks a document and returns it, not zod's copy: fields of later versions stay, and so does a key called __proto__.
 * @param kinds accepted kinds; if none matches, the error has the hint of the first
 * @throws ToolError 'document-bad', which names the place in it
 */
export function parseDocument<T>(
  text: string,
  file: string,
  ...kinds: readonly [DocumentKind<T>, ...DocumentKind<T>[]]
): T {
  const [first, ...more] = kinds;
  const bad = (detail: string, { id, hint } = more.length === 0 ? first : { ...first, id: ANY }) =>
    new ToolError('document-bad', { file, value: id, detail: `${detail}. ${hint}` });
  let data: unknown;
  try {
    data = parseJson(text);
  } catch (error) {
    throw bad(`not valid JSON (${(error as Error).message})`);
  }
  const said = typeof data === 'object' && data !== null && 'schema' in data ? data.schema : undefined;
  const kind = kinds.find(({ id }) => id === said);
  if (kind === undefined) {
    const other = kinds.find(({ id }) => isOtherVersion(id, said));
    const why = other ? ', of another version of clone-prof' : '';
    throw bad(`"schema" is ${JSON.stringify(said) ?? 'missing'}${why}`, other);
  }
  const result = safeParse(kind.schema, data);
  if (result.success) return data as T;
  throw bad(issuesText(result.error.issues), kind);
}

/** Name of the expected document in errors if several kinds are accepted. */
export const ANY = 'result of clone-prof';

const isOtherVersion = (id: string, said: unknown): boolean =>
  typeof said === 'string' && said.startsWith(id.replace(/\d+$/, ''));

/** Maximum size: a baseline with samples of thousands of payloads is smaller. */
const MAX_BYTES = 256 * 2 ** 20;

/** @throws ToolError 'file-missing', 'file-unreadable' and the errors of parseDocument */
export async function readDocument<T>(path: string, file: string, kind: DocumentKind<T>, waiting: Waiting) {
  const detail = `larger than ${mib(MAX_BYTES)}. ${kind.hint}`;
  const tooLarge = () => new ToolError('document-bad', { file, value: kind.id, detail });
  return parseDocument(await readBounded(path, file, MAX_BYTES, tooLarge, waiting), file, kind);
}

function unreadable(error: unknown, file: string): ToolError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new ToolError(code === 'ENOENT' ? 'file-missing' : 'file-unreadable', { file, detail: message });
}

/** @throws ToolError 'file-missing', 'file-unreadable', 'interrupted', and the error that `tooLarge` makes */
export async function readBounded(
  from: string | Chunks,
  file: string,
  maxBytes: number,
  tooLarge: () => ToolError,
  waiting: Waiting = {},
): Promise<string> {
  try {
    const chunks: Chunks = typeof from === 'string' ? streamOf(from, waiting) : from;
    return await boundedText(chunks, maxBytes, tooLarge);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (waiting.signal?.aborted) throw new ToolError('interrupted');
    throw unreadable(error, file);
  }
}

/** Maximum nesting. Values that the tool keeps are never nested deeper, and readers of a line may be recursive. */
export const MAX_JSON_DEPTH = 500;

/** Scans single characters: a regular expression that skips strings would backtrack for each unit of them. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < json.length; i++) {
    const unit = json[i];
    if (unit === '"') isString = !isString;
    else if (isString) i += unit === '\\' ? 1 : 0;
    else if (unit === '[' || unit === '{') depth++;
    else if (unit === ']' || unit === '}') depth--;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

const SHOWN_ISSUES = 3;

/** Text of the first issues, each with its place: "$.payloads[0].runs: ..." */
export const issuesText = (issues: readonly Issue[]): string =>
  issues
    .slice(0, SHOWN_ISSUES)
    .map(({ path, message }) => `$${pathText(path)}: ${message}`)
    .join('; ');

const written = <T>(id: string, schema: Schema<T>, command: string): DocumentKind<T> => ({
  ...{ id, schema },
  hint: `Write one with clone-prof ${command} -f json`,
});

export const REPORT = written<Report>(REPORT_SCHEMA, reportSchema, 'analyze');
/** Results that `report` reads. */
export const RESULTS = [
  REPORT,
  written<SweepReport>(SWEEP_SCHEMA, sweepSchema, 'sweep'),
  written<ReportComparison>(COMPARISON_SCHEMA, comparisonSchema, 'report a.json b.json'),
] as const;
export const CHECK = written<CheckReport>(CHECK_SCHEMA, checkSchema, 'check');

export const BASELINE: DocumentKind<Baseline> = {
  id: BASELINE_SCHEMA,
  schema: baselineSchema,
  hint: 'Remove it, and write it anew: clone-prof baseline',
};

/** Schema in the last line of a codec. Null if it is not a valid schema: a person may have edited it. */
export const codecSchemaOf = (json: string): CodecSchema | null =>
  orElse(() => parse(codecSchemaSchema, JSON.parse(json)), null);

const recordingLine = described(union([recordingHeaderSchema, recordedMessagesSchema]), {
  title: 'clone-prof recording',
  description: 'One line of what clone-prof record writes.',
});

/** Published schemas by file name, draft 2020-12. Unknown fields are allowed, since later versions may add some. */
const PUBLISHED = {
  'report.schema.json': reportSchema,
  'check.schema.json': checkSchema,
  'comparison.schema.json': comparisonSchema,
  'config.schema.json': configSchema,
  'sweep.schema.json': sweepSchema,
  'recording.schema.json': recordingLine,
} as const satisfies Record<string, Schema>;
export const PUBLISHED_SCHEMAS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[];

export const jsonSchema = (file: keyof typeof PUBLISHED): Record<string, unknown> => ({
  ...toJSONSchema(PUBLISHED[file], { io: 'input' }),
});

/** The history of a gate: NDJSON, a line for each commit. It is untrusted input: anybody may have edited it. */
import { HISTORY_SCHEMA } from '../model/document-ids.ts';
import { type HistoryCommit, historyCommitSchema } from '../model/documents/history.ts';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { issuesText, isTooDeep, MAX_JSON_DEPTH, parseJson } from './document.ts';

export const MAX_HISTORY_BYTES = 64 * 2 ** 20;
const MAX_LINES = 100_000;
const HINT = 'Each line is written by clone-prof check --history';

const fieldsOf = (line: string) =>
  orElse(() => parseJson(line) as { schema?: unknown; commit?: unknown }, null);

/** Whether the first line is one of a history, and not all of another document. */
export function isHistory(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  const { schema, commit } = (first.includes(HISTORY_SCHEMA) && !isTooDeep(first) && fieldsOf(first)) || {};
  return schema === HISTORY_SCHEMA && commit !== undefined;
}

/**
 * A commit that is there twice is shown as it was written last. A last line that was cut off is left out.
 *
 * @param file what the user calls it
 * @throws ToolError 'document-bad' that names the line
 */
export function parseHistory(text: string, file: string): HistoryCommit[] {
  const bad = (detail: string) =>
    new ToolError('document-bad', { file, value: HISTORY_SCHEMA, detail: `${detail}. ${HINT}` });
  const lines = text.split('\n', MAX_LINES + 2);
  if (lines.length > MAX_LINES + 1) throw bad(`more than ${MAX_LINES} lines`);
  const last = lines.at(-1) ?? '';
  if (last.trim() !== '' && orElse(() => typeof parseJson(last) !== 'object', true)) lines.pop();
  const commits = new Map<string, HistoryCommit>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const at = `line ${index + 1}`;
    if (isTooDeep(line)) throw bad(`${at} is nested more than ${MAX_JSON_DEPTH} levels deep`);
    let data: unknown;
    try {
      data = parseJson(line);
    } catch (error) {
      throw bad(`${at} is not valid JSON (${(error as Error).message})`);
    }
    const result = historyCommitSchema.safeParse(data);
    if (!result.success) throw bad(`${at}: ${issuesText(result.error.issues)}`);
    commits.delete(result.data.commit);
    commits.set(result.data.commit, data as HistoryCommit);
  }
  return [...commits.values()];
}

/** With the facts of a commit in place of those that it had. */
export const historyText = (before: readonly HistoryCommit[], added: HistoryCommit): string =>
  [...before.filter(({ commit }) => commit !== added.commit), added]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { ToolError } from '../model/errors.ts';
import { REPORT_SCHEMA, type Report } from '../model/report.ts';
import { reportSchema } from './report-schema.ts';

const SHOWN_ISSUES = 3;

/** Throws ToolError: 'json-malformed' or 'report-bad', which name the file and the place in it. */
export function parseReport(text: string, file: string): Report {
  const data = parsed(text, file);
  const said = schemaOf(data);
  if (said !== REPORT_SCHEMA) throw new ToolError('report-bad', { file, detail: wrongSchema(said) });
  const result = reportSchema.safeParse(data);
  if (!result.success) throw new ToolError('report-bad', { file, detail: wrongFields(result.error.issues) });
  return result.data;
}

/** A report that `--format json` wrote. Throws like parseReport, and 'file-missing' or 'file-unreadable'. */
export async function readReport(file: string): Promise<Report> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ToolError(code === 'ENOENT' ? 'file-missing' : 'file-unreadable', { file, detail: message });
  }
  return parseReport(text, file);
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ToolError('json-malformed', { file, detail: (error as Error).message });
  }
}

function schemaOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'schema' in data ? data.schema : undefined;
}

function wrongSchema(said: unknown): string {
  return typeof said === 'string' && said.startsWith('clone-prof/report@')
    ? `it is ${said}, this version of clone-prof reads ${REPORT_SCHEMA}`
    : `it lacks "schema": "${REPORT_SCHEMA}"; write one with clone-prof analyze --format json`;
}

function wrongFields(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => `${placeOf(path)}: ${message}`);
  const more = issues.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** "$.payloads[0].runs" */
function placeOf(path: readonly PropertyKey[]): string {
  return `$${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')}`;
}

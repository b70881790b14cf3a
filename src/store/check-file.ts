import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CHECK_SCHEMA, type CheckReport, LIMIT_LEVELS, LIMITS } from '../model/check.ts';
import { ToolError } from '../model/errors.ts';

const text = z.string().nullable();

const resultSchema = z.object({
  payload: z.string(),
  runtime: z.string(),
  channel: z.string(),
  limit: z.enum(LIMITS),
  level: z.enum(LIMIT_LEVELS),
  outcome: z.enum(['failed', 'passed', 'unsure', 'not-measured']),
  expected: z.string(),
  actual: z.string(),
  path: text,
  example: text,
  was: text,
  rule: text,
  file: text,
  line: z.number().nullable(),
  reason: z.exactOptional(z.string()),
});

export const checkSchema = z
  .object({
    schema: z.literal(CHECK_SCHEMA),
    passed: z.boolean(),
    results: z.array(resultSchema),
    failures: z.array(
      z.object({ payload: z.string(), file: z.string(), code: z.string(), message: z.string() }),
    ),
  })
  .meta({ title: 'clone-prof check', description: 'What clone-prof check --format json prints.' });

/** JSON Schema (draft 2020-12) of a check's report. */
export function checkJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(checkSchema, { io: 'input' }) };
}

/** What `check --format json` wrote. Throws ToolError 'file-missing', 'file-unreadable' or 'report-bad'. */
export async function readCheck(path: string, file: string): Promise<CheckReport> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ToolError(code === 'ENOENT' ? 'file-missing' : 'file-unreadable', { file, detail: message });
  }
  const result = checkSchema.safeParse(jsonOf(content));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const detail = `${issue?.path.join('.') || 'it'}: ${issue?.message}. Write one with clone-prof check -f json`;
  throw new ToolError('report-bad', { file, detail });
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

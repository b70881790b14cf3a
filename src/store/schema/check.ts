import { z } from 'zod';
import { CHECK_SCHEMA, type CheckReport, LIMIT_LEVELS, LIMIT_OUTCOMES, LIMITS } from '../../model/check.ts';
import type { DocumentKind } from '../document.ts';

const text = z.string().nullable();

const resultSchema = z.object({
  payload: z.string(),
  runtime: z.string(),
  channel: z.string(),
  limit: z.enum(LIMITS),
  level: z.enum(LIMIT_LEVELS),
  outcome: z.enum(LIMIT_OUTCOMES),
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

export const CHECK: DocumentKind<CheckReport> = {
  id: CHECK_SCHEMA,
  schema: checkSchema,
  hint: 'Write one with clone-prof check -f json',
};

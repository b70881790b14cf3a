import { z } from 'zod';
import {
  CHECK_SCHEMA,
  CHECKED,
  type CheckReport,
  LIMIT_LEVELS,
  LIMIT_OUTCOMES,
} from '../../model/gate/check.ts';
import { COST_CLASSES } from '../../model/names.ts';
import type { DocumentKind } from './document.ts';
import { sampledFields } from './measurement.ts';
import { pathNameSchema } from './names.ts';

const text = z.string().nullable();
const fact = z.union([z.enum(COST_CLASSES), z.number()]).nullable();
const whole = z.int().min(1);

const resultSchema = z.object({
  payload: z.string(),
  runtime: z.string(),
  channel: z.string(),
  limit: z.enum(CHECKED),
  level: z.enum(LIMIT_LEVELS),
  outcome: z.enum(LIMIT_OUTCOMES),
  written: z.string(),
  against: z.enum(['baseline', 'base']).nullable(),
  expected: fact,
  actual: fact,
  was: fact,
  change: z.number().nullable(),
  ci: z.exactOptional(z.tuple([z.number(), z.number()])),
  ...sampledFields,
  path: text,
  example: text,
  rule: text,
  file: text,
  line: z.number().nullable(),
  reason: z.exactOptional(z.string()),
  alike: z.exactOptional(z.array(z.string())),
});

const comparedFacts = z
  .object({
    class: z.enum(COST_CLASSES),
    path: pathNameSchema,
    bytes: z.number().nullable(),
    nodes: z.number(),
    depth: z.number(),
  })
  .nullable();

const comparisonSchema = z.object({
  payload: z.string(),
  runtime: z.string(),
  channel: z.string(),
  before: comparedFacts,
  now: comparedFacts,
  time: z.exactOptional(
    z.object({ change: z.number(), ci: z.tuple([z.number(), z.number()]), ...sampledFields }),
  ),
});

export const checkSchema = z
  .object({
    schema: z.literal(CHECK_SCHEMA),
    tool: z.object({ version: z.string() }),
    passed: z.boolean(),
    shard: z.object({ index: whole, count: whole }).nullable(),
    inputs: z.object({ config: z.string(), baseline: text, baselineFile: z.string() }),
    base: z.exactOptional(z.object({ ref: z.string(), commit: z.string() })),
    compared: z.exactOptional(z.array(comparisonSchema)),
    results: z.array(resultSchema),
    failures: z.array(
      z.object({ payload: z.string(), file: z.string(), code: z.string(), message: z.string() }),
    ),
    unchecked: z.array(z.object({ payload: z.string(), runtime: z.string(), selected: z.boolean() })),
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

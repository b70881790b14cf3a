/** What `check` finds. */
import * as z from 'zod';
import { CHECK_SCHEMA } from '../document-ids.ts';
import { CHECKED, LIMIT_LEVELS, LIMIT_OUTCOMES } from '../gate/limits.ts';
import { COST_CLASSES } from '../names.ts';
import { sampledFields } from './measurement.ts';
import { pathNameSchema } from './names.ts';

const text = z.string().nullable();
export type LimitFact = z.infer<typeof fact>;
export const fact = z
  .union([z.enum(COST_CLASSES), z.number()])
  .nullable()
  .describe(
    'class: a cost class. maxBytes: bytes. time, memory: now over before, so 1.1 for +10 %. All others: a number of values, levels or times. null: not known.',
  );
const whole = z.int().min(1);

export type LimitResult = z.infer<typeof resultSchema>;
export const resultSchema = z.object({
  payload: z.string(),
  runtime: z
    .string()
    .describe(
      'Exact: "bun@1.4.5"; as in the config when it was not found or not looked for. "" with limit config.',
    ),
  channel: z.string(),
  limit: z.enum(CHECKED),
  level: z.enum(LIMIT_LEVELS),
  outcome: z.enum(LIMIT_OUTCOMES),
  written: z.string().describe('The limit as written in the config: "64 kB", "+10%".'),
  against: z
    .enum(['baseline', 'base'])
    .nullable()
    .describe('The limit is relative to these facts; base: those of the other commit.'),
  expected: fact,
  actual: fact,
  was: fact.describe('The value in the baseline or the other commit; null without one.'),
  change: z.number().nullable().describe('New over old: 1.5 is half as much again.'),
  ci: z.exactOptional(z.tuple([z.number(), z.number()]).describe('95 % interval of change, where measured.')),
  ...sampledFields,
  path: text.describe('JSON path of what breaks the limit; null when the whole payload does.'),
  example: text.describe('Concrete path of the first match, where `path` is a pattern.'),
  rule: text.describe('The rule behind it; of `remedies` the rewrite.'),
  file: text.describe('Where the payload comes from, for annotations.'),
  line: z.number().nullable(),
  reason: z.exactOptional(
    z.string().describe('Why it is not measured, unsure or unmatched; of a codec what does not fit.'),
  ),
  varies: z.exactOptional(
    z
      .string()
      .describe(
        'How its facts change when a module is called again or loaded on another machine: no limit on them is kept.',
      ),
  ),
  loosened: z.exactOptional(
    z
      .object({ what: z.string(), from: z.string(), to: text })
      .describe(
        'What the config demands less than before: "maxBytes", from "2 kB", to "64 kB"; to null: gone.',
      ),
  ),
  alike: z.exactOptional(
    z.array(z.string()).describe('What the baseline has with equal facts and was not checked here.'),
  ),
});

export type ComparedFacts = z.infer<typeof comparedFacts>;
export const comparedFacts = z
  .object({
    class: z.enum(COST_CLASSES),
    path: pathNameSchema,
    bytes: z.number().nullable(),
    nodes: z.number(),
    depth: z.number(),
  })
  .describe('As in the baseline.');

/** A payload before and now, on one runtime over one channel; null on the side that does not have it. */
export type Comparison = z.infer<typeof comparisonSchema>;
export const comparisonSchema = z.object({
  payload: z.string(),
  runtime: z.string(),
  channel: z.string(),
  before: comparedFacts.nullable(),
  now: comparedFacts.nullable(),
  time: z.exactOptional(
    z.object({ change: z.number(), ci: z.tuple([z.number(), z.number()]), ...sampledFields }),
  ),
});

export type CheckFailure = z.infer<typeof failureSchema>;
export const failureSchema = z
  .object({ payload: z.string(), file: z.string(), code: z.string(), message: z.string() })
  .describe('A payload that could not be loaded or classified.');

export type Unchecked = z.infer<typeof uncheckedSchema>;
export const uncheckedSchema = z
  .object({
    payload: z.string(),
    runtime: z.string().describe('As in the baseline: "bun@1.4", "node ipc".'),
    selected: z
      .boolean()
      .describe(
        'Belongs to the payloads that were asked for, so that only another shard can have checked it.',
      ),
  })
  .describe('Facts of the baseline that were not compared.');

export type Shard = z.infer<typeof shardSchema>;
export const shardSchema = z
  .object({ index: whole, count: whole })
  .describe('The part `index` (from 1 on) of `count`.');

export type BaseCommit = z.infer<typeof baseCommitSchema>;
export const baseCommitSchema = z
  .object({ ref: z.string().describe('As the user wrote it: "origin/main".'), commit: z.string() })
  .describe('The commit that --base names.');

export type CheckInputs = z.infer<typeof inputsSchema>;
export const inputsSchema = z
  .object({
    config: z.string().describe('Hash of the payloads and limits that were asked for.'),
    baseline: text.describe(
      'Hash of the facts compared with, or the commit of --base; null without a baseline.',
    ),
    baselineFile: z.string().describe('From the folder of the config.'),
  })
  .describe('What all shards of one check have in common.');

export type CheckReport = z.infer<typeof checkSchema>;
export const checkSchema = z
  .object({
    schema: z.literal(CHECK_SCHEMA),
    tool: z.object({ version: z.string() }),
    passed: z.boolean(),
    shard: shardSchema.nullable().describe('null: all parts.'),
    inputs: inputsSchema,
    base: z.exactOptional(baseCommitSchema),
    compared: z.exactOptional(
      z.array(comparisonSchema).describe('Before: the commit of --base, else the baseline.'),
    ),
    results: z.array(resultSchema),
    failures: z.array(failureSchema),
    unchecked: z.array(uncheckedSchema),
  })
  .meta({ title: 'clone-prof check', description: 'What clone-prof check --format json prints.' });

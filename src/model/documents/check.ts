/** Schema of the result of `check`. */

import { CHECKED, LIMIT_LEVELS, LIMIT_OUTCOMES } from '../gate/limits.ts';
import { CHECK_SCHEMA, COST_CLASSES } from '../names.ts';
import * as s from '../schema.ts';
import { sampledFields } from './measurement.ts';
import { pathNameSchema } from './names.ts';

const text = s.nullable(s.string());
export type LimitFact = s.TypeOf<typeof fact>;
export const fact = s.nullable(
  s.union([s.oneOf(COST_CLASSES), s.number()]),
  'class: a cost class. maxBytes: bytes. time, memory: now over before, so 1.1 for +10 %. All others: a number of values, levels or times. null: not known.',
);

export type LimitResult = s.TypeOf<typeof resultSchema>;
export const resultSchema = s.object({
  payload: s.string(),
  runtime: s.string(
    'Exact: "bun@1.4.5"; as in the config when it was not found or not looked for. "" with limit config: all.',
  ),
  channel: s.string('"" with limit config: all.'),
  limit: s.oneOf(CHECKED),
  level: s.oneOf(LIMIT_LEVELS),
  outcome: s.oneOf(LIMIT_OUTCOMES),
  written: s.string('The limit as written in the config: "64 kB", "+10%".'),
  against: s.nullable(
    s.oneOf(['baseline', 'base']),
    'The limit is relative to these facts; base: those of the other commit.',
  ),
  expected: fact,
  actual: fact,
  was: s.described(fact, 'The value in the baseline or the other commit; null without one.'),
  change: s.nullable(s.number(), 'New over old: 1.5 is half as much again.'),
  ci: s.optional(s.tuple([s.number(), s.number()], '95 % interval of change, where measured.')),
  ...sampledFields,
  path: s.described(text, 'JSON path of what breaks the limit; null when the whole payload does.'),
  example: s.described(text, 'Concrete path of the first match, where `path` is a pattern.'),
  rule: s.described(text, 'The rule behind it; of `remedies` the rewrite.'),
  file: s.described(text, 'Where the payload comes from, for annotations.'),
  line: s.nullable(s.number()),
  reason: s.optional(s.string('Why it is not measured, unsure or unmatched; of a codec what does not fit.')),
  varies: s.optional(
    s.string(
      'How its facts change when a module is called again or loaded on another machine: no limit on them is kept.',
    ),
  ),
  removed: s.optional(s.string('Name of what is gone, for `removed` of the config: "orders on bun".')),
});

export type ComparedFacts = s.TypeOf<typeof comparedFacts>;
export const comparedFacts = s.object('As in the baseline.', {
  class: s.oneOf(COST_CLASSES),
  path: pathNameSchema,
  bytes: s.nullable(s.number()),
  nodes: s.number(),
  depth: s.number(),
});

/** A payload before and now, on one runtime over one channel; null on the side that does not have it. */
export type Comparison = s.TypeOf<typeof comparisonSchema>;
export const comparisonSchema = s.object({
  payload: s.string(),
  runtime: s.string(),
  channel: s.string(),
  before: s.nullable(comparedFacts),
  now: s.nullable(comparedFacts),
  time: s.optional(s.object({ change: s.number(), ci: s.tuple([s.number(), s.number()]), ...sampledFields })),
});

export type PendingChange = s.TypeOf<typeof pendingSchema>;
export const pendingSchema = s.object(
  'A setting of the config that was stricter on the other side, which holds: "maxBytes", from "2 kB", to "64 kB".',
  {
    ...{ payload: s.string(), what: s.string(), from: s.string(), to: s.string() },
    file: s.described(text, 'The config that changes it, for annotations; null without a file.'),
  },
);

export type CheckFailure = s.TypeOf<typeof failureSchema>;
export const failureSchema = s.object('A payload that could not be loaded or classified.', {
  payload: s.string(),
  file: s.string(),
  code: s.string(),
  message: s.string(),
});

export type Shard = s.TypeOf<typeof shardSchema>;
export const shardSchema = s.object('The part `index` (from 1 on) of `count`.', {
  index: s.ordinal(),
  count: s.ordinal(),
});

export type BaseCommit = s.TypeOf<typeof baseCommitSchema>;
export const baseCommitSchema = s.object('The commit that --base names.', {
  ref: s.string('As the user wrote it: "origin/main".'),
  commit: s.string(),
});

export type CheckReport = s.TypeOf<typeof checkSchema>;
export const checkSchema = s.document('clone-prof check', 'What clone-prof check --format json prints.', {
  schema: s.literal(CHECK_SCHEMA),
  tool: s.object({ version: s.string() }),
  passed: s.boolean(),
  shard: s.nullable(shardSchema, 'null: all parts.'),
  inputs: s.object('What all shards of one check have in common.', {
    config: s.string('Hash of the payloads and limits that were asked for.'),
    baseline: s.described(
      text,
      'Hash of the facts compared with, or the commit of --base; null without a baseline.',
    ),
    baselineFile: s.string('From the folder of the config.'),
  }),
  base: s.optional(baseCommitSchema),
  compared: s.optional(s.list(comparisonSchema, 'Before: the commit of --base, else the baseline.')),
  pending: s.optional(
    s.list(pendingSchema, 'What the config loosens: it holds once the other commit or the baseline has it.'),
  ),
  results: s.list(resultSchema),
  failures: s.list(failureSchema),
});

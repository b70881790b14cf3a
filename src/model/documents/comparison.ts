/** Schema of the result of `report a.json b.json`: changes between stored reports. */

import { COMPARISON_SCHEMA } from '../names.ts';
import * as s from '../schema.ts';
import { CHANGES, DIMENSIONS, SHARE_CHANGES } from '../vocabulary/words.ts';
import { findingSchema } from './classification.ts';
import { intervalSchema, ratioSchema } from './measurement.ts';
import { channelSchema, costClassSchema, pathNameSchema, runtimeIdSchema } from './names.ts';
import { machineSchema, runErrorSchema } from './report.ts';
import { adviceSchema, trialSchema } from './trial.ts';

export type ComparedRun = s.TypeOf<typeof runSchema>;
export const runSchema = s.object({
  runtime: runtimeIdSchema,
  status: s.oneOf(['measured', 'classified', 'failed']),
  error: s.nullable(runErrorSchema),
  verdict: s.nullable(s.object({ class: costClassSchema, path: pathNameSchema })),
  shape: s.nullable(s.object({ nodes: s.number(), depth: s.number(), jsonBytes: s.nullable(s.number()) })),
  copied: s.nullable(s.number('Bytes of one post.')),
  advice: s.nullable(s.pick(adviceSchema, { action: true, remedy: true, path: true, gain: true })),
});

const sideSchema = s.pick(trialSchema, { equality: true, outcome: true, withConversion: true });

const shareChangeSchema = s.oneOf(
  SHARE_CHANGES,
  'Of the share of the time of the original; unsure: the intervals overlap.',
);

const trialComparisonSchema = s.object({
  remedy: s.string(),
  path: s.string(),
  form: s.optional(s.string()),
  before: s.nullable(sideSchema),
  now: s.nullable(sideSchema),
  withConversion: s.nullable(shareChangeSchema),
});

const foundSchema = s.pick(findingSchema, { rule: true, level: true, path: true, count: true });

export type RunComparison = s.TypeOf<typeof runComparisonSchema>;
export const runComparisonSchema = s.named(
  'RunComparison',
  'One payload on one runtime over one channel, in two reports.',
  {
    payload: s.string(),
    channel: channelSchema,
    report: s.ordinal('Of `reports`: the one that is compared with the first.'),
    before: s.nullable(runSchema),
    now: s.nullable(runSchema),
    changes: s.list(s.oneOf(CHANGES), 'Never times: those are of two runs.'),
    came: s.list(foundSchema),
    went: s.list(foundSchema),
    trials: s.list(trialComparisonSchema),
  },
);

const shareSchema = s.object({
  size: s.number(),
  before: ratioSchema,
  now: ratioSchema,
  change: s.oneOf(SHARE_CHANGES),
});

const sizeSchema = s.nullable(s.object({ size: s.number(), ci: intervalSchema }));

const crossoverSchema = s.object({
  before: sizeSchema,
  now: sizeSchema,
  change: s.nullable(s.oneOf(SHARE_CHANGES), 'Of the size; null where one side has none.'),
});

export type StrategyComparison = s.TypeOf<typeof strategySchema>;
export const strategySchema = s.named('StrategyComparison', 'One strategy in two sweeps.', {
  payload: s.string(),
  channel: channelSchema,
  report: s.ordinal(),
  runtime: s.object({ name: runtimeIdSchema.shape.name, before: s.string(), now: s.string() }),
  strategy: s.string(),
  unit: s.oneOf(DIMENSIONS),
  shares: s.list(shareSchema, 'Of the time of raw, at the sizes that both have.'),
  crossovers: s.list(crossoverSchema, 'Where it costs as much as raw.'),
  changed: s.boolean(),
});

export type ComparedReport = s.TypeOf<typeof comparedReportSchema>;
export const comparedReportSchema = s.object({
  file: s.string(),
  tool: s.object({ version: s.string() }),
  machine: machineSchema,
  seed: s.number(),
  date: s.optional(s.string()),
});

export type ReportComparison = s.TypeOf<typeof comparisonSchema>;
export const comparisonSchema = s.described(
  s
    .object({
      schema: s.literal(COMPARISON_SCHEMA),
      reports: s.described(
        s.list(comparedReportSchema).check(s.minLength(2)),
        'The first is what all others are compared with.',
      ),
      runs: s.list(runComparisonSchema),
      strategies: s.optional(s.list(strategySchema, 'Of sweeps only.')),
    })
    .check(
      s.refine(
        ({ reports, runs, strategies = [] }) =>
          [...runs, ...strategies].every(({ report }) => report < reports.length),
        'a run of a report that is not listed',
      ),
    ),
  {
    title: 'clone-prof comparison',
    description: 'What clone-prof report a.json b.json -f json prints.',
  },
);

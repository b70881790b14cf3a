/** What `report a.json b.json` finds: what changed between stored reports. */
import * as z from 'zod';
import { COMPARISON_SCHEMA } from '../document-ids.ts';
import { CHANGES, SHARE_CHANGES, UNLIKE } from '../vocabulary/comparison.ts';
import { DIMENSIONS } from '../vocabulary/sweep.ts';
import { findingSchema } from './classification.ts';
import { estimateSchema, intervalSchema, ratioSchema } from './measurement.ts';
import {
  channelSchema,
  costClassSchema,
  pathNameSchema,
  runtimeIdSchema,
  runtimeNameSchema,
} from './names.ts';
import { machineSchema, runErrorSchema } from './report.ts';
import { adviceSchema, trialSchema } from './trial.ts';

export type ComparedRun = z.infer<typeof runSchema>;
export const runSchema = z.object({
  runtime: runtimeIdSchema,
  status: z.enum(['measured', 'classified', 'failed']),
  error: runErrorSchema.nullable(),
  verdict: z.object({ class: costClassSchema, path: pathNameSchema }).nullable(),
  shape: z.object({ nodes: z.number(), depth: z.number(), jsonBytes: z.number().nullable() }).nullable(),
  wireBytes: z.number().nullable(),
  advice: adviceSchema.pick({ action: true, remedy: true, path: true, gain: true }).nullable(),
  roundTrip: estimateSchema.nullable(),
});

export type ComparedTrial = z.infer<typeof sideSchema>;
export const sideSchema = trialSchema.pick({
  equality: true,
  outcome: true,
  withConversion: true,
  inPlace: true,
});

const shareChangeSchema = z
  .enum(SHARE_CHANGES)
  .describe('Of the share of the time of the original; unsure: the intervals overlap.');

export type TrialComparison = z.infer<typeof trialComparisonSchema>;
export const trialComparisonSchema = z.object({
  remedy: z.string(),
  path: z.string(),
  form: z.exactOptional(z.string()),
  before: sideSchema.nullable(),
  now: sideSchema.nullable(),
  withConversion: shareChangeSchema.nullable(),
  inPlace: shareChangeSchema.nullable(),
});

export type FoundRule = z.infer<typeof foundSchema>;
export const foundSchema = findingSchema.pick({ rule: true, level: true, path: true, count: true });

export type RunComparison = z.infer<typeof runComparisonSchema>;
export const runComparisonSchema = z
  .object({
    payload: z.string(),
    channel: channelSchema,
    report: z.int().min(1).describe('Of `reports`: the one that is compared with the first.'),
    before: runSchema.nullable(),
    now: runSchema.nullable(),
    changes: z.array(z.enum(CHANGES)).describe('Never times: those are of two runs.'),
    came: z.array(foundSchema),
    went: z.array(foundSchema),
    trials: z.array(trialComparisonSchema),
    times: z
      .enum(UNLIKE)
      .nullable()
      .describe(
        'Why the round trips cannot be compared; null where there are none, or only one measurement.',
      ),
  })
  .meta({ id: 'RunComparison', description: 'One payload on one runtime over one channel, in two reports.' });

export type ComparedShare = z.infer<typeof shareSchema>;
export const shareSchema = z.object({
  size: z.number(),
  before: ratioSchema,
  now: ratioSchema,
  change: z.enum(SHARE_CHANGES),
});

export type ComparedSize = z.infer<typeof sizeSchema>;
export const sizeSchema = z.object({ size: z.number(), ci: intervalSchema });

export type ComparedCrossover = z.infer<typeof crossoverSchema>;
export const crossoverSchema = z.object({
  before: sizeSchema.nullable(),
  now: sizeSchema.nullable(),
  change: z.enum(SHARE_CHANGES).nullable().describe('Of the size; null where one side has none.'),
});

export type StrategyComparison = z.infer<typeof strategySchema>;
export const strategySchema = z
  .object({
    payload: z.string(),
    channel: channelSchema,
    report: z.int().min(1),
    runtime: z.object({ name: runtimeNameSchema, before: z.string(), now: z.string() }),
    strategy: z.string(),
    unit: z.enum(DIMENSIONS),
    shares: z.array(shareSchema).describe('Of the time of raw, at the sizes that both have.'),
    crossovers: z.array(crossoverSchema).describe('Where it costs as much as raw.'),
    changed: z.boolean(),
  })
  .meta({ id: 'StrategyComparison', description: 'One strategy in two sweeps.' });

export type ComparedReport = z.infer<typeof comparedReportSchema>;
export const comparedReportSchema = z.object({
  file: z.string(),
  tool: z.object({ version: z.string() }),
  machine: machineSchema,
  seed: z.number(),
  date: z.exactOptional(z.string()),
});

export type ReportComparison = z.infer<typeof comparisonSchema>;
export const comparisonSchema = z
  .object({
    schema: z.literal(COMPARISON_SCHEMA),
    reports: z.array(comparedReportSchema).min(2).describe('The first is what all others are compared with.'),
    runs: z.array(runComparisonSchema),
    strategies: z.exactOptional(z.array(strategySchema).describe('Of sweeps only.')),
  })
  .refine(
    ({ reports, runs, strategies = [] }) =>
      [...runs, ...strategies].every(({ report }) => report < reports.length),
    {
      message: 'a run of a report that is not listed',
    },
  )
  .meta({
    title: 'clone-prof comparison',
    description: 'What clone-prof report a.json b.json -f json prints.',
  });

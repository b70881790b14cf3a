/** A comparison as a zod schema: what `report a.json b.json -f json` prints. A test compares its type with the model. */
import { z } from 'zod';
import { CHANNELS } from '../../model/names.ts';
import {
  CHANGES,
  COMPARISON_SCHEMA,
  type ReportComparison,
  SHARE_CHANGES,
  UNLIKE,
} from '../../model/report/comparison.ts';
import { DIMENSIONS } from '../../model/report/sweep.ts';
import { ADVICE_ACTIONS } from '../../model/report/trial.ts';
import { costClassSchema, findingSchema } from './classification.ts';
import type { DocumentKind } from './document.ts';
import { estimateSchema, intervalSchema, ratioSchema } from './measurement.ts';
import { pathNameSchema, runtimeIdSchema, runtimeNameSchema } from './names.ts';
import { machineSchema, runErrorSchema, trialSchema } from './report.ts';

const runSchema = z.object({
  runtime: runtimeIdSchema,
  status: z.enum(['measured', 'classified', 'failed']),
  error: runErrorSchema.nullable(),
  verdict: z.object({ class: costClassSchema, path: pathNameSchema }).nullable(),
  shape: z.object({ nodes: z.number(), depth: z.number(), jsonBytes: z.number().nullable() }).nullable(),
  wireBytes: z.number().nullable(),
  advice: z
    .object({
      action: z.enum(ADVICE_ACTIONS),
      remedy: z.string().nullable(),
      path: z.string().nullable(),
      gain: ratioSchema.nullable(),
    })
    .nullable(),
  roundTrip: estimateSchema.nullable(),
});

const sideSchema = trialSchema.pick({ equality: true, outcome: true, withConversion: true, inPlace: true });

const shareChangeSchema = z
  .enum(SHARE_CHANGES)
  .describe('Of the share of the time of the original; unsure: the intervals overlap.');

const trialComparisonSchema = z.object({
  remedy: z.string(),
  path: z.string(),
  form: z.exactOptional(z.string()),
  before: sideSchema.nullable(),
  now: sideSchema.nullable(),
  withConversion: shareChangeSchema.nullable(),
  inPlace: shareChangeSchema.nullable(),
});

const foundSchema = findingSchema.pick({ rule: true, level: true, path: true, count: true });

const runComparisonSchema = z
  .object({
    payload: z.string(),
    channel: z.enum(CHANNELS),
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

const sizeSchema = z.object({ size: z.number(), ci: intervalSchema }).nullable();

const strategySchema = z
  .object({
    payload: z.string(),
    channel: z.enum(CHANNELS),
    report: z.int().min(1),
    runtime: z.object({ name: runtimeNameSchema, before: z.string(), now: z.string() }),
    strategy: z.string(),
    unit: z.enum(DIMENSIONS),
    shares: z
      .array(
        z.object({ size: z.number(), before: ratioSchema, now: ratioSchema, change: z.enum(SHARE_CHANGES) }),
      )
      .describe('Of the time of raw, at the sizes that both have.'),
    crossovers: z
      .array(z.object({ before: sizeSchema, now: sizeSchema, change: z.enum(SHARE_CHANGES).nullable() }))
      .describe('Where it costs as much as raw.'),
    changed: z.boolean(),
  })
  .meta({ id: 'StrategyComparison', description: 'One strategy in two sweeps.' });

export const comparisonSchema = z
  .object({
    schema: z.literal(COMPARISON_SCHEMA),
    reports: z
      .array(
        z.object({
          file: z.string(),
          tool: z.object({ version: z.string() }),
          machine: machineSchema,
          seed: z.number(),
          date: z.exactOptional(z.string()),
        }),
      )
      .min(2)
      .describe('The first is what all others are compared with.'),
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

export const COMPARISON: DocumentKind<ReportComparison> = {
  id: COMPARISON_SCHEMA,
  schema: comparisonSchema,
  hint: 'Write one with clone-prof report a.json b.json -f json',
};

/** JSON Schema (draft 2020-12) of a comparison; unknown fields are allowed, more may be added. */
export function comparisonJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(comparisonSchema, { io: 'input' }) };
}

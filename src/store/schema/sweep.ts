/**
 * A sweep as a zod schema: what `sweep --format json` prints. A test compares its type with model/sweep.
 */
import { z } from 'zod';
import { CHANNELS } from '../../model/names.ts';
import { DIMENSIONS, SWEEP_SCHEMA, type SweepReport } from '../../model/report/sweep.ts';
import type { DocumentKind } from './document.ts';
import { estimateSchema, intervalSchema, peakMemorySchema, ratioSchema } from './measurement.ts';
import { runtimeNameSchema } from './names.ts';
import { machineSchema, runErrorSchema } from './report.ts';

const unitSchema = z.enum(DIMENSIONS).describe('What grows.');

const runtimeSchema = z.object({
  name: runtimeNameSchema,
  version: z.string(),
});

const dimensionSchema = z.object({
  by: unitSchema,
  path: z.string(),
  size: z.number(),
  grain: z.number(),
  weight: z.number(),
});

const publishedSchema = z.object({
  value: z.number().describe('ns; times faster for a speedup'),
  of: z.enum(['send', 'clone', 'speedup']),
  on: z.string(),
  source: z.string(),
  measured: z.number().nullable().describe('The same quantity here.'),
});

const pointSchema = z.object({
  runtime: runtimeSchema,
  channel: z.enum(CHANNELS),
  payload: z.string(),
  strategy: z.string().describe('raw, json-text, partial-text, bytes-transferred or a remedy'),
  size: z.number(),
  unit: unitSchema,
  roundTrip: estimateSchema.nullable(),
  send: estimateSchema.nullable(),
  receive: estimateSchema.nullable(),
  ratio: ratioSchema.nullable().describe('Round trip over that of raw.'),
  peakMemory: peakMemorySchema.nullable(),
  published: publishedSchema.nullable(),
  error: runErrorSchema.nullable(),
});

const placeSchema = z.object({
  runtime: runtimeSchema,
  channel: z.enum(CHANNELS),
  payload: z.string(),
  unit: unitSchema,
});

const crossoverSchema = placeSchema.extend({
  between: z.tuple([z.string(), z.string()]),
  size: z.number(),
  ci: intervalSchema,
  cheaper: z.object({ below: z.string(), above: z.string() }),
});

const standingSchema = placeSchema.extend({
  strategy: z.string(),
  faster: z.array(z.number()),
  slower: z.array(z.number()),
  even: z.array(z.number()).describe('No difference of 5 % or more.'),
  undecided: z.array(z.number()).describe('The interval allows a difference and none.'),
});

const folkloreSchema = z.object({
  says: z.string(),
  strategy: z.string(),
  source: z.string(),
  won: z.exactOptional(
    z
      .array(z.object({ runtime: runtimeNameSchema, on: z.string(), strategy: z.string() }))
      .describe('What was fastest then.'),
  ),
});

export const sweepSchema = z
  .object({
    schema: z.literal(SWEEP_SCHEMA),
    tool: z.object({ version: z.string() }),
    machine: machineSchema,
    seed: z.number(),
    preset: z.string().nullable(),
    title: z.string(),
    dimension: dimensionSchema.nullable(),
    points: z.array(pointSchema),
    crossovers: z.array(crossoverSchema),
    standings: z.array(standingSchema),
    folklore: folkloreSchema.nullable(),
    leftOut: z.array(z.object({ runtime: runtimeSchema, strategy: z.string(), reason: z.string() })),
    interrupted: z.boolean(),
  })
  .meta({
    title: 'clone-prof sweep',
    description: 'What clone-prof sweep --format json prints. Times in ns.',
  });

export const SWEEP: DocumentKind<SweepReport> = {
  id: SWEEP_SCHEMA,
  schema: sweepSchema,
  hint: 'Write one with clone-prof sweep -f json',
};

/** JSON Schema (draft 2020-12) of a sweep; unknown fields are allowed, more may be added. */
export function sweepJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(sweepSchema, { io: 'input' }) };
}

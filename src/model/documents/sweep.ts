/** What `sweep` finds: cost against size for each strategy, and where two strategies cross. Times in ns. */
import * as z from 'zod';
import { SWEEP_SCHEMA } from '../document-ids.ts';
import { DIMENSIONS } from '../vocabulary/sweep.ts';
import { estimateSchema, intervalSchema, peakMemorySchema, ratioSchema } from './measurement.ts';
import { channelSchema, runtimeNameSchema } from './names.ts';
import { machineSchema, runErrorSchema } from './report.ts';

const unitSchema = z.enum(DIMENSIONS).describe('What grows.');

const runtimeSchema = z.object({
  name: runtimeNameSchema,
  version: z.string(),
});

export type Dimension = z.infer<typeof dimensionSchema>;
export const dimensionSchema = z.object({
  by: unitSchema,
  path: z.string().describe('Of the array, string, object or buffer.'),
  size: z.number().describe('The original one.'),
  grain: z
    .number()
    .describe('Sizes must be multiples of it: bytes of one element of a typed array; 1 elsewhere.'),
  weight: z.number().describe('About how many bytes of the payload are spread over its members.'),
});

export type Published = z.infer<typeof publishedSchema>;
export const publishedSchema = z.object({
  value: z.number().describe('ns; times faster for a speedup'),
  of: z.enum(['send', 'clone', 'speedup']),
  on: z.string(),
  source: z.string(),
  measured: z.number().nullable().describe('The same quantity here.'),
});

/** A published figure: of the sender's call alone, of one call of structuredClone, or old time over new time of it. */
export type PublishedFigure = Omit<Published, 'measured'>;

export type SweepPoint = z.infer<typeof pointSchema>;
export const pointSchema = z.object({
  runtime: runtimeSchema,
  channel: channelSchema,
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
  channel: channelSchema,
  payload: z.string(),
  unit: unitSchema,
});

export type Crossover = z.infer<typeof crossoverSchema>;
export const crossoverSchema = placeSchema.extend({
  between: z.tuple([z.string(), z.string()]),
  size: z.number(),
  ci: intervalSchema,
  cheaper: z.object({ below: z.string(), above: z.string() }),
});

export type StrategyResult = z.infer<typeof standingSchema>;
export const standingSchema = placeSchema.extend({
  strategy: z.string(),
  faster: z.array(z.number()),
  slower: z.array(z.number()),
  even: z.array(z.number()).describe('No difference of 5 % or more.'),
  undecided: z.array(z.number()).describe('The interval allows a difference and none.'),
});

export type Folklore = z.infer<typeof folkloreSchema>;
export const folkloreSchema = z.object({
  says: z.string().describe('A published rule of thumb: "fully stringify every message".'),
  strategy: z.string(),
  source: z.string(),
  won: z.exactOptional(
    z
      .array(z.object({ runtime: runtimeNameSchema, on: z.string(), strategy: z.string() }))
      .describe('What was fastest then.'),
  ),
});

/** What was fastest in a runtime when the rule was published: on "Chrome 48", of which `runtime` is the newer version. */
export type PublishedWinner = NonNullable<Folklore['won']>[number];

export type LeftOut = z.infer<typeof leftOutSchema>;
export const leftOutSchema = z
  .object({ runtime: runtimeSchema, strategy: z.string(), reason: z.string() })
  .describe('A strategy that was not timed, and why.');

export type SweepReport = z.infer<typeof sweepSchema>;
export const sweepSchema = z
  .object({
    schema: z.literal(SWEEP_SCHEMA),
    tool: z.object({ version: z.string() }),
    machine: machineSchema,
    seed: z.number(),
    preset: z.string().nullable(),
    title: z.string(),
    dimension: dimensionSchema.nullable().describe('The part that was scaled; null for a preset.'),
    points: z.array(pointSchema),
    crossovers: z.array(crossoverSchema),
    standings: z.array(standingSchema),
    folklore: folkloreSchema.nullable(),
    leftOut: z.array(leftOutSchema),
    interrupted: z.boolean().describe('Ended before all sizes were measured.'),
  })
  .meta({
    title: 'clone-prof sweep',
    description: 'What clone-prof sweep --format json prints. Times in ns.',
  });
